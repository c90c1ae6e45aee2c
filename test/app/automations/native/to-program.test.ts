import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toProgram } from '../../../../src/app/automations/native/to-program.ts';
import { createNativeHome, type NativeHome, PEOPLE } from './native-home.ts';

let fixture: NativeHome;

beforeEach(() => {
  fixture = createNativeHome();
});
afterEach(() => fixture.close());

const program = (trigger: unknown) => toProgram(fixture.create(trigger));
const characteristic = (more: object = {}) => ({
  type: 'characteristic',
  accessoryId: fixture.home.named('Thermostat').id,
  characteristicType: 'current_temperature',
  ...more,
});

describe('a native automation as a program', () => {
  it('executes its scene, and firings may overlap', () => {
    const { mode, actions, conditions } = program({ type: 'event', events: [characteristic()] });
    expect(mode).toBe('parallel');
    expect(actions).toMatchObject([{ id: 'actions', type: 'execute_scene', onError: 'stop' }]);
    expect(conditions.conditions).toEqual([]);
  });

  it('has a trigger for each event, whose id is its place', () => {
    const person = PEOPLE[0]?.id;
    const { triggers } = program({
      type: 'event',
      events: [
        characteristic(),
        characteristic({ triggerValue: 20 }),
        { type: 'significantTime', significantEvent: 'sunset', offsetMinutes: -15 },
        { type: 'calendar', calendarComponents: { hour: 7 } },
        { type: 'location', latitude: 1, longitude: 2, radius: 30 },
        { type: 'presence', presenceType: 'customUsers', presenceEvent: 'firstArrival', personIds: [person] },
        { type: 'presence', presenceType: 'allUsers', presenceEvent: 'lastDeparture' },
      ],
    });
    const place = { accessoryId: fixture.home.named('Thermostat').id, characteristicType: 'current_temperature' };
    const base = (index: number) => ({ id: `events[${index}]`, enabled: true });
    expect(triggers).toEqual([
      { ...base(0), type: 'state', ...place },
      { ...base(1), type: 'state', ...place, to: 20 },
      { ...base(2), type: 'sun', event: 'sunset', offset: { minutes: -15 } },
      { ...base(3), type: 'calendar', components: { hour: 7 } },
      { ...base(4), type: 'location', latitude: 1, longitude: 2, radius: 30, notifyOnEntry: true, notifyOnExit: false },
      { ...base(5), type: 'presence', event: 'firstArrival', personIds: [person] },
      { ...base(6), type: 'presence', event: 'lastDeparture' },
    ]);
  });

  it.each([20.5, 0, -3, 1e-300])('counts the ends of a range of %d into it', (end) => {
    const { triggers } = program({ type: 'event', events: [characteristic({ thresholdMin: end, thresholdMax: end })] });
    const [trigger] = triggers;
    if (trigger?.type !== 'numeric_state') throw new Error('It is another kind');
    const { above = Number.NaN, below = Number.NaN } = trigger;
    expect(end > above && end < below).toBe(true);
    // Nothing else fits between: the numbers are adjacent.
    expect(
      [(above + end) / 2, (below + end) / 2].every((middle) => middle === end || middle === above || middle === below),
    ).toBe(true);
  });

  it('has a timer with its recurrence and its zone', () => {
    const timer = {
      type: 'timer',
      fireDate: '2030-01-01T07:00:00.000Z',
      recurrence: { day: 2 },
      timeZone: 'Asia/Tokyo',
    };
    expect(program(timer).triggers).toEqual([{ id: 'fireDate', enabled: true, ...timer }]);
  });

  it('asks its conditions all together, the days among them', () => {
    const ids = PEOPLE.map(({ id }) => id);
    const { conditions } = program({
      type: 'event',
      events: [characteristic()],
      conditions: [
        characteristic({ operator: 'greaterThanOrEqualTo', value: 20 }),
        { type: 'time', afterTime: { hour: 22, minute: 5 } },
        { type: 'significantEvent', beforeEvent: 'sunrise' },
        { type: 'presence', presenceEvent: 'atHome' },
        { type: 'presence', presenceEvent: 'notAtHome' },
        { type: 'presence', presenceEvent: 'atHome', presenceType: 'customUsers', personIds: ids },
      ],
      recurrences: [{ weekday: 1 }, { weekday: 7 }],
    });
    expect(conditions).toEqual({
      operator: 'and',
      conditions: [
        {
          type: 'state',
          accessoryId: fixture.home.named('Thermostat').id,
          characteristicType: 'current_temperature',
          operator: 'at_least',
          value: 20,
        },
        { type: 'time', after: '22:05' },
        { type: 'sun', before: 'sunrise' },
        { type: 'presence', event: 'atHome', who: 'anyone' },
        { type: 'presence', event: 'notAtHome', who: 'everyone' },
        { operator: 'or', conditions: ids.map((id) => ({ type: 'presence', event: 'atHome', who: [id] })) },
        { type: 'time', weekdays: [0, 6] },
      ],
    });
  });

  it('with end events waits for one of them, once at a time, and puts back what was', () => {
    const { mode, actions } = program({
      type: 'event',
      events: [characteristic()],
      endEvents: [{ type: 'calendar', calendarComponents: { hour: 23 } }],
    });
    expect(mode).toBe('single');
    expect(actions).toMatchObject([
      { type: 'execute_scene', onError: 'continue' },
      { type: 'wait_for_trigger', triggers: [{ id: 'endEvents[0]', type: 'calendar' }] },
      { type: 'restore_state', nodeId: 'actions' },
    ]);
  });

  it('with a duration among them restarts it, and acts again, when it is triggered meanwhile', () => {
    const { actions } = program({
      type: 'event',
      events: [characteristic()],
      endEvents: [{ type: 'duration', durationSeconds: 300 }],
    });
    expect(actions[1]).toMatchObject({
      type: 'repeat',
      mode: 'until',
      sequence: [
        { type: 'wait_for_trigger', triggers: [{ type: 'duration', seconds: 300 }, { id: 'events[0]' }] },
        { type: 'choose', choices: [{ actions: [{ type: 'execute_scene' }] }] },
      ],
    });
  });
});
