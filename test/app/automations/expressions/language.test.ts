import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../src/kernel/json.ts';
import { createExpressionHome } from './expression-home.ts';

const { evaluate, render, expressions } = createExpressionHome();
const variables = { x: 3, name: 'Anna', list: [1, 2, 'three'], deep: { a: [{ b: 'found' }] } };
const payload = JSON.parse(
  '{"temperature":21.5,"text":"22","__proto__":{"evil":1},"constructor":"a field like any other"}',
) as Json;
const scope = {
  variables,
  trigger: {
    id: 'hook',
    type: 'webhook',
    timestamp: Date.parse('2026-01-15T12:00:00Z') / 1000,
    from_value: false,
    to_value: true,
    webhook_payload: payload,
  },
  repeat: { index: 2, first: false, last: null, item: 'b' },
  wait: { completed: true, trigger: null },
  nodes: { 'http-1': { data: { status: 200, body: { ok: true } } } },
} as const;

/** What each expression gives. */
function gives(table: readonly (readonly [string, Json])[]): void {
  it.each(table)('%s', (expression, value) => {
    expect(evaluate(expression, scope)).toEqual(value);
  });
}

describe('literals', () => {
  gives([
    ['12', 12],
    ['1.5', 1.5],
    ['0xFF', 255],
    ['-3', -3],
    ['"a\\n\\u00e4"', 'a\nä'],
    ["'single'", 'single'],
    ['r"raw\\n"', 'raw\\n'],
    ['true', true],
    ['null', null],
    ['[1, "a", true, null, 1.5]', [1, 'a', true, null, 1.5]],
    ["{'a': 1, 'b': [2]}", { a: 1, b: [2] }],
    ['{a: 1, minutes: x}', { a: 1, minutes: 3 }],
  ]);

  it('are JSON: no bigint ever leaves', () => {
    expect(typeof evaluate('7')).toBe('number');
    expect(() => JSON.stringify(evaluate('[1, {a: 2}, range(3)]'))).not.toThrow();
  });

  it.each(['9007199254740993', '5u', 'b"bytes"', '1e400'])('refuses %s, which JSON can not hold', (literal) => {
    expect(() => expressions.check(literal, 'at')).toThrow();
  });
});

describe('numbers are of one kind, with and without a fraction', () => {
  gives([
    ['1 / 2', 0.5],
    ['7 / 2 * 2', 7],
    ['7 % 2.5', 2],
    ['-5 % 3', -2],
    ['1 + 1.5', 2.5],
    ['x * 1.5', 4.5],
    ['0 * -1', 0],
    ['1 + 2 * 3 - 4', 3],
  ]);

  it.each(['1 / 0', '1 % 0', '1e308 * 10', '-"a"', '1 - "a"', '"5" * 2', 'null + 1', 'true + 1'])(
    '%s has no answer',
    (expression) => {
      expect(() => evaluate(expression)).toThrow(/line 1, column/);
    },
  );
});

describe('equality treats true, 1, "1" and "true" as equal', () => {
  const alike = ['true', '1', '"1"', '"true"'];
  it.each(alike.flatMap((a) => alike.map((b) => [a, b])))('%s == %s', (a, b) => {
    expect(evaluate(`${a} == ${b}`)).toBe(true);
    expect(evaluate(`${a} != ${b}`)).toBe(false);
  });

  gives([
    ['false == 0', true],
    ['false == "0"', true],
    ['false == "false"', true],
    ['true == "on"', true],
    ['"off" == false', true],
    ['true == 2', false],
    ['true == "yes"', false],
    ['false == null', false],
    ['0 == null', false],
    ['null == null', true],
    ['"21.5" == 21.5', true],
    ['"a" == "A"', false],
    ['[1, 2] == ["1", 2.0]', true],
    ['[1, 2] == [1]', false],
    ['{a: 1} == {a: true}', true],
    ['{a: 1} == {b: 1}', false],
    ['[] == {}', false],
    ['1 == "one"', false],
  ]);
});

describe('comparisons', () => {
  gives([
    ['2 < 10', true],
    ['2.5 >= 2.5', true],
    ['"b" > "a"', true],
    ['"10" > 9', true],
    ['trigger.webhook_payload.text > trigger.webhook_payload.temperature', true],
    ['null > 1', false],
    ['null < 1', false],
    ['null <= null', false],
  ]);

  it.each(['[1] < 2', '"a" < 1', 'true < 2', '{} > {}'])('%s has no order', (expression) => {
    expect(() => evaluate(expression)).toThrow(/can't be compared/);
  });
});

describe('and, or, not', () => {
  gives([
    ['true and true', true],
    ['true and false or true', true],
    ['not true or true', true],
    ['not (true or true)', false],
    ['not x == 4', true],
    ['not x == 3 and true', false],
    ['not not true', true],
    ['(not true) == false', true],
    ['not true ? "a" : "b"', 'b'],
    ['[not true, not false]', [false, true]],
    ['true && !false || false', true],
    ['"this or that and not"', 'this or that and not'],
    ["{'and': 1}.and", 1],
    ['1 and "on"', true],
    ['"off" or 0 or null or [] or ""', false],
    ['{} and [0] and "anything"', true],
    ['false and 1 / 0 == 1', false],
    ['true or 1 / 0 == 1', true],
    ['x > 2 ? "more" : 0', 'more'],
    ['iif(x > 2, "more", 1 / 0)', 'more'],
  ]);
});

describe('what a run knows', () => {
  gives([
    ['trigger.id', 'hook'],
    ['trigger.to_value and not trigger.from_value', true],
    ['trigger.webhook_payload.temperature + 0.5', 22],
    ['trigger.webhook_payload["temperature"]', 21.5],
    ['trigger.accessory_id', null],
    ['trigger.event_data.room.name', null],
    ['repeat.index', 2],
    ['repeat.item + "!"', 'b!'],
    ['wait.completed', true],
    ["nodes['http-1'].data.body.ok", true],
    ["nodes['http-2'].data.body.ok", null],
    ['name + " has " + x', 'Anna has 3'],
    ['deep.a[0].b', 'found'],
    ['list[-1]', 'three'],
    ['list[9]', null],
    ['name[0]', 'A'],
    ['has(trigger.webhook_payload.temperature)', true],
    ['has(trigger.webhook_payload.humidity)', false],
    ['2 in list and "three" in list and not 4 in list', true],
    ['"nn" in name', true],
    ['"a" in deep', true],
    ['1 in null', false],
  ]);

  it('names what there is not', () => {
    expect(() => evaluate('brightnes + 1', scope)).toThrow(/there is no variable 'brightnes'/);
  });

  it('lets a variable hide none of the names that are always there', () => {
    expect(evaluate('trigger', { variables: { trigger: 'hidden' } })).toBeNull();
  });

  it.each(['x.y', 'name.first', 'list.first', 'true.a', 'list["a"]', 'name[true]'])(
    '%s asks for a field of something without',
    (expression) => {
      expect(() => evaluate(expression, scope)).toThrow(/has no (field|element)/);
    },
  );
});

describe('loops over lists', () => {
  gives([
    ['list.map(i, i)', [1, 2, 'three']],
    ['[1, 2, 3].map(i, i > 1, i * 10)', [20, 30]],
    ['[1, 2, 3].filter(i, i != 2)', [1, 3]],
    ['[1, 2].exists(i, i == 2)', true],
    ['[1, 2].all(i, i > 1)', false],
    ['[1, 2, 2].exists_one(i, i == 2)', false],
    [
      '[1, 2].map(i, [10, 20].map(j, i * j))',
      [
        [10, 20],
        [20, 40],
      ],
    ],
    ['[1, 2].map(x, [x].map(x, x + 1)[0] + x)', [3, 5]],
    ['{b: 1, a: 2}.map(key, key)', ['b', 'a']],
    ['null.exists(i, true)', false],
  ]);

  it('leave the element behind', () => {
    expect(() => evaluate('[1].map(i, i)[0] + i')).toThrow(/no variable 'i'/);
  });

  it.each(['[1].map(1, 2)', '[1].map(i)', '[1].exists(i, 1, 2)', '[1].map(trigger, 1)', '"text".map(i, i)'])(
    '%s is no loop',
    (expression) => {
      expect(() => evaluate(expression)).toThrow(/line 1, column/);
    },
  );
});

describe('templates in texts', () => {
  it('keep the type of a text that is one template and nothing else', () => {
    expect(render('{{ 1 + 1 }}')).toBe(2);
    expect(render('{{ [1, true, null] }}')).toEqual([1, true, null]);
    expect(render('{{true}}')).toBe(true);
  });

  it('become text among other text', () => {
    expect(render('{{ x }} and {{ x > 1 }}', scope)).toBe('3 and true');
    expect(render(' {{ x }}', scope)).toBe(' 3');
    expect(render('[{{ null }}]')).toBe('[]');
    expect(render('{{ [1, "a"] }}!')).toBe('[1,"a"]!');
    expect(render('{{ 0.1 + 0.2 }} °C')).toBe('0.3 °C');
  });

  it('end at their own braces, not at those of an object or a text', () => {
    expect(render("a {{ {'a': {'b': 1}} }} b")).toBe('a {"a":{"b":1}} b');
    expect(render('{{ "}}" }}{{ \'{{\' }}')).toBe('}}{{');
    expect(render('{{ """say "}}" """ }}.')).toBe('say "}}" .');
  });

  it('are found in lists and objects, and nothing else is touched', () => {
    const value = { a: ['{{ x }}', 'plain', 5, null], b: { 'c {{ x }}': '{{ name }}' } };
    expect(render(value, scope)).toEqual({ a: [3, 'plain', 5, null], b: { 'c {{ x }}': 'Anna' } });
  });

  it('are not made by what they bring in: a payload is never evaluated', () => {
    expect(render('{{ evil }} {{ evil }}', { variables: { evil: '{{ 1 + 1 }}' } })).toBe('{{ 1 + 1 }} {{ 1 + 1 }}');
    expect(render('{{ evil }}', { variables: { evil: '{{ 1 + 1 }}' } })).toBe('{{ 1 + 1 }}');
  });

  it('may be left out around an expression that is one anyway', () => {
    expect(evaluate('{{ x + 1 }}', scope)).toBe(4);
    expect(evaluate('  {{ x + 1 }}\n', scope)).toBe(4);
    expect(evaluate('x + 1', scope)).toBe(4);
  });
});
