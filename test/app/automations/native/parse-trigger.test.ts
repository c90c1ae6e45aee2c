import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NativeTrigger } from '../../../../src/app/automations/native/automation.ts';
import { TestClock } from '../../../support/test-clock.ts';
import { createNativeHome, type NativeHome, PEOPLE, refusal } from './native-home.ts';

let fixture: NativeHome;

beforeEach(() => {
  fixture = createNativeHome({ clock: new TestClock('2030-06-03T10:00:00Z') });
  const { home } = fixture.home;
  fixture.home.state.putHome({ ...home, timeZone: 'Europe/Berlin' });
});
afterEach(() => fixture.close());

let made = 0;
function parsed(trigger: unknown): NativeTrigger {
  made += 1;
  return fixture.create(trigger, `Automation ${made}`).trigger;
}
const lamp = () => fixture.home.named('Lamp').id;
const thermostat = () => fixture.home.named('Thermostat').id;
const changed = (fields: object = {}) => ({
  type: 'characteristic',
  accessoryId: lamp(),
  characteristicType: 'on',
  ...fields,
});
const event = (one: unknown, more: object = {}) => ({ type: 'event', events: [one], ...more });
const fireDate = (trigger: unknown) => {
  const timer = parsed(trigger);
  return timer.type === 'timer' ? new Date(timer.fireAt).toISOString() : undefined;
};

describe('a timer trigger', () => {
  it('takes a fire date with its zone, and one of the clocks of its own or the home’s', () => {
    expect(fireDate({ type: 'timer', fireDate: '2030-07-01T08:00:00+02:00' })).toBe('2030-07-01T06:00:00.000Z');
    expect(fireDate({ type: 'timer', fireDate: '2030-07-01T08:00' })).toBe('2030-07-01T06:00:00.000Z');
    const local = { type: 'timer', fireDate: '2030-07-01T08:00:30', timeZone: 'Asia/Tokyo' };
    expect(fireDate(local)).toBe('2030-06-30T23:00:30.000Z');
  });

  it('takes the first moment after the gap for a time that clocks leave out', () => {
    expect(fireDate({ type: 'timer', fireDate: '2031-03-30T02:30:00' })).toBe('2031-03-30T01:00:00.000Z');
  });

  it('takes an hour and a minute for the next time that clocks show them', () => {
    expect(fireDate({ type: 'timer', hour: 13, minute: 30 })).toBe('2030-06-03T11:30:00.000Z');
    expect(fireDate({ type: 'timer', hour: 7 })).toBe('2030-06-04T05:00:00.000Z');
    const friday = { type: 'timer', hour: 7, minute: 0, recurrence: { weekday: 6 } };
    expect(fireDate(friday)).toBe('2030-06-07T05:00:00.000Z');
  });

  it('takes a recurrence as an object, as a text of JSON, or by its name', () => {
    const at = { type: 'timer', fireDate: '2030-07-01T08:00:00Z' };
    expect(parsed({ ...at, recurrence: { day: 1 } })).toMatchObject({ recurrence: { day: 1 } });
    expect(parsed({ ...at, recurrence: '{"weekday":2,"hour":7}' })).toMatchObject({
      recurrence: { weekday: 2, hour: 7 },
    });
    expect(parsed({ ...at, recurrenceType: 'daily' })).toMatchObject({ recurrence: { day: 1 } });
    expect(parsed({ ...at, recurrenceType: 'weekly' })).toMatchObject({ recurrence: { day: 7 } });
    expect(parsed({ ...at, recurrenceType: 'once' })).toMatchObject({ recurrence: null });
  });

  it('may have begun in the past only if it recurs', () => {
    expect(parsed({ type: 'timer', fireDate: '2020-01-01T08:00:00Z', recurrenceType: 'daily' })).toBeDefined();
    const late = refusal(() => parsed({ type: 'timer', fireDate: '2020-01-01T08:00:00Z' }));
    expect(late).toMatchObject({ code: 'invalid_value', field: 'trigger.fireDate' });
    expect(late.message).toContain('has passed');
  });
});

describe('an event trigger', () => {
  it('takes a change of a characteristic in every spelling, to any value or to one in any form', () => {
    const spelling = 'public.hap.characteristic.on';
    expect(parsed(event(changed({ characteristicType: spelling })))).toMatchObject({
      events: [{ type: 'characteristic', accessoryId: lamp(), characteristicType: 'power_state' }],
    });
    for (const triggerValue of [true, 'on', 1, 'true']) {
      expect(parsed(event(changed({ triggerValue })))).toMatchObject({ events: [{ triggerValue: true }] });
    }
  });

  it('takes ranges, significant times, moments of the calendar, places and people', () => {
    const temperature = {
      type: 'characteristic',
      accessoryId: thermostat(),
      characteristicType: 'current_temperature',
    };
    const place = { type: 'location', latitude: 52.5, longitude: 13.4, radius: 100 };
    const trigger = parsed({
      type: 'event',
      events: [
        { ...temperature, thresholdMin: 18, thresholdMax: 21.5 },
        { type: 'significantTime', significantEvent: 'sunset', offsetMinutes: -30 },
        { type: 'significantTime', significantEvent: 'sunrise' },
        { type: 'calendar', calendarComponents: '{"hour":7,"minute":30}' },
        { ...place, notifyOnExit: true },
        place,
        { type: 'presence', presenceType: 'customUsers', presenceEvent: 'firstArrival', personIds: [PEOPLE[0]?.id] },
        { type: 'presence', presenceType: 'allUsers', presenceEvent: 'lastDeparture' },
      ],
    });
    expect(trigger).toMatchObject({
      events: [
        { thresholdMin: 18, thresholdMax: 21.5 },
        { significantEvent: 'sunset', offsetMinutes: -30 },
        { significantEvent: 'sunrise', offsetMinutes: 0 },
        { components: { hour: 7, minute: 30 } },
        { notifyOnEntry: false, notifyOnExit: true },
        { notifyOnEntry: true, notifyOnExit: false },
        { who: { presenceType: 'customUsers', personIds: [PEOPLE[0]?.id] } },
        { who: { presenceType: 'allUsers', personIds: [] } },
      ],
    });
  });

  it('takes end events, conditions and days', () => {
    const trigger = parsed({
      ...event(changed({ triggerValue: true })),
      endEvents: [{ type: 'duration', durationSeconds: 300 }],
      conditions: [
        {
          type: 'characteristic',
          accessoryId: lamp(),
          characteristicType: 'brightness',
          operator: 'lessThan',
          value: 40,
        },
        { type: 'characteristic', accessoryId: lamp(), characteristicType: 'on', value: 'off' },
        { type: 'time', afterTime: { hour: 22 }, beforeTime: '06:30' },
        { type: 'significantEvent', afterEvent: 'sunset' },
        { type: 'presence', presenceEvent: 'atHome' },
      ],
      recurrences: '[{"weekday":7},{"weekday":1},{"weekday":7}]',
      executeOnce: true,
    });
    expect(trigger).toMatchObject({
      endEvents: [{ type: 'duration', durationSeconds: 300 }],
      conditions: [
        { operator: 'lessThan', value: 40 },
        { operator: 'equalTo', value: false },
        { after: '22:00', before: '06:30' },
        { after: 'sunset' },
        { who: { presenceType: 'allUsers' } },
      ],
      weekdays: [1, 7],
      executeOnce: true,
    });
  });

  it('fires every day if it names every day', () => {
    const recurrences = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday }));
    expect(parsed({ ...event(changed()), recurrences })).toMatchObject({ weekdays: [] });
  });
});

describe('what is refused names its place', () => {
  const timer = { type: 'timer', fireDate: '2030-07-01T08:00:00Z' };
  const rows: readonly [what: string, trigger: () => unknown, field: string, code: string][] = [
    ['no object', () => 7, 'trigger', 'invalid_value'],
    ['a text that is no JSON', () => '{', 'trigger', 'invalid_value'],
    ['no type', () => ({}), 'trigger.type', 'invalid_request'],
    ['another type', () => ({ type: 'webhook' }), 'trigger.type', 'invalid_value'],
    ['an unknown field', () => ({ ...timer, fired: 1 }), 'trigger.fired', 'invalid_request'],
    ['fields of both types', () => ({ ...timer, events: [changed()] }), 'trigger.events', 'invalid_request'],
    [
      'a fire date for events',
      () => ({ ...event(changed()), fireDate: timer.fireDate }),
      'trigger.fireDate',
      'invalid_request',
    ],
    ['a timer without a time', () => ({ type: 'timer' }), 'trigger.fireDate', 'invalid_request'],
    ['a fire date and an hour', () => ({ ...timer, hour: 7 }), 'trigger.hour', 'invalid_value'],
    [
      'a day that no calendar has',
      () => ({ type: 'timer', fireDate: '2031-02-30T08:00:00Z' }),
      'trigger.fireDate',
      'invalid_value',
    ],
    ['words for a fire date', () => ({ type: 'timer', fireDate: 'tomorrow' }), 'trigger.fireDate', 'invalid_value'],
    [
      'a year beyond all',
      () => ({ type: 'timer', fireDate: '+275760-01-01T00:00:00Z' }),
      'trigger.fireDate',
      'invalid_value',
    ],
    ['an hour that is none', () => ({ type: 'timer', hour: 24 }), 'trigger.hour', 'invalid_value'],
    ['no time zone', () => ({ ...timer, timeZone: 'Mars/Olympus' }), 'trigger.timeZone', 'invalid_value'],
    ['a recurrence of nothing', () => ({ ...timer, recurrence: {} }), 'trigger.recurrence', 'invalid_value'],
    [
      'a recurrence of a second',
      () => ({ ...timer, recurrence: { second: 1 } }),
      'trigger.recurrence.second',
      'invalid_request',
    ],
    [
      'two recurrences',
      () => ({ ...timer, recurrence: { day: 1 }, recurrenceType: 'daily' }),
      'trigger.recurrenceType',
      'invalid_value',
    ],
    [
      'a weekday that is none',
      () => ({ ...timer, recurrence: { weekday: 8 } }),
      'trigger.recurrence.weekday',
      'invalid_value',
    ],
    ['no events', () => ({ type: 'event', events: [] }), 'trigger.events', 'invalid_value'],
    ['events that are no list', () => ({ type: 'event', events: {} }), 'trigger.events', 'invalid_value'],
    ['too many events', () => ({ type: 'event', events: Array(51).fill({}) }), 'trigger.events', 'invalid_value'],
    ['an event of no type', () => event({}), 'trigger.events[0].type', 'invalid_request'],
    ['an event twice', () => ({ type: 'event', events: [changed(), changed()] }), 'trigger.events[1]', 'invalid_value'],
    ['a field of another kind', () => event(changed({ radius: 5 })), 'trigger.events[0].radius', 'invalid_request'],
    [
      'an accessory of nobody',
      () => event(changed({ accessoryId: 'x' })),
      'trigger.events[0].accessoryId',
      'accessory_not_found',
    ],
    [
      'a characteristic that it has not',
      () => event(changed({ characteristicType: 'volume' })),
      'trigger.events[0].characteristicType',
      'characteristic_not_found',
    ],
    [
      'one that only takes',
      () => event(changed({ characteristicType: 'identify' })),
      'trigger.events[0].characteristicType',
      'invalid_value',
    ],
    [
      'a value out of range',
      () => event(changed({ characteristicType: 'brightness', triggerValue: 101 })),
      'trigger.events[0].triggerValue',
      'invalid_value',
    ],
    [
      'a value and a range',
      () => event(changed({ triggerValue: true, thresholdMin: 1 })),
      'trigger.events[0].thresholdMin',
      'invalid_value',
    ],
    [
      'a range of what has no order',
      () => event(changed({ thresholdMax: 1 })),
      'trigger.events[0].thresholdMax',
      'invalid_value',
    ],
    [
      'a range upside down',
      () => event(changed({ characteristicType: 'brightness', thresholdMin: 9, thresholdMax: 8 })),
      'trigger.events[0].thresholdMax',
      'invalid_value',
    ],
    [
      'a duration among events',
      () => event({ type: 'duration', durationSeconds: 60 }),
      'trigger.events[0].type',
      'invalid_value',
    ],
    [
      'an offset of half a minute',
      () => event({ type: 'significantTime', significantEvent: 'sunset', offsetMinutes: 0.5 }),
      'trigger.events[0].offsetMinutes',
      'invalid_value',
    ],
    [
      'an event of the moon',
      () => event({ type: 'significantTime', significantEvent: 'moonrise' }),
      'trigger.events[0].significantEvent',
      'invalid_value',
    ],
    [
      'a 31st of April',
      () => event({ type: 'calendar', calendarComponents: { month: 4, day: 31 } }),
      'trigger.events[0].calendarComponents',
      'invalid_value',
    ],
    [
      'no parts of a date',
      () => event({ type: 'calendar', calendarComponents: {} }),
      'trigger.events[0].calendarComponents',
      'invalid_value',
    ],
    [
      'a place without a radius',
      () => event({ type: 'location', latitude: 1, longitude: 2 }),
      'trigger.events[0].radius',
      'invalid_request',
    ],
    [
      'a place that is never told',
      () => event({ type: 'location', latitude: 1, longitude: 2, radius: 9, notifyOnEntry: false }),
      'trigger.events[0].notifyOnEntry',
      'invalid_value',
    ],
    [
      'nobody in particular',
      () => event({ type: 'presence', presenceType: 'customUsers', presenceEvent: 'atHome' }),
      'trigger.events[0].personIds',
      'invalid_request',
    ],
    [
      'a stranger',
      () => event({ type: 'presence', presenceType: 'customUsers', presenceEvent: 'atHome', personIds: ['x'] }),
      'trigger.events[0].personIds[0]',
      'person_not_found',
    ],
    [
      'an end event that is wrong',
      () => ({ ...event(changed()), endEvents: [{ type: 'duration', durationSeconds: 0 }] }),
      'trigger.endEvents[0].durationSeconds',
      'invalid_value',
    ],
    [
      'a condition that cannot be compared',
      () => ({
        ...event(changed()),
        conditions: [
          { type: 'characteristic', accessoryId: lamp(), characteristicType: 'on', operator: 'lessThan', value: 1 },
        ],
      }),
      'trigger.conditions[0].operator',
      'invalid_value',
    ],
    [
      'a predicate',
      () => ({ ...event(changed()), conditions: [{ type: 'unknown', predicateFormat: 'x' }] }),
      'trigger.conditions[0]',
      'invalid_value',
    ],
    [
      'a time condition of nothing',
      () => ({ ...event(changed()), conditions: [{ type: 'time' }] }),
      'trigger.conditions[0]',
      'invalid_value',
    ],
    [
      'a time that is none',
      () => ({ ...event(changed()), conditions: [{ type: 'time', afterTime: '25:00' }] }),
      'trigger.conditions[0].afterTime',
      'invalid_value',
    ],
    [
      'a day by its date',
      () => ({ ...event(changed()), recurrences: [{ day: 1 }] }),
      'trigger.recurrences[0].day',
      'invalid_request',
    ],
    [
      'a key of the prototype',
      () => JSON.parse('{"type":"timer","__proto__":{"hour":7}}'),
      'trigger.__proto__',
      'invalid_request',
    ],
  ];

  it.each(rows)('%s', (_, trigger, field, code) => {
    const refused = refusal(() => fixture.create(trigger()));
    expect(refused).toMatchObject({ field, code });
    expect(refused.message).toContain(field);
    expect(fixture.programs.size).toBe(0);
  });
});
