/** Any expression with any payload: it ends soon, with a JSON value or one kind of error. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FUNCTIONS } from '../../../../src/app/automations/expressions/functions/index.ts';
import { HearthError } from '../../../../src/kernel/errors.ts';
import type { Json } from '../../../../src/kernel/json.ts';
import { createExpressionHome } from './expression-home.ts';

/** About 10 ms is meant; a machine that is busy with other things takes longer. What would not end takes minutes. */
const LIVENESS_MS = 20_000;

const home = createExpressionHome();

/** A list of a list of … of the same element twice. */
function doubled(expression: string, times: number): string {
  return times === 0 ? expression : doubled(`[${expression}, ${expression}]`, times - 1);
}

function nested(depth: number): Json {
  return JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as Json;
}

const variables = {
  big: Array.from({ length: 6_000 }, (_, index) => index),
  texts: Array.from({ length: 600 }, () => 'a'.repeat(100)),
  long: 'a'.repeat(65_000),
  needle: `b${'a'.repeat(30_000)}`,
  deep: nested(20_000),
  deepToo: nested(20_000),
  wide: Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`key${index}`, index])),
};

/** The value, or the message of the error; within the deadline. */
function outcomeOf(act: () => Json): Json {
  const start = performance.now();
  try {
    return act();
  } catch (error) {
    if (error instanceof HearthError && error.code === 'invalid_value') return error.message;
    throw error;
  } finally {
    expect(performance.now() - start).toBeLessThan(LIVENESS_MS);
  }
}

describe('an evaluation does a bounded amount of work', () => {
  it.each([
    ['loops in loops', 'big.all(a, big.all(b, big.all(c, true)))'],
    ['elements without end', 'range(1e15)'],
    ['many elements', 'range(1e9).exists(i, false)'],
    ['joining a long text many times', 'big.map(i, long).join()'],
    ['texts that double', `${'('.repeat(30)}long${' + long)'.repeat(30)}`],
    ['replacing every letter by a long text', 'replace(long, "a", long)'],
    ['searching for the worst text there is', 'big.map(i, contains(long, needle))'],
    ['searching for short texts that nearly are there', 'big.map(i, contains(long, "aaaab"))'],
    ['splitting again and again', 'big.map(i, long.split("a").size())'],
    ['writing a payload as text again and again', 'big.map(i, str(big)).size()'],
    ['comparing payloads again and again', 'big.filter(i, big == big + [1])'],
    ['asking the calendar again and again', 'big.map(i, today_at("07:00"))'],
    ['looking things up again and again', 'big.map(i, states("Lamp"))'],
    ['looking for a thing by a long name', 'big.map(i, states(long))'],
    ['lists that double', `${doubled('big', 8)}.map(i, str(i))`],
    ['names of fields again and again', 'big.map(i, wide.map(key, key).size())'],
    ['the smallest of many again and again', 'big.map(i, min(big))'],
    ['whether an object is there', 'big.map(i, wide.exists(key, true))'],
    ['texts that are alike', 'big.map(i, long + "x" == long + "x")'],
    ['objects that are compared', 'big.map(i, wide == {a: 1})'],
  ])('%s', (_, expression) => {
    expect(outcomeOf(() => home.evaluate(expression, { variables }))).toMatch(
      /takes too long|(more|longer) than 65536 characters/,
    );
  });

  it('and so does a whole text of templates', () => {
    const text = '{{ big.map(i, i * i).size() }}'.repeat(100);
    expect(outcomeOf(() => home.render(text, { variables }))).toMatch(/takes too long/);
  });

  it('is not nested without end, by itself or by what a payload holds', () => {
    expect(outcomeOf(() => home.evaluate(`${'('.repeat(300)}1${')'.repeat(300)}`))).toMatch(
      /nested more than 100 deep/,
    );
    expect(outcomeOf(() => home.evaluate(`${'-'.repeat(8_000)}1`))).toMatch(/line 1/);
    expect(outcomeOf(() => home.evaluate(`${'not '.repeat(2_000)}true`))).toMatch(/line 1/);
    expect(outcomeOf(() => home.evaluate(`${'!'.repeat(150)}true`))).toMatch(/nested at most 100 deep/);
    expect(outcomeOf(() => home.evaluate('deep == deepToo', { variables }))).toMatch(/nested too deep|takes too long/);
    expect(outcomeOf(() => home.evaluate('deep', { variables }))).toMatch(/nested more than 100 deep/);
    expect(outcomeOf(() => home.evaluate('str(deep)', { variables }))).toMatch(/nested more than 100 deep/);
    expect(outcomeOf(() => home.evaluate('[deep].contains([deepToo])', { variables }))).toMatch(
      /nested too deep|takes too long/,
    );
  });

  it('takes chains and payloads as long as people have', () => {
    expect(home.evaluate(`1${' + 1'.repeat(400)}`)).toBe(401);
    expect(home.evaluate('range(4000).filter(i, i % 1000 == 0).size()')).toBe(4);
    expect(home.evaluate('long.size() + texts.join().size()', { variables })).toBe(125_000);
  });

  it('gives nothing longer than 64 KiB', () => {
    for (const expression of ['[long, long]', '{a: long, b: long}', 'long + long', 'range(20000)']) {
      expect(outcomeOf(() => home.evaluate(expression, { variables }))).toMatch(/65536 characters/);
    }
    expect(outcomeOf(() => home.render(['{{ long }}', '{{ long }}'], { variables }))).toMatch(/65536 characters/);
    expect(outcomeOf(() => home.render('{{ long }} {{ long }}', { variables }))).toMatch(/65536 characters/);
  });

  it('is refused where its text is huge', () => {
    expect(outcomeOf(() => home.evaluate(`"${'a'.repeat(100_000)}"`))).toMatch(/at most 8192 characters/);
    expect(outcomeOf(() => home.evaluate('a'.repeat(10_000_000)))).toMatch(/at most 8192 characters/);
  });
});

describe('nothing but plain values is reached', () => {
  const payload = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{}},"a":{"toString":1}}') as Json;
  const scope = { variables: { payload, text: 'text', list: [1], number: 1 } };

  it.each([
    'payload["__proto__"]',
    'payload["__" + "proto__"]',
    'payload.a["constructor"]',
    'payload.a["hasOwnProperty"]',
    'payload["toString"]',
    '{}["constructor"]',
    'nodes["__proto__"]',
    'nodes["constructor"]',
    'trigger["constructor"]',
    'virtual("constructor")',
    'states("__proto__")',
  ])('%s is nothing', (expression) => {
    expect(home.evaluate(expression, scope)).toBeNull();
  });

  it.each([
    'text.constructor',
    'text["constructor"]',
    'list.length',
    'list["map"]',
    'number.toString',
    'constructor',
    'toString',
    'hasOwnProperty',
    'globalThis',
    'process',
    'text.constructor("return 1")()',
    'list.constructor.constructor("return process")()',
    'constructor("return 1")',
    'payload.__proto__.polluted.x()',
    '{"__proto__": {"x": 1}}',
    'cel.bind(x, 1, x)',
    'dyn(1)',
    'type(1)',
  ])('%s is refused', (expression) => {
    expect(() => home.evaluate(expression, scope)).toThrow(HearthError);
  });

  it('a field of a payload that is called so is a field like any other', () => {
    expect(home.evaluate('payload.constructor.prototype', scope)).toEqual({});
    expect(home.evaluate('has(payload.a.toString)', scope)).toBe(true);
    expect(home.evaluate('has(payload.a.valueOf)', scope)).toBe(false);
  });

  it('and nothing is written: what objects inherit stays as it was', () => {
    home.evaluate('[payload].map(p, {a: p.a, b: p})', scope);
    home.render({ x: '{{ payload }}' }, scope);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

/** Expressions that are mostly well formed: those that are not end in the parser. */
const expressions: fc.Arbitrary<string> = fc.letrec<{ expression: string; leaf: string }>((tie) => ({
  leaf: fc.oneof(
    fc.integer({ min: -5, max: 70_000 }).map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc.constantFrom('true', 'false', 'null', '[]', '{}', '""', '"21.5"', '"Lamp"', '"07:30"', '"brightness"', '"on"'),
    fc.constantFrom('trigger', 'repeat.item', 'wait', 'nodes', 'big', 'texts', 'long', 'deep', 'wide', 'x', 'nothing'),
    fc.string({ maxLength: 8 }).map((text) => JSON.stringify(text)),
  ),
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    fc
      .tuple(
        tie('expression'),
        fc.constantFrom('+', '-', '*', '/', '%', '==', '!=', '<', '>=', 'in', 'and', 'or', '&&', '||'),
        tie('expression'),
      )
      .map((parts) => `(${parts.join(' ')})`),
    fc
      .tuple(fc.constantFrom(...FUNCTIONS.keys(), 'has', 'nothing'), fc.array(tie('expression'), { maxLength: 3 }))
      .map(([name, args]) => `${name}(${args.join(', ')})`),
    fc
      .tuple(
        tie('expression'),
        fc.constantFrom('all', 'exists', 'exists_one', 'map', 'filter'),
        fc.constantFrom('x', 'y'),
        tie('expression'),
      )
      .map(([list, name, item, body]) => `${list}.${name}(${item}, ${body})`),
    fc.tuple(tie('expression'), tie('expression'), tie('expression')).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
    fc.tuple(tie('expression'), tie('expression')).map(([value, key]) => `${value}[${key}]`),
    fc.tuple(tie('expression'), fc.constantFrom('a', 'b', 'constructor')).map(([value, key]) => `${value}.${key}`),
    fc.array(tie('expression'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
    fc.tuple(tie('expression'), tie('expression')).map(([key, value]) => `{${key}: ${value}}`),
    tie('expression').map((value) => `not ${value}`),
    tie('expression').map((value) => `-${value}`),
  ),
})).expression;

const anyText = fc.string({ unit: fc.constantFrom(...'{}[]()"\'\\.,:?!&|=<>+-*/% \nabnotr019_'), maxLength: 40 });

describe('20,000 random expressions', () => {
  const isJson = (value: unknown): void => {
    expect(JSON.parse(JSON.stringify(value))).toEqual(value);
  };

  it('give a value of JSON or an error for people, none of them late', () => {
    fc.assert(
      fc.property(expressions, (expression) => {
        isJson(outcomeOf(() => home.evaluate(expression, { variables: { ...variables, x: 3 } })));
      }),
      { numRuns: 12_000 },
    );
  });

  it('as do texts that are no expressions', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        isJson(outcomeOf(() => home.evaluate(text, { variables: { a: 1, b: [1] } })));
        isJson(outcomeOf(() => home.render(`{{${text}}} {{ ${text}`, { variables: { a: 1, b: [1] } })));
      }),
      { numRuns: 8_000 },
    );
  });

  it('are taken by check if they are evaluated without a fault', () => {
    fc.assert(
      fc.property(expressions, (expression) => {
        const { error } = home.expressions.watch(expression, { ...NO_SCOPE, variables: { ...variables, x: 3 } }, HOME);
        if (error === null) home.expressions.check(expression, 'at');
      }),
      { numRuns: 500 },
    );
  });
});

const HOME = '00000000-0000-4000-8000-0000000000f1';
const NO_SCOPE = { trigger: null, nodes: {}, repeat: null, wait: null };
