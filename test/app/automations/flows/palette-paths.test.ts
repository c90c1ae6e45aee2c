// biome-ignore-all lint/suspicious/noThenProperty: the record's name (wire-facts §6.2) for a list, never awaited
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFlowFixture, type FlowFixture, faultOf, UNKNOWN_ID } from './flow-fixture.ts';

let fixture: FlowFixture;
beforeAll(() => {
  fixture = createFlowFixture();
});
afterAll(() => fixture.close());

const lamp = (more: object) => ({ accessoryId: fixture.id('Lamp'), characteristicType: 'brightness', ...more });

describe('a fault in what was sent in the words of the palette', () => {
  it.each<[string, () => object, string]>([
    ['a gone flow', () => ({ type: 'sub_workflow', automationId: UNKNOWN_ID }), 'automationId'],
    ['no flow', () => ({ type: 'sub_workflow' }), 'automationId'],
    [
      'a gone group',
      () => ({ ...lamp({ value: 1 }), type: 'set_device', accessoryId: null, serviceGroupId: UNKNOWN_ID }),
      'serviceGroupId',
    ],
    ['hours that are none', () => ({ type: 'delay', hours: 'x' }), 'hours'],
    ['too long a time', () => ({ type: 'delay', hours: 20, minutes: 600 }), ''],
    ['a time of the record', () => ({ type: 'delay', duration: { hours: 'x' } }), 'duration.hours'],
    ['a timeout', () => ({ type: 'wait', expression: 'true', timeoutSeconds: -1 }), 'timeoutSeconds'],
    ['a way to merge', () => ({ type: 'merge', mergeMode: 'mix', inputIds: [] }), 'mergeMode'],
    ['an expression', () => ({ type: 'if', expression: '1 +', then: [] }), 'expression'],
    [
      'a row',
      () => ({ type: 'if', rows: [lamp({ value: 1 }), lamp({ accessoryId: UNKNOWN_ID, value: 1 })] }),
      'rows[1].accessoryId',
    ],
    ['a threshold', () => ({ type: 'if', rows: [lamp({ operator: 'above', threshold: 'x' })] }), 'rows[0].threshold'],
    ['the value of a bound', () => ({ type: 'if', rows: [lamp({ operator: 'below', value: 'x' })] }), 'rows[0].value'],
    [
      'a block of the record',
      () => ({ type: 'if', condition: { conditions: [{ type: 'x' }] } }),
      'condition.conditions[0].type',
    ],
    [
      'an action within',
      () => ({ type: 'if', expression: 'true', then: [{ type: 'sub_workflow', automationId: UNKNOWN_ID }] }),
      'then[0].automationId',
    ],
  ])('names the field as it was sent: %s', (_, action, field) => {
    const { message, details } = faultOf(() => fixture.save({ actions: [action()] }));
    expect(details.field).toBe(field === '' ? 'actions[0]' : `actions[0].${field}`);
    expect(message).toContain(details.field);
  });

  it.each<[string, () => object, string]>([
    ['how long', () => ({ ...lamp({}), type: 'device_changed', forMinutes: -1 }), 'forMinutes'],
    [
      'how far off',
      () => ({ type: 'schedule', scheduleMode: 'sun', event: 'sunset', offsetMinutes: 'x' }),
      'offsetMinutes',
    ],
    [
      'which way',
      () => ({ type: 'device_offline', accessoryId: fixture.id('Lamp'), availability: 'maybe' }),
      'availability',
    ],
  ])('names the field of a trigger as it was sent: %s', (_, trigger, field) => {
    const { message, details } = faultOf(() => fixture.save({ triggers: [trigger()] }));
    expect(details.field).toBe(`triggers[0].${field}`);
    expect(message).toContain(details.field);
  });
});
