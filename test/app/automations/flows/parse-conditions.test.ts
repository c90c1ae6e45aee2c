import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONDITION_TYPES } from '../../../../src/app/automations/conditions/index.ts';
import { createFlowFixture, type FlowFixture, faultOf, PERSON_ID, UNKNOWN_ID } from './flow-fixture.ts';

let fixture: FlowFixture;
beforeAll(() => {
  fixture = createFlowFixture();
});
afterAll(() => fixture.close());

type Fields = Readonly<Record<string, unknown>>;

const TRIGGERS = [{ type: 'time', at: '07:00', id: 'dawn' }];

function parse(conditions: unknown) {
  return fixture.parse({ triggers: TRIGGERS, conditions }).definition.conditions;
}

const TAKEN: readonly (readonly [string, () => Fields, () => Fields])[] = [
  [
    'a state, equal unless told otherwise',
    () => ({ type: 'state', accessoryId: fixture.id('Front Door'), characteristicType: 'locked', value: true }),
    () => ({
      type: 'state',
      accessoryId: fixture.id('Front Door'),
      characteristicType: 'lock_current_state',
      value: 1,
    }),
  ],
  [
    'a state of a group with another comparison',
    () => ({ type: 'state', serviceGroupId: fixture.group.id, characteristicType: 'on', value: 0, operator: 'neq' }),
    () => ({
      type: 'state',
      serviceGroupId: fixture.group.id,
      characteristicType: 'power_state',
      value: false,
      operator: 'neq',
    }),
  ],
  [
    'a number that is at least so much',
    () => ({
      type: 'state',
      accessoryId: fixture.id('Lamp'),
      characteristicType: 'brightness',
      value: '40',
      operator: 'at_least',
    }),
    () => ({
      type: 'state',
      accessoryId: fixture.id('Lamp'),
      characteristicType: 'brightness',
      value: 40,
      operator: 'at_least',
    }),
  ],
  [
    'a numeric state',
    () => ({ type: 'numeric_state', accessoryId: fixture.id('Motion'), characteristicType: 'battery', below: 20 }),
    () => ({
      type: 'numeric_state',
      accessoryId: fixture.id('Motion'),
      characteristicType: 'battery_level',
      below: 20,
    }),
  ],
  [
    'a time across midnight',
    () => ({ type: 'time', after: '22:00', before: '6:30:00', weekdays: [5] }),
    () => ({ type: 'time', after: '22:00', before: '06:30', weekdays: [5] }),
  ],
  [
    'the sun',
    () => ({ type: 'sun', after: 'sunset', afterOffset: { minutes: -20 }, before: 'sunrise' }),
    () => ({ type: 'sun', after: 'sunset', afterOffset: { minutes: -20 }, before: 'sunrise' }),
  ],
  [
    'a template',
    () => ({ type: 'template', expression: '{{ trigger.id == "dawn" }}' }),
    () => ({ type: 'template', expression: 'trigger.id == "dawn"' }),
  ],
  ['a trigger', () => ({ type: 'trigger', triggerId: 'dawn' }), () => ({ type: 'trigger', triggerId: 'dawn' })],
  [
    'presence of anyone',
    () => ({ type: 'presence', event: 'atHome', who: 'anyone' }),
    () => ({ type: 'presence', event: 'atHome', who: 'anyone' }),
  ],
  [
    'presence of some',
    () => ({ type: 'presence', event: 'notAtHome', who: [PERSON_ID.toUpperCase(), PERSON_ID] }),
    () => ({ type: 'presence', event: 'notAtHome', who: [PERSON_ID] }),
  ],
];

const REFUSED: readonly (readonly [string, () => Fields, string, string, RegExp])[] = [
  ['an unknown type', () => ({ type: 'stat' }), 'type', 'invalid_value', /did you mean state\?/],
  [
    'no value',
    () => ({ type: 'state', accessoryId: fixture.id('Lamp'), characteristicType: 'on' }),
    'value',
    'invalid_request',
    /missing/,
  ],
  [
    'a value out of range',
    () => ({ type: 'state', accessoryId: fixture.id('Lamp'), characteristicType: 'brightness', value: 101 }),
    'value',
    'invalid_value',
    /100/,
  ],
  [
    'more than true',
    () => ({
      type: 'state',
      accessoryId: fixture.id('Lamp'),
      characteristicType: 'on',
      value: true,
      operator: 'above',
    }),
    'operator',
    'invalid_value',
    /only numbers/,
  ],
  [
    'the power of a thermostat, which is its mode',
    () => ({ type: 'state', accessoryId: fixture.id('Thermostat'), characteristicType: 'active', value: true }),
    'value',
    'invalid_value',
    /hvac_mode/,
  ],
  [
    "another home's accessory",
    () => ({ type: 'state', accessoryId: fixture.id('Stove'), characteristicType: 'on', value: true }),
    'accessoryId',
    'accessory_not_found',
    /not found/,
  ],
  ['no time', () => ({ type: 'time' }), 'after', 'invalid_request', /missing/],
  ['an empty time', () => ({ type: 'time', after: '07:00', before: '7:00' }), 'before', 'invalid_value', /differ/],
  ['no sun', () => ({ type: 'sun' }), 'after', 'invalid_request', /missing/],
  [
    'an offset of nothing',
    () => ({ type: 'sun', after: 'sunset', beforeOffset: { minutes: 5 } }),
    'before',
    'invalid_request',
    /beforeOffset/,
  ],
  [
    'a trigger that is not there',
    () => ({ type: 'trigger', triggerId: 'dusk' }),
    'triggerId',
    'invalid_value',
    /no trigger/,
  ],
  ['nobody', () => ({ type: 'presence', event: 'atHome', who: [] }), 'who', 'invalid_value', /at least one/],
  [
    'a stranger',
    () => ({ type: 'presence', event: 'atHome', who: [UNKNOWN_ID] }),
    'who[0]',
    'person_not_found',
    /Person/,
  ],
  ['somebody unclear', () => ({ type: 'presence', event: 'atHome', who: 'someone' }), 'who', 'invalid_value', /anyone/],
];

describe('a condition', () => {
  it.each(TAKEN)('is taken: %s', (_what, sent, kept) => {
    expect(parse([sent()])).toEqual({ operator: 'and', conditions: [kept()] });
  });

  it('is tested here in every kind', () => {
    expect([...new Set(TAKEN.map(([, , kept]) => kept().type))].sort()).toEqual([...CONDITION_TYPES].sort());
  });

  it.each(REFUSED)('is refused with its path: %s', (_what, sent, field, code, sentence) => {
    const {
      code: found,
      message,
      details,
    } = faultOf(() => parse({ operator: 'or', conditions: [{ operator: 'not', conditions: [sent()] }] }));
    const path = `conditions.conditions[0].conditions[0].${field}`;
    expect({ found, field: details.field }).toEqual({ found: code, field: path });
    expect(message).toMatch(sentence);
    expect(message).toContain(path);
  });
});

describe('a block of conditions', () => {
  const condition = { type: 'trigger', triggerId: 'dawn' };

  it('is empty where nothing is sent', () => {
    for (const nothing of [undefined, null, []]) expect(parse(nothing)).toEqual({ operator: 'and', conditions: [] });
  });

  it('may be one condition alone', () => {
    expect(parse(condition)).toEqual({ operator: 'and', conditions: [condition] });
  });

  it('may hold other blocks', () => {
    const block = { operator: 'or', conditions: [{ operator: 'not', conditions: [condition] }, condition] };
    expect(parse(block)).toEqual(block);
  });

  it('has one of three operators', () => {
    const { message, details } = faultOf(() => parse({ operator: 'xor', conditions: [] }));
    expect(details.field).toBe('conditions.operator');
    expect(message).toContain('and, or, not');
  });

  it('is nested at most 20 deep', () => {
    const nest = (depth: number): unknown =>
      depth === 0 ? condition : { operator: 'and', conditions: [nest(depth - 1)] };
    expect(() => parse(nest(20))).not.toThrow();
    expect(faultOf(() => parse(nest(21))).message).toContain('20');
  });
});
