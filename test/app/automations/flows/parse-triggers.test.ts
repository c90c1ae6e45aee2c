import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TRIGGER_TYPES } from '../../../../src/app/automations/triggers/index.ts';
import { createFlowFixture, type FlowFixture, faultOf, PERSON_ID, UNKNOWN_ID } from './flow-fixture.ts';

let fixture: FlowFixture;
beforeAll(() => {
  fixture = createFlowFixture();
});
afterAll(() => fixture.close());

type Fields = Readonly<Record<string, unknown>>;

function parse(trigger: Fields): Fields {
  const [parsed] = fixture.parse({ triggers: [trigger] }).definition.triggers;
  return parsed as unknown as Fields;
}

function fault(trigger: Fields) {
  const { code, message, details } = faultOf(() => parse(trigger));
  return { code, message, field: details.field };
}

const WEBHOOK_ID = 'abcdefghijklmnopqrstuv';

/** One or more of each kind: what is sent, and what it becomes. */
const TAKEN: readonly (readonly [string, () => Fields, () => Fields])[] = [
  [
    'a state in any spelling, its value in words',
    () => ({
      type: 'state',
      accessoryId: fixture.id('Thermostat').toUpperCase(),
      characteristicType: 'hvac_mode',
      from: 'off',
      to: 'heat',
      for: { minutes: 5 },
    }),
    () => ({
      type: 'state',
      accessoryId: fixture.id('Thermostat'),
      characteristicType: 'heating_cooling_target',
      from: 0,
      to: 1,
      for: { minutes: 5 },
    }),
  ],
  [
    'a state of a group',
    () => ({ type: 'state', serviceGroupId: fixture.group.id, characteristicType: 'on', to: 'on' }),
    () => ({ type: 'state', serviceGroupId: fixture.group.id, characteristicType: 'power_state', to: true }),
  ],
  [
    'a button',
    () => ({ type: 'state', accessoryId: fixture.id('Button'), characteristicType: 'ProgrammableSwitchEvent', to: 1 }),
    () => ({
      type: 'state',
      accessoryId: fixture.id('Button'),
      characteristicType: 'programmable_switch_event',
      to: 1,
    }),
  ],
  [
    'a numeric state',
    () => ({
      type: 'numeric_state',
      accessoryId: fixture.id('Lamp'),
      characteristicType: 'brightness',
      above: 10,
      below: 20,
    }),
    () => ({
      type: 'numeric_state',
      accessoryId: fixture.id('Lamp'),
      characteristicType: 'brightness',
      above: 10,
      below: 20,
    }),
  ],
  [
    'a time, its weekdays in order',
    () => ({ type: 'time', at: '07:05:00', weekdays: [6, 0, 6] }),
    () => ({ type: 'time', at: '07:05', weekdays: [0, 6] }),
  ],
  [
    'a time pattern, numbers for their texts',
    () => ({ type: 'time_pattern', hours: '*', minutes: '/15', seconds: 30 }),
    () => ({ type: 'time_pattern', hours: '*', minutes: '/15', seconds: '30' }),
  ],
  [
    'the sun, with a negative offset',
    () => ({ type: 'sun', event: 'sunset', offset: { minutes: -30 } }),
    () => ({ type: 'sun', event: 'sunset', offset: { minutes: -30 } }),
  ],
  [
    'a webhook',
    () => ({ type: 'webhook', webhookId: WEBHOOK_ID, allowedMethods: ['post', 'POST', 'get'] }),
    () => ({ type: 'webhook', webhookId: WEBHOOK_ID, allowedMethods: ['POST', 'GET'] }),
  ],
  [
    'an event',
    () => ({ type: 'event', eventType: 'timer.finished', eventData: { name: 'Tea' } }),
    () => ({ type: 'event', eventType: 'timer.finished', eventData: { name: 'Tea' } }),
  ],
  [
    'a button of a notification',
    () => ({ type: 'notification_action', buttonId: 'close', tag: ' garage ' }),
    () => ({ type: 'notification_action', buttonId: 'close', tag: 'garage' }),
  ],
  [
    'a system event',
    () => ({ type: 'system', event: 'relay_connected' }),
    () => ({ type: 'system', event: 'relay_connected' }),
  ],
  [
    'a template, in braces or not',
    () => ({ type: 'template', expression: '{{ 1 + 1 == 2 }}' }),
    () => ({ type: 'template', expression: '1 + 1 == 2' }),
  ],
  [
    'availability',
    () => ({ type: 'device_availability', accessoryId: fixture.id('Lamp'), to: 'unavailable' }),
    () => ({ type: 'device_availability', accessoryId: fixture.id('Lamp'), to: 'unavailable' }),
  ],
  [
    'presence',
    () => ({ type: 'presence', event: 'firstArrival', personIds: [PERSON_ID.toUpperCase()] }),
    () => ({ type: 'presence', event: 'firstArrival', personIds: [PERSON_ID] }),
  ],
  [
    'a location, on entry unless told otherwise',
    () => ({ type: 'location', latitude: 52.5, longitude: 13.4, radius: 200 }),
    () => ({
      type: 'location',
      latitude: 52.5,
      longitude: 13.4,
      radius: 200,
      notifyOnEntry: true,
      notifyOnExit: false,
    }),
  ],
  [
    'a timer, in UTC',
    () => ({ type: 'timer', fireDate: '2026-03-01T08:00:00+01:00', recurrence: { day: 1 }, timeZone: 'Europe/Berlin' }),
    () => ({ type: 'timer', fireDate: '2026-03-01T07:00:00.000Z', recurrence: { day: 1 }, timeZone: 'Europe/Berlin' }),
  ],
  [
    'a calendar',
    () => ({ type: 'calendar', components: { weekday: 1, hour: 7, minute: 30 } }),
    () => ({ type: 'calendar', components: { weekday: 1, hour: 7, minute: 30 } }),
  ],
  // The palette's words (wire-facts §6.3).
  [
    'device_changed with a value',
    () => ({
      type: 'device_changed',
      accessoryId: fixture.id('Motion'),
      characteristicType: 'motion',
      filterMode: 'value',
      to: 1,
      above: 3,
      forHours: 0,
      forMinutes: 2,
    }),
    () => ({
      type: 'state',
      accessoryId: fixture.id('Motion'),
      characteristicType: 'motion_detected',
      to: true,
      for: { hours: 0, minutes: 2 },
    }),
  ],
  [
    'device_changed with a range',
    () => ({
      type: 'device_changed',
      accessoryId: fixture.id('Thermostat'),
      characteristicType: 'current_temp',
      filterMode: 'range',
      above: 18,
      below: 20.5,
    }),
    () => ({
      type: 'numeric_state',
      accessoryId: fixture.id('Thermostat'),
      characteristicType: 'current_temperature',
      above: 18,
      below: 20.5,
    }),
  ],
  [
    'device_changed without a filter',
    () => ({
      type: 'device_changed',
      serviceGroupId: fixture.group.id,
      characteristicType: 'power_state',
      filterMode: 'any',
    }),
    () => ({ type: 'state', serviceGroupId: fixture.group.id, characteristicType: 'power_state' }),
  ],
  [
    'schedule as a time',
    () => ({ type: 'schedule', scheduleMode: 'time', at: '22:30', weekdays: [1], minutes: '/5' }),
    () => ({ type: 'time', at: '22:30', weekdays: [1] }),
  ],
  [
    'schedule as an interval',
    () => ({ type: 'schedule', scheduleMode: 'interval', minutes: '/5' }),
    () => ({ type: 'time_pattern', minutes: '/5' }),
  ],
  [
    'schedule by the sun',
    () => ({ type: 'schedule', scheduleMode: 'sun', event: 'sunrise', offsetMinutes: -15 }),
    () => ({ type: 'sun', event: 'sunrise', offset: { minutes: -15 } }),
  ],
  [
    'error of one automation',
    () => ({ type: 'error', watchAutomationId: UNKNOWN_ID.toUpperCase() }),
    () => ({ type: 'event', eventType: 'automation.error', eventData: { automationId: UNKNOWN_ID } }),
  ],
  ['error of any', () => ({ type: 'error' }), () => ({ type: 'event', eventType: 'automation.error' })],
  [
    'device_offline',
    () => ({ type: 'device_offline', accessoryId: fixture.id('Lamp'), availability: 'online', forSeconds: 30 }),
    () => ({ type: 'device_availability', accessoryId: fixture.id('Lamp'), to: 'available', for: { seconds: 30 } }),
  ],
];

/** What is refused: the invalid field and the sentence. */
const REFUSED: readonly (readonly [string, () => Fields, string, string, RegExp])[] = [
  ['an unknown type', () => ({ type: 'tyme', at: '07:00' }), 'type', 'invalid_value', /did you mean time\?/],
  ['no type', () => ({ at: '07:00' }), 'type', 'invalid_request', /missing/],
  ['a missing field', () => ({ type: 'time' }), 'at', 'invalid_request', /missing/],
  ['an unknown field', () => ({ type: 'time', at: '07:00', weekday: [1] }), 'weekday', 'invalid_request', /weekdays/],
  ['a bad time', () => ({ type: 'time', at: '24:00' }), 'at', 'invalid_value', /24:00/],
  ['a bad weekday', () => ({ type: 'time', at: '7:00', weekdays: [1, 7] }), 'weekdays[1]', 'invalid_value', /Sunday/],
  ['no weekdays', () => ({ type: 'time', at: '07:00', weekdays: [] }), 'weekdays', 'invalid_value', /leave it out/],
  ['a bad pattern', () => ({ type: 'time_pattern', minutes: '/0' }), 'minutes', 'invalid_value', /"\/0"/],
  ['an empty pattern', () => ({ type: 'time_pattern' }), '', 'invalid_value', /give hours, minutes or seconds/],
  [
    'a bad zone',
    () => ({ type: 'timer', fireDate: '2026-03-01T07:00:00Z', timeZone: 'Mars/Olympus' }),
    'timeZone',
    'invalid_value',
    /Europe\/Berlin/,
  ],
  [
    'a day that no calendar has',
    () => ({ type: 'timer', fireDate: '2026-02-30T07:00:00Z' }),
    'fireDate',
    'invalid_value',
    /ISO/,
  ],
  [
    'a time without a zone',
    () => ({ type: 'timer', fireDate: '2026-02-03T07:00:00' }),
    'fireDate',
    'invalid_value',
    /zone/,
  ],
  ['a date of nothing', () => ({ type: 'calendar', components: {} }), 'components', 'invalid_value', /at least one/],
  ['a 32nd', () => ({ type: 'calendar', components: { day: 32 } }), 'components.day', 'invalid_value', /1 to 31/],
  [
    'an accessory that is not there',
    () => ({ type: 'state', accessoryId: UNKNOWN_ID, characteristicType: 'on' }),
    'accessoryId',
    'accessory_not_found',
    /Accessory not found/,
  ],
  [
    "another home's accessory, just the same",
    () => ({ type: 'state', accessoryId: fixture.id('Stove'), characteristicType: 'on' }),
    'accessoryId',
    'accessory_not_found',
    /Accessory not found/,
  ],
  [
    'a group that is not there',
    () => ({ type: 'state', serviceGroupId: UNKNOWN_ID, characteristicType: 'on' }),
    'serviceGroupId',
    'service_group_not_found',
    /Service group not found/,
  ],
  [
    'two targets',
    () => ({
      type: 'state',
      serviceGroupId: fixture.group.id,
      accessoryId: fixture.id('Lamp'),
      characteristicType: 'on',
    }),
    'serviceGroupId',
    'invalid_value',
    /not both/,
  ],
  [
    'a characteristic that it has not',
    () => ({ type: 'state', accessoryId: fixture.id('Lamp'), characteristicType: 'lock_target' }),
    'characteristicType',
    'characteristic_not_found',
    /lock_target/,
  ],
  [
    'a value that it never has',
    () => ({ type: 'state', accessoryId: fixture.id('Thermostat'), characteristicType: 'hvac_mode', to: 'warm' }),
    'to',
    'invalid_value',
    /heat/,
  ],
  [
    'numbers of what has none',
    () => ({ type: 'numeric_state', accessoryId: fixture.id('Lamp'), characteristicType: 'on', above: 0 }),
    'characteristicType',
    'invalid_value',
    /no numbers/,
  ],
  [
    'a range the wrong way round',
    () => ({
      type: 'numeric_state',
      accessoryId: fixture.id('Lamp'),
      characteristicType: 'brightness',
      above: 20,
      below: 10,
    }),
    'below',
    'invalid_value',
    /more than above/,
  ],
  [
    'no bound',
    () => ({ type: 'numeric_state', accessoryId: fixture.id('Lamp'), characteristicType: 'brightness' }),
    'above',
    'invalid_request',
    /missing/,
  ],
  [
    'a negative duration',
    () => ({ type: 'device_availability', accessoryId: fixture.id('Lamp'), to: 'available', for: { minutes: -1 } }),
    'for.minutes',
    'invalid_value',
    /at least 0/,
  ],
  [
    'an unknown unit',
    () => ({ type: 'device_availability', accessoryId: fixture.id('Lamp'), to: 'available', for: { days: 1 } }),
    'for.days',
    'invalid_request',
    /Unknown field/,
  ],
  [
    'an offset of a day',
    () => ({ type: 'sun', event: 'sunset', offset: { hours: 24 } }),
    'offset',
    'invalid_value',
    /12 hours/,
  ],
  ['a short webhook id', () => ({ type: 'webhook', webhookId: 'guessme' }), 'webhookId', 'invalid_value', /22/],
  [
    'an unknown method',
    () => ({ type: 'webhook', allowedMethods: ['DELETE'] }),
    'allowedMethods[0]',
    'invalid_value',
    /GET/,
  ],
  ['a bad expression', () => ({ type: 'template', expression: '1 +' }), 'expression', 'invalid_value', /line 1/],
  [
    'an unknown function',
    () => ({ type: 'template', expression: 'fetch("x")' }),
    'expression',
    'invalid_value',
    /fetch/,
  ],
  [
    'an unknown person',
    () => ({ type: 'presence', event: 'atHome', personIds: [UNKNOWN_ID] }),
    'personIds[0]',
    'person_not_found',
    /Person/,
  ],
  [
    'a place off the earth',
    () => ({ type: 'location', latitude: 91, longitude: 0, radius: 5 }),
    'latitude',
    'invalid_value',
    /90/,
  ],
  ['a duration of its own', () => ({ type: 'duration', seconds: 5 }), 'type', 'invalid_value', /ends a wait/],
  ['a bad id', () => ({ type: 'time', at: '07:00', id: '__proto__' }), 'id', 'invalid_value', /letters/],
  [
    'an id that every object has',
    () => ({ type: 'time', at: '07:00', id: 'constructor' }),
    'id',
    'invalid_value',
    /letters/,
  ],
];

describe('a trigger', () => {
  it.each(TAKEN)('is taken: %s', (_what, sent, kept) => {
    const { id, enabled, ...parsed } = parse(sent());
    expect(parsed).toEqual(kept());
    expect(enabled).toBe(true);
    expect(id).toMatch(/^\w+_1$/);
  });

  it('is tested here in every kind', () => {
    const taken = new Set(TAKEN.map(([, , kept]) => kept().type));
    // Only ends a wait, see parse-actions.test.ts.
    expect([...taken, 'duration'].sort()).toEqual([...TRIGGER_TYPES].sort());
  });

  it.each(REFUSED)('is refused with its path: %s', (_what, sent, field, code, sentence) => {
    const found = fault(sent());
    const path = field === '' ? 'triggers[0]' : `triggers[0].${field}`;
    expect(found).toEqual({ code, field: path, message: expect.stringMatching(sentence) });
    expect(found.message).toContain(path);
  });

  it('gets a webhook id of 128 random bits where it brings none', () => {
    const ids = ['', undefined].map((webhookId) => parse({ type: 'webhook', webhookId }).webhookId);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(new Set(ids).size).toBe(2);
  });

  it('has no webhook that another of the flow has', () => {
    const webhook = { type: 'webhook', webhookId: WEBHOOK_ID };
    const { details } = faultOf(() => fixture.parse({ triggers: [webhook, webhook] }));
    expect(details.field).toBe('triggers[1].webhookId');
  });
});
