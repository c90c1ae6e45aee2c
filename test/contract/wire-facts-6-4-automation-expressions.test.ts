/**
 * Wire-facts §6.4 and decisions §10 on expressions: the grammar, what can be named, every function, as flows that run
 * see them.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemCaller } from '../support/test-home.ts';
import { type AutomationClient, openAutomationClient } from './automation-client.ts';

let door: AutomationClient;

beforeEach(() => {
  door = openAutomationClient({ runsPerMinute: 1_000 });
});
afterEach(() => door.close());

/** What a template comes to in a run. */
async function value(template: string, flow: object = {}): Promise<unknown> {
  const { trace } = await door.runOf([{ type: 'variables', variables: { result: template } }], flow);
  if (trace.status !== 'success') throw new Error(trace.error);
  return trace.variables.result;
}

describe('templates', () => {
  it('are {{ }} in a text', async () => {
    expect(await value('It is {{ 20 + 1 }} °C, or {{ 7 }}.')).toBe('It is 21 °C, or 7.');
  });

  it('a text that is exactly one template keeps the type of its value', async () => {
    expect(await value('{{ 20 + 1 }}')).toBe(21);
    expect(await value('{{ 1 < 2 }}')).toBe(true);
    expect(await value("{{ [1, 'a'] }}")).toEqual([1, 'a']);
    expect(await value('{{ 1 }} ')).toBe('1 ');
  });
});

describe('the grammar', () => {
  it.each([
    ['literals', '\'a\' + "b"', 'ab'],
    ['numbers', '1.5', 1.5],
    ['null', 'null', null],
    ['arrays', '[1, 2, 3]', [1, 2, 3]],
    ['+', '1 + 2', 3],
    ['-', '1 - 2.5', -1.5],
    ['*', '2 * 3', 6],
    ['/', '7 / 2', 3.5],
    ['%', '7 % 4', 3],
    ['<', '1 < 2', true],
    ['<=', '2 <= 2', true],
    ['>', '1 > 2', false],
    ['>=', '1 >= 2', false],
    ['==', "'a' == 'a'", true],
    ['!=', '1 != 2', true],
    ['and', 'true and false', false],
    ['or', 'true or false', true],
    ['not', 'not true', false],
    ['&&', 'true && true', true],
    ['||', 'false || false', false],
    ['!', '!false', true],
    ['the ternary', "1 > 2 ? 'a' : 'b'", 'b'],
    ['index', '[4, 5][1]', 5],
    ['dot', "{'a': {'b': 3}}.a.b", 3],
    ['calls', 'max(1, 2)', 2],
  ])('has %s', async (_, expression, expected) => {
    expect(await value(`{{ ${expression} }}`)).toEqual(expected);
  });

  it('equality is loose: true, 1, "1" and "true" are equal', async () => {
    for (const left of ['true', '1', "'1'", "'true'"]) {
      for (const right of ['true', '1', "'1'", "'true'"]) {
        expect(await value(`{{ ${left} == ${right} }}`), `${left} == ${right}`).toBe(true);
      }
    }
    expect(await value("{{ true == 'false' }}")).toBe(false);
  });

  it('goes 100 deep and no deeper', async () => {
    const nested = (depth: number) =>
      door.send({ actions: [{ type: 'stop', reason: `{{ ${'['.repeat(depth)}1${']'.repeat(depth)} }}` }] });
    expect((await nested(99)).status).toBe(200);
    const { body } = await nested(101);
    expect(body).toMatchObject({ code: 'invalid_value', field: 'actions[0].reason' });
    expect(body.error).toContain('it is nested more than 100 deep');
  });

  it('is no JavaScript: nothing outside the values can be reached', async () => {
    for (const expression of [
      'process',
      'globalThis.process',
      "''.constructor",
      "[].constructor('return 1')()",
      '(() => 1)()',
    ]) {
      const answer = await door.send({
        actions: [{ id: 'x', type: 'variables', variables: { result: `{{ ${expression} }}` } }],
      });
      if (answer.status !== 200) continue;
      const { trace } = await door.run(answer.body.id);
      expect(trace.variables.result ?? null).toBeNull();
    }
  });

  it('a fault is refused on save with its position', async () => {
    const { body } = await door.send({ actions: [{ type: 'notify', message: 'It is {{ 1 + }} now' }] });
    expect(body).toMatchObject({ code: 'invalid_value', field: 'actions[0].message' });
    expect(body.error).toMatch(/line 1, column \d+/);
  });
});

describe('what can be named', () => {
  const result = (expression: string) => ({ type: 'variables', variables: { result: `{{ ${expression} }}` } });
  const lastOf = async (flow: object, cause: () => Promise<void>) => {
    const { id } = await door.save(flow);
    await cause();
    return (await door.traces(id))[0].variables.result;
  };

  it('trigger: id, type, from_value, to_value, accessory_id, characteristic_type, timestamp', async () => {
    const trigger = {
      id: 'moved',
      type: 'state',
      accessoryId: door.id('Motion'),
      characteristicType: 'motion_detected',
    };
    const names = ['id', 'type', 'from_value', 'to_value', 'accessory_id', 'characteristic_type', 'timestamp'];
    const actions = [result(`[${names.map((name) => `trigger.${name}`).join(', ')}]`)];
    expect(await lastOf({ triggers: [trigger], actions }, () => door.device('Motion', true))).toEqual([
      'moved',
      'state',
      false,
      true,
      door.id('Motion'),
      'motion_detected',
      Date.parse('2026-01-15T12:00:00Z') / 1000,
    ]);
  });

  it('trigger: event_type, event_data', async () => {
    const flow = {
      triggers: [{ type: 'event', eventType: 'guests' }],
      actions: [result('[trigger.event_type, trigger.event_data.count]')],
    };
    const fire = [{ type: 'fire_event', eventType: 'guests', eventData: { count: 3 } }];
    expect(await lastOf(flow, async () => void (await door.runOf(fire)))).toEqual(['guests', 3]);
  });

  it('repeat: index, first, last, item', async () => {
    const collect = {
      type: 'variables',
      variables: { result: '{{ result + [[repeat.index, repeat.first, repeat.last, repeat.item]] }}' },
    };
    const repeat = { type: 'repeat', mode: 'for_each', forEachItems: ['a', 'b'], sequence: [collect] };
    const { trace } = await door.runOf([repeat], { variables: { result: [] } });
    expect(trace.variables.result).toEqual([
      [1, true, false, 'a'],
      [2, false, true, 'b'],
    ]);
  });

  it('wait: completed, trigger', async () => {
    const wait = { type: 'wait_for_trigger', triggers: [{ id: 'ring', type: 'event', eventType: 'ring' }] };
    const { id } = await door.save({ actions: [wait, result('[wait.completed, wait.trigger.id]')] });
    await door.run(id);
    await door.runOf([{ type: 'fire_event', eventType: 'ring' }]);
    expect((await door.traces(id))[0].variables.result).toEqual([true, 'ring']);
  });

  it('variables of the flow, those of a run over them', async () => {
    const { id } = await door.save({ variables: { a: 1, b: 1 }, actions: [result('[a, b]')] });
    expect((await door.run(id, { variables: { b: 2 } })).trace.variables.result).toEqual([1, 2]);
  });

  it("nodes['id'].data.*", async () => {
    const { trace } = await door.runOf([
      { id: 'pause', type: 'delay', duration: { seconds: 0 } },
      result("nodes['pause'].data.durationMs"),
    ]);
    await door.advance(1_000);
    expect((await door.trace(trace.id)).variables.result).toBe(0);
  });
});

describe('functions of the home', () => {
  it('states', async () => {
    expect(await value("{{ states('Lamp', 'brightness') }}")).toBe(50);
    expect(await value(`{{ states('${door.id('Lamp')}') }}`)).toBe(false);
  });

  it('is_state', async () => {
    expect(await value("{{ is_state('Front Door', 'lock_current_state', 1) }}")).toBe(true);
    expect(await value("{{ is_state('Lamp', 'on') }}")).toBe(false);
  });

  it('state_attr', async () => {
    expect(await value("{{ state_attr('Lamp', 'room') }}")).toBe('Living Room');
    expect(await value("{{ state_attr('Lamp', 'reachable') }}")).toBe(true);
  });

  it('last_changed', async () => {
    await door.device('Motion', true);
    await door.advance(90_000);
    expect(await value("{{ now() - last_changed('Motion') }}")).toBe(90);
  });

  it('count_changed_within', async () => {
    for (const on of [true, false, true]) await door.device('Motion', on);
    expect(await value("{{ count_changed_within('Motion', 60) }}")).toBe(3);
  });

  it('manual_override', async () => {
    const lamp = { accessoryId: door.id('Lamp'), characteristicType: 'power_state' };
    await door.runOf([{ type: 'set_characteristic', ...lamp, value: true }]);
    expect(await value("{{ manual_override('Lamp', 'power_state') }}")).toBe(false);
    await door.advance(10_000);
    await door.device('Lamp', false);
    expect(await value("{{ manual_override('Lamp', 'power_state') }}")).toBe(true);
  });

  it('virtual', async () => {
    door.home.virtuals.create(systemCaller, { homeId: door.homeId, name: 'Tea', type: 'timer', duration: 180 });
    expect(await value("{{ virtual('Tea', 'duration') }}")).toBe(180);
  });

  it('now and today_at', async () => {
    door.home.homes.update(systemCaller, door.homeId, { timeZone: 'Europe/Berlin' });
    expect(await value('{{ now() }}')).toBe(Date.parse('2026-01-15T12:00:00Z') / 1_000);
    expect(await value("{{ today_at('07:30') }}")).toBe(Date.parse('2026-01-15T06:30:00Z') / 1_000);
  });
});

describe('functions of values', () => {
  it.each([
    ['min(3, 1, 2)', 1],
    ['max([3, 1, 2])', 3],
    ['abs(-2)', 2],
    ['round(2.345, 2)', 2.35],
    ['floor(2.7)', 2],
    ['ceil(2.1)', 3],
    ['sqrt(9)', 3],
    ['log(1)', 0],
    ["int('42')", 42],
    ["float('1.5')", 1.5],
    ['str(12)', '12'],
    ["bool('off')", false],
    ["is_number('12')", true],
    ["len('four')", 4],
    ["upper('a')", 'A'],
    ["lower('A')", 'a'],
    ["trim(' a ')", 'a'],
    ["contains('kitchen', 'itch')", true],
    ["replace('a-b-c', '-', '+')", 'a+b+c'],
    ["join(['a', 'b'], ', ')", 'a, b'],
    ["iif(1 > 2, 'yes', 'no')", 'no'],
    ['range(3)', [0, 1, 2]],
  ])('%s', async (expression, expected) => {
    expect(await value(`{{ ${expression} }}`)).toEqual(expected);
  });
});
