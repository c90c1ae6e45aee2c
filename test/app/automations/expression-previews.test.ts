/** Expressions evaluated while people write them: what they come to, who may ask, and what hostile ones cost. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RoleSource } from '../../../src/app/access/authorize.ts';
import type { NewExpressionPreview } from '../../../src/contract/expressions.ts';
import type { Input } from '../../../src/contract/parse.ts';
import { type AutomationHome, createAutomationHome } from '../../support/automation-home.ts';
import { plainSwitch } from '../../support/sample-accessories.ts';
import { systemCaller, tokenCaller, userCaller } from '../../support/test-home.ts';

/** By user; each has it in the first home alone. */
const ROLES: Readonly<Record<string, ReturnType<RoleSource['roleOf']>>> = {
  vera: 'view',
  carl: 'control',
  adam: 'admin',
  olga: 'owner',
};

let home: AutomationHome;
let otherHomeId: string;

beforeEach(() => {
  let firstHomeId = '';
  const roles: RoleSource = {
    roleOf: (user, homeId) => (homeId === firstHomeId ? ROLES[user] : undefined),
    homesOf: () => [firstHomeId],
  };
  home = createAutomationHome({ sample: true, roles });
  firstHomeId = home.home.id;
  otherHomeId = home.homes.create(systemCaller, { name: 'Cabin' }).id;
  home.driver.attach(otherHomeId, {
    deviceId: 'AA:BB:00:00:00:77',
    name: 'Cabin Safe',
    setupCode: '031-45-154',
    accessories: [plainSwitch('Safe')],
  });
});
afterEach(() => home.stop());

type PreviewInput = Omit<Input<typeof NewExpressionPreview>, 'homeId'>;

function evaluate(input: PreviewInput, caller = systemCaller, homeId = home.home.id) {
  return home.expressionPreviews.evaluate(caller, homeId, input);
}

describe('a preview', () => {
  it('is the text with the present values in it, or the value itself of an expression', async () => {
    const text = evaluate({ text: 'Light: {{ states("Lamp") ? "on" : "off" }}' });
    expect(text).toEqual({
      value: 'Light: off',
      error: null,
      accessoryIds: [home.named('Lamp').id],
      usesTime: false,
      usesRun: false,
    });
    expect(evaluate({ text: '{{ [1, 2.5] }}' }).value).toEqual([1, 2.5]);
    expect(evaluate({ text: 'states("Lamp")', kind: 'expression' }).value).toBe(false);
    expect(evaluate({ text: '{{ now() > 0 }}', kind: 'expression' })).toMatchObject({ value: true, usesTime: true });
    expect(evaluate({ text: 'No expression' }).value).toBe('No expression');
  });

  it('knows the variables and the trigger that it is given', () => {
    const variables = { level: 41 };
    expect(evaluate({ text: 'level + 1', kind: 'expression', variables })).toMatchObject({ value: 42, usesRun: false });
    const trigger = { to_value: 'open' };
    expect(evaluate({ text: '{{ trigger.to_value }}', trigger })).toMatchObject({ value: 'open', usesRun: false });
  });

  it.each([
    ['the trigger', 'trigger.to_value', true],
    ['the output of an action', 'has(nodes.a)', true],
    ['a loop', 'repeat == null', true],
    ['what it waited for', 'wait == null', true],
    ['a variable that is not given', 'level > 40', false],
  ])('marks what only a run knows: %s', (_, text, hasValue) => {
    const { usesRun, error } = evaluate({ text, kind: 'expression' });
    expect({ usesRun, hasValue: error === null }).toEqual({ usesRun: true, hasValue });
  });

  it('of a faulty expression is the error with its place, in the text and in a template', () => {
    expect(evaluate({ text: 'nope(1)', kind: 'expression' }).error).toMatchObject({ line: 1, column: 1 });
    const { value, error } = evaluate({ text: 'First\nthen {{ 1 + }} and' });
    expect({ value, error }).toEqual({ value: null, error: { message: expect.any(String), line: 2, column: 13 } });
    expect(evaluate({ text: 'open {{ 1 + 1' }).error).toMatchObject({ line: 1, column: 6 });
  });

  it('changes nothing, is kept nowhere, and replaces nothing that automations have compiled', () => {
    const reports: unknown[] = [];
    home.bus.on('state.changed', (event) => reports.push(event));
    evaluate({ text: '{{ states("Lamp") }} {{ now() }}' });
    expect(home.driver.writes).toEqual([]);
    expect(reports).toEqual([]);
    expect(home.flows.list(systemCaller)).toEqual([]);
  });
});

describe('who may ask', () => {
  it.each(Object.keys(ROLES))('%s may, in their home', (user) => {
    expect(evaluate({ text: '{{ states("Lamp") }}' }, userCaller(user)).value).toBe(false);
  });

  it('people who are no members, tokens of another home and unknown homes get the same answer', () => {
    const text = '{{ states("Lamp") }}';
    const refusals = [
      () => evaluate({ text }, userCaller('eve')),
      () => evaluate({ text }, tokenCaller({ [otherHomeId]: 'control' })),
      () => evaluate({ text }, userCaller('olga'), otherHomeId),
      () => evaluate({ text }, userCaller('olga'), 'no such home'),
    ];
    for (const refusal of refusals) expect(refusal).toThrow(expect.objectContaining({ code: 'home_not_found' }));
  });

  it('nothing of another home can be read, by name or by id, also by those who may see both', () => {
    const safe = home.state.accessories().find(({ homeId }) => homeId === otherHomeId);
    expect(safe).toBeDefined();
    for (const reference of [safe?.name, safe?.id, `Cabin/${safe?.name}`]) {
      const preview = evaluate({
        text: `[states("${reference}"), state_attr("${reference}", "id")]`,
        kind: 'expression',
      });
      expect(preview).toMatchObject({ value: [null, null], accessoryIds: [] });
    }
  });
});

describe('a hostile preview ends with an error', () => {
  const long = 'a'.repeat(65_000);
  it.each<[string, PreviewInput]>([
    ['deep brackets', { text: `${'('.repeat(5_000)}1${')'.repeat(5_000)}`, kind: 'expression' }],
    ['deep templates', { text: '{{ '.repeat(600) }],
    ['too many expressions', { text: '{{ 1 }}'.repeat(501) }],
    ['loops in loops', { text: 'range(3000).all(a, range(3000).all(b, true))', kind: 'expression' }],
    ['a text that doubles', { text: '{{ x + x + x }}', variables: { x: long } }],
    ['many long texts', { text: '{{ x }}'.repeat(400), variables: { x: long } }],
    [
      'a pattern, which the language has not',
      { text: 'x.matches("(a+)+$")', kind: 'expression', variables: { x: long } },
    ],
    ['a prototype', { text: '{{ __proto__ }}', variables: JSON.parse('{"__proto__": {"a": 1}}') }],
    ['a constructor', { text: '{{ "".constructor("return 1") }}' }],
  ])('%s', (_, input) => {
    const { value, error } = evaluate(input);
    expect(value).toBeNull();
    expect(error?.message.length).toBeGreaterThan(0);
  });

  it.each<[string, PreviewInput]>([
    ['a text that is too long', { text: 'a'.repeat(16_385) }],
    ['variables that are too long', { text: 'x', variables: { x: long, y: long } }],
    [
      'variables that are nested too deep',
      { text: 'x', variables: JSON.parse(`{"x":${'['.repeat(200)}${']'.repeat(200)}}`) },
    ],
    ['a trigger that is too long', { text: 'x', trigger: { x: long, y: long } }],
    ['an unknown kind', { text: 'x', kind: 'script' as 'text' }],
  ])('or is refused: %s', (_, input) => {
    expect(() => evaluate(input)).toThrow(expect.objectContaining({ code: 'invalid_value' }));
  });
});
