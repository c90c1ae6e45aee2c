/**
 * Any arguments that a model or a stranger sends to a tool: an answer in sentences, nothing about the machine, nothing
 * done elsewhere.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOOLS } from '../../../src/api/mcp/tools/index.ts';
import type { Caller } from '../../../src/app/access/caller.ts';
import { slugKey } from '../../../src/home/slug.ts';
import { HearthError } from '../../../src/kernel/errors.ts';
import { systemCaller } from '../../support/test-home.ts';
import { createUser } from '../../support/test-users.ts';
import { createToolFixture, type ToolFixture } from './automations/tool-fixture.ts';

const RUNS_A_TOOL = 40;

let fixture: ToolFixture;
/** An admin of the home who has nothing to do with the cabin. */
let guest: Caller;
beforeAll(async () => {
  fixture = createToolFixture();
  ({ caller: guest } = await createUser(fixture, { role: 'admin' }));
  fixture.flows.save(systemCaller, { homeId: fixture.cabin.id, data: { name: 'Cabin flow', actions: [] } });
  fixture.scenes.create(systemCaller, {
    homeId: fixture.cabin.id,
    name: 'Cabin scene',
    actions: [{ accessoryId: fixture.id('Stove'), characteristicType: 'on', targetValue: true }],
  });
  fixture.virtuals.create(systemCaller, { homeId: fixture.cabin.id, name: 'Cabin mode', type: 'input_boolean' });
});
afterAll(() => fixture.stop());

/** Words that mean something somewhere, so that calls get further than the first check. */
const word = fc.oneof(
  fc
    .constant(null)
    .chain(() =>
      fc.constantFrom(
        fixture.homeId,
        fixture.cabin.id,
        slugKey(fixture.home.name, fixture.homeId),
        slugKey(fixture.cabin.name, fixture.cabin.id),
        slugKey('Lamp', fixture.id('Lamp')),
        slugKey('Stove', fixture.id('Stove')),
        fixture.id('Stove'),
        fixture.scene.id,
      ),
    ),
  fc.constantFrom(
    'My Home',
    'Cabin',
    'Living Room',
    'Lamp',
    'Visits',
    'Stove',
    'Movie',
    'Cabin scene',
    'Cabin flow',
    'Cabin mode',
  ),
  fc.constantFrom(
    'device',
    'numeric',
    'virtual',
    'time',
    'sun',
    'webhook',
    'nest',
    'scene',
    'delay',
    'notify',
    'timer',
    'event',
  ),
  fc.constantFrom(
    'on',
    'brightness',
    'hvac_mode',
    'set',
    'switch',
    'mode',
    '07:00',
    '2030-01-01T00:00:00Z',
    '{{ 1 + 1 }}',
    '{{',
  ),
  fc.constantFrom(
    '__proto__',
    'constructor',
    "'; DROP TABLE flows; --",
    '../../etc/passwd',
    '\u0000',
    '\ud800',
    'x'.repeat(5_000),
  ),
  fc.string({ maxLength: 20 }),
);
const name = fc.oneof(
  fc.constantFrom(
    ...[
      'home',
      'name',
      'id',
      'accessory',
      'accessories',
      'characteristic',
      'characteristics',
      'room',
      'type',
      'value',
      'to',
      'above',
    ],
    ...[
      'triggers',
      'conditions',
      'actions',
      'trigger',
      'events',
      'operator',
      'virtual',
      'operation',
      'scene',
      'seconds',
      'for',
      'on',
    ],
    ...[
      'updates',
      'start',
      'end',
      'hours',
      'max_points',
      'options',
      'min',
      'max',
      'duration',
      '_unsupported',
      '__proto__',
      'service_group',
    ],
  ),
  word,
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'value' },
    word,
    fc.boolean(),
    fc.constant(null),
    fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, -1, 1e308, 2 ** 53)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 6 }).map(toObject),
  ),
}));

/** As JSON brings it: a member named `__proto__` is a member. */
function toObject(entries: readonly (readonly [string, unknown])[]): object {
  const object = {};
  for (const [key, held] of entries)
    Object.defineProperty(object, key, { value: held, enumerable: true, configurable: true });
  return object;
}

/** Arguments of a tool by their names, with any values. */
function argumentsOf(known: readonly string[]): fc.Arbitrary<unknown> {
  const fields = fc.record(Object.fromEntries(known.map((one) => [one, value])), { requiredKeys: [] });
  const placed = fc.record({
    ...Object.fromEntries(known.map((one) => [one, value])),
    home: fc.constantFrom('My Home', 'Cabin'),
  });
  return fc.oneof(
    { arbitrary: fields, weight: 3 },
    { arbitrary: known.includes('home') ? placed : fields, weight: 4 },
    value,
  );
}

/** Nothing of how it is made belongs into an answer: no stack, no file, no statement. */
const MACHINE =
  /\bat .*\(|node_modules|\.ts:\d|\/work\/|\/src\/|SQLITE|SELECT |INSERT |UPDATE .* SET|TypeError|RangeError|undefined is not|Cannot read/;

/** Everything that is in the cabin. */
const cabin = () =>
  JSON.stringify([
    fixture.state.accessories(fixture.cabin.id).map(({ name: own, roomId, services }) => [own, roomId, services]),
    fixture.state.rooms(fixture.cabin.id),
    fixture.flows.list(systemCaller, fixture.cabin.id),
    fixture.automations.list(systemCaller, fixture.cabin.id),
    fixture.scenes.list(systemCaller, fixture.cabin.id),
  ]);

describe.each(TOOLS.map((tool) => [tool.name, tool] as const))('%s', (toolName, tool) => {
  it('answers every input, reveals nothing of the machine and touches no home that is not the caller’s', async () => {
    const before = cabin();
    const property = fc.asyncProperty(argumentsOf(Object.keys(tool.input.shape)), async (input) => {
      for (const caller of [guest, fixture.tokenFor({ [fixture.cabin.id]: 'view' })]) {
        const result = await fixture.ask(toolName, input, caller);
        const [content] = result.content;
        const text = content?.type === 'text' ? content.text : '';
        if (result.isError && result.structuredContent === undefined) {
          expect(JSON.parse(text)).toMatchObject({
            error: expect.any(String),
            code: expect.not.stringMatching('internal'),
          });
        } else {
          tool.output.parse(result.structuredContent);
        }
        // What was sent may come back in quotes; the machine's own words may not.
        if (!MACHINE.test(JSON.stringify(input) ?? '')) expect(text).not.toMatch(MACHINE);
      }
    });
    await fc.assert(property, { numRuns: RUNS_A_TOOL });
    expect(fixture.unexpected.filter((error) => !(error instanceof HearthError))).toEqual([]);
    expect(cabin()).toBe(before);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

describe('create_flow and create_automation', () => {
  const home = () => slugKey(fixture.home.name, fixture.homeId);

  it('take every valid input and refuse the rest with its place, for callers who may make them', async () => {
    const property = fc.asyncProperty(
      fc.array(value, { maxLength: 3 }),
      fc.array(value, { maxLength: 3 }),
      async (a, b) => {
        const trigger = { type: 'event', events: a, conditions: b };
        for (const [toolName, args] of [
          ['create_flow', { home: home(), name: 'Fuzz', triggers: a, conditions: b, actions: [] }],
          ['create_flow', { home: home(), name: 'Fuzz', triggers: [], actions: a }],
          ['create_automation', { home: home(), name: 'Fuzz', trigger, actions: [{ accessory: 'Lamp', on: true }] }],
          ['create_automation', { home: home(), name: 'Fuzz', trigger: { type: 'timer', hour: 7 }, actions: a }],
        ] as const) {
          const result = await fixture.ask(toolName, args);
          const text = JSON.stringify(result.content);
          if (result.isError) expect(text).toMatch(/\\"field\\"/);
          expect(text).not.toMatch(/\\"code\\": \\"internal\\"/);
        }
        for (const { id } of fixture.flows.list(systemCaller, fixture.homeId)) fixture.flows.delete(systemCaller, id);
        for (const { id } of fixture.automations.list(systemCaller, fixture.homeId))
          fixture.automations.delete(systemCaller, id);
      },
    );
    await fc.assert(property, { numRuns: 150 });
  });

  it('stop at what is nested without end, wherever it is', async () => {
    let condition: object = { type: 'template', expression: 'true' };
    let list: unknown = 1;
    for (let level = 0; level < 50_000; level += 1) {
      if (level < 40) condition = { type: 'nest', operator: 'or', conditions: [condition] };
      list = [list];
    }
    const flow = { home: home(), name: 'Deep', triggers: [], actions: [] };
    expect((await fixture.refusal('create_flow', { ...flow, conditions: [condition] })).sentence).toMatch(/20 deep/);
    const part = { type: 'notify', message: 'Hi', data: list };
    for (const field of ['triggers', 'conditions', 'actions']) {
      expect(await fixture.refusal('create_flow', { ...flow, [field]: [part] })).toMatchObject({
        code: 'invalid_value',
        field,
      });
    }
    const native = {
      home: home(),
      name: 'Deep',
      trigger: { type: 'timer', hour: 7 },
      actions: [{ accessory: 'Lamp', on: true }],
    };
    for (const wrong of [{ trigger: { type: 'timer', hour: list } }, { actions: [{ accessory: 'Lamp', on: list }] }]) {
      expect((await fixture.refusal('create_automation', { ...native, ...wrong })).sentence).toMatch(/100 deep/);
    }
  });
});
