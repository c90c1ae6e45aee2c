/** Wire-facts §6.2, conditions: each kind lets a run begin or not, as its trace shows. One `it` a sentence. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestClock } from '../support/test-clock.ts';
import { systemCaller } from '../support/test-home.ts';
import { type AutomationClient, BERLIN, openAutomationClient, type SampleName } from './automation-client.ts';

const HOUR = 3_600_000;

let door: AutomationClient;

beforeEach(() => {
  // A Thursday; in Berlin it is one in the afternoon.
  door = openAutomationClient({ clock: new TestClock('2026-01-15T12:00:00Z'), runsPerMinute: 1_000 });
  door.home.homes.update(systemCaller, door.homeId, { timeZone: 'Europe/Berlin', location: BERLIN });
});
afterEach(() => door.close());

const on = (name: SampleName, more: object = {}) => ({ accessoryId: door.id(name), ...more });
const PASSES = { type: 'template', expression: 'true' };
const FAILS = { type: 'template', expression: 'false' };

/** Whether a flow with these conditions acts when it is run. */
async function holds(conditions: unknown, flow: object = {}): Promise<boolean> {
  const { trace } = await door.runOf([{ id: 'act', type: 'variables', variables: { acted: true } }], {
    conditions,
    ...flow,
  });
  return trace.variables.acted === true;
}
const one = (condition: object): Promise<boolean> => holds({ operator: 'and', conditions: [condition] });

describe('a block', () => {
  const block = (operator: string, ...conditions: object[]) => ({ operator, conditions });

  it('of and passes when all do, of or when one does', async () => {
    expect(await holds(block('and', PASSES, PASSES))).toBe(true);
    expect(await holds(block('and', PASSES, FAILS))).toBe(false);
    expect(await holds(block('or', FAILS, PASSES))).toBe(true);
    expect(await holds(block('or', FAILS, FAILS))).toBe(false);
  });

  it('of not passes when all children are false', async () => {
    expect(await holds(block('not', FAILS, FAILS))).toBe(true);
    expect(await holds(block('not', FAILS, PASSES))).toBe(false);
  });

  it('may be nested', async () => {
    expect(await holds(block('and', PASSES, block('or', FAILS, block('not', FAILS))))).toBe(true);
    expect(await holds(block('and', PASSES, block('not', block('or', FAILS, PASSES))))).toBe(false);
  });

  it('that is empty passes', async () => {
    for (const operator of ['and', 'or', 'not']) expect(await holds(block(operator))).toBe(true);
    expect(await holds(undefined)).toBe(true);
  });

  it('that does not pass leaves a trace whose condition step failed and has what was found', async () => {
    const { trace } = await door.runOf([{ type: 'stop' }], { conditions: block('and', FAILS) });
    expect(trace).toMatchObject({ status: 'stopped', blockedReason: null });
    expect(trace.steps.map(({ type, result }: { type: string; result: string }) => `${type} ${result}`)).toEqual([
      'trigger executed',
      'condition failed',
    ]);
  });
});

describe('state', () => {
  it('holds while the characteristic of the accessory has the value', async () => {
    const motion = on('Motion', { type: 'state', characteristicType: 'motion_detected', value: true });
    expect(await one(motion)).toBe(false);
    await door.device('Motion', true);
    expect(await one(motion)).toBe(true);
  });
});

describe('numeric_state', () => {
  const temperature = (more: object) =>
    on('Thermostat', { type: 'numeric_state', characteristicType: 'current_temperature', ...more });

  it('holds above, below, or between both', async () => {
    await door.device('Thermostat', 22);
    expect(await one(temperature({ above: 21 }))).toBe(true);
    expect(await one(temperature({ above: 22 }))).toBe(false);
    expect(await one(temperature({ below: 23 }))).toBe(true);
    expect(await one(temperature({ above: 21, below: 23 }))).toBe(true);
    expect(await one(temperature({ above: 23, below: 25 }))).toBe(false);
  });
});

describe('time', () => {
  const time = (more: object) => one({ type: 'time', ...more });

  it('holds from after until before, by the clock of the home', async () => {
    expect(await time({ after: '13:00' })).toBe(true);
    expect(await time({ after: '13:01' })).toBe(false);
    expect(await time({ before: '13:00' })).toBe(false);
    expect(await time({ after: '12:00', before: '14:00' })).toBe(true);
  });

  it('with before < after spans midnight', async () => {
    const night = { after: '22:00', before: '06:00' };
    expect(await time(night)).toBe(false);
    await door.advance(9.5 * HOUR);
    expect(await time(night)).toBe(true);
    await door.advance(7 * HOUR);
    expect(await time(night)).toBe(true);
    await door.advance(HOUR);
    expect(await time(night)).toBe(false);
  });

  it('with weekdays, 0 = Sunday to 6 = Saturday, on those days only', async () => {
    expect(await time({ weekdays: [4] })).toBe(true);
    expect(await time({ weekdays: [0, 1, 2, 3, 5, 6] })).toBe(false);
  });
});

describe('sun', () => {
  const sun = (more: object) => one({ type: 'sun', ...more });

  it('holds after and before sunrise and sunset', async () => {
    expect(await sun({ after: 'sunrise', before: 'sunset' })).toBe(true);
    expect(await sun({ after: 'sunset' })).toBe(false);
    await door.advance(6 * HOUR);
    expect(await sun({ after: 'sunset' })).toBe(true);
    expect(await sun({ after: 'sunset', before: 'sunrise' })).toBe(true);
  });

  it('with afterOffset and beforeOffset', async () => {
    // Sunset is at 16:23.
    expect(await sun({ after: 'sunset', afterOffset: { hours: -4 } })).toBe(true);
    expect(await sun({ after: 'sunset', afterOffset: { hours: -3 } })).toBe(false);
    expect(await sun({ before: 'sunset', beforeOffset: { hours: -4 } })).toBe(false);
  });
});

describe('template', () => {
  it('holds where the expression is true', async () => {
    expect(await one({ type: 'template', expression: "{{ states('Lamp', 'brightness') >= 50 }}" })).toBe(true);
    expect(await one({ type: 'template', expression: "states('Lamp', 'brightness') > 50" })).toBe(false);
  });
});

describe('trigger', () => {
  it('holds where the trigger of that triggerId fired', async () => {
    const motion = on('Motion', { type: 'state', characteristicType: 'motion_detected' });
    const { id } = await door.save({
      triggers: [
        { ...motion, id: 'came', to: true },
        { ...motion, id: 'went', to: false },
      ],
      conditions: { operator: 'and', conditions: [{ type: 'trigger', triggerId: 'went' }] },
    });
    await door.device('Motion', true);
    expect(await door.runsOf(id)).toBe(0);
    await door.device('Motion', false);
    expect(await door.runsOf(id)).toBe(1);
  });

  it('with an id that no trigger has is refused with the path of the field', async () => {
    const { body } = await door.send({ conditions: [{ type: 'trigger', triggerId: 'nobody' }] });
    expect(body).toMatchObject({ code: 'invalid_value', field: 'conditions[0].triggerId' });
  });
});

describe('what bad conditions get', () => {
  it.each([
    ['an unknown type', { type: 'mood' }, 'type'],
    ['a missing field', { type: 'template' }, 'expression'],
    ['a bad time', { type: 'time', after: '7 o’clock' }, 'after'],
    ['a bad weekday', { type: 'time', weekdays: ['monday'] }, 'weekdays[0]'],
    ['an unknown sun event', { type: 'sun', after: 'noon' }, 'after'],
    ['a bad expression', { type: 'template', expression: 'nope(1)' }, 'expression'],
  ])('%s is refused with the path of its field', async (_, condition, field) => {
    const conditions = { operator: 'and', conditions: [PASSES, { operator: 'or', conditions: [condition] }] };
    const { status, body } = await door.send({ conditions });
    expect([400, 422]).toContain(status);
    expect(body.field).toBe(`conditions.conditions[1].conditions[0].${field}`);
  });

  it('an unknown operator of a block is refused with the path of its field', async () => {
    const { body } = await door.send({ conditions: { operator: 'xor', conditions: [] } });
    expect(body).toMatchObject({ code: 'invalid_value', field: 'conditions.operator' });
  });
});
