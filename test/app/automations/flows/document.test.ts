import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import type { Flow } from '../../../../src/app/automations/flow.ts';
import { plainSwitch } from '../../../support/sample-accessories.ts';
import { systemCaller } from '../../../support/test-home.ts';
import { createFlowFixture, type FlowFixture, laterFaultOf, PERSON_ID, UNKNOWN_ID } from './flow-fixture.ts';

let fixture: FlowFixture;
beforeEach(() => {
  fixture = createFlowFixture();
});
afterEach(() => fixture.close());

/** Refers to one of everything that has a name. */
function makeFlow(): Flow {
  const script = fixture.save({ name: 'Script' });
  const kettle = fixture.id('Kettle');
  return fixture.save({
    name: 'Tea',
    description: 'Two lines:\n"quoted" — and {{ no template }}',
    triggers: [
      { id: 'on', type: 'state', accessoryId: kettle, characteristicType: 'on', to: true, for: { minutes: 3 } },
      { id: 'come', type: 'presence', event: 'atHome', personIds: [PERSON_ID] },
      { id: 'hook', type: 'webhook' },
    ],
    conditions: { type: 'template', expression: `states("${kettle}", "power_state") == true` },
    actions: [
      { id: 'a', type: 'set_service_group', groupId: fixture.group.id, characteristicType: 'on', value: '{{ false }}' },
      { id: 'b', type: 'execute_scene', sceneId: fixture.scene.id },
      { id: 'c', type: 'call_script', scriptId: script.id, variables: { cups: 2 } },
    ],
    variables: { yes: 'on', time: '07:00', nothing: null },
  });
}

/** What of a flow a copy has too. */
function likeness({ triggers, conditions, actions, variables, description, mode, uiState }: Flow) {
  const kept = { triggers, conditions, actions, variables, description, mode, uiState };
  return JSON.parse(JSON.stringify(kept, (key, value) => (key === 'webhookId' ? 'made anew' : value)));
}

describe('an exported flow', () => {
  it.each(['yaml', 'json'] as const)('is taken in as it was, as %s, under a name with a number', async (format) => {
    const flow = makeFlow();
    const text = await fixture.flows.export(systemCaller, flow.id, format);
    const copy = await fixture.flows.import(systemCaller, fixture.homeId, text);
    expect(copy.id).not.toBe(flow.id);
    expect(copy.name).toBe('Tea 2');
    expect(likeness(copy)).toEqual(likeness(flow));
    expect((await fixture.flows.import(systemCaller, fixture.homeId, text, format)).name).toBe('Tea 3');
    const hooks = fixture.flows
      .list(systemCaller)
      .flatMap(({ triggers }) => triggers.filter(({ type }) => type === 'webhook'));
    expect(new Set(hooks.map((hook) => 'webhookId' in hook && hook.webhookId)).size).toBe(3);
  });

  it.each(['yaml', 'json'] as const)('is taken in though an editor has put a mark before it, as %s', async (format) => {
    const text = await fixture.flows.export(systemCaller, makeFlow().id, format);
    expect((await fixture.flows.import(systemCaller, fixture.homeId, `\uFEFF${text}`)).name).toBe('Tea 2');
  });

  it('is taken in once more though its name is as long as one may be', async () => {
    const { id } = fixture.save({ name: 'x'.repeat(64) });
    const text = await fixture.flows.export(systemCaller, id, 'json');
    expect((await fixture.flows.import(systemCaller, fixture.homeId, text)).name).toBe(`${'x'.repeat(62)} 2`);
  });

  it('names what it refers to as people call it', async () => {
    const document = parseYaml(await fixture.flows.export(systemCaller, makeFlow().id, 'yaml'));
    expect(document).toMatchObject({ hearthd: 'flow/1', name: 'Tea', enabled: true });
    expect(Object.values(document.references)).toEqual(
      expect.arrayContaining([
        { kind: 'accessory', name: 'Kettle', room: 'Default Room' },
        { kind: 'service_group', name: 'Counter' },
        { kind: 'scene', name: 'Movie' },
        { kind: 'flow', name: 'Script' },
        { kind: 'person', name: 'Ada' },
      ]),
    );
    expect(Object.keys(document.references)).toHaveLength(5);
    expect(document.triggers[2]).toEqual({ id: 'hook', type: 'webhook', enabled: true, webhookId: '' });
  });

  it('is taken in even if it is as big as one may be', async () => {
    const nest = (levels: number): readonly unknown[] =>
      levels === 1 ? [] : [{ type: 'choose', choices: [{ conditions: [], actions: nest(levels - 1) }] }];
    const set = {
      type: 'set_device',
      accessoryId: fixture.id('Lamp'),
      characteristicType: 'brightness',
      value: '{{ 40 }}',
    };
    const flow = fixture.save({ actions: [...nest(20), ...Array.from({ length: 481 }, () => set)] });
    const text = await fixture.flows.export(systemCaller, flow.id, 'yaml');
    expect(likeness(await fixture.flows.import(systemCaller, fixture.homeId, text))).toEqual(likeness(flow));
  });

  it('may switch itself off, wherever it is', async () => {
    const { id } = fixture.save({ name: 'Once' });
    fixture.save({ name: 'Once', actions: [{ type: 'toggle_automation', automationId: id, action: 'disable' }] }, id);
    const text = await fixture.flows.export(systemCaller, id, 'yaml');
    const copy = await fixture.flows.import(systemCaller, fixture.otherHome.id, text);
    expect(copy.actions[0]).toMatchObject({ automationId: copy.id });
  });
});

describe('taken in by another home', () => {
  const attach = (deviceId: string, name: string) =>
    fixture.driver.attach(fixture.otherHome.id, {
      deviceId,
      name,
      setupCode: '031-45-161',
      accessories: [plainSwitch(name)],
    });

  it('it acts on what is called the same there, in expressions too', async () => {
    const kettle = fixture.id('Kettle');
    const { id } = fixture.save({
      name: 'Boil',
      conditions: { type: 'template', expression: `states("${kettle}", "power_state") == false` },
      actions: [{ type: 'set_characteristic', accessoryId: kettle, characteristicType: 'on', value: true }],
    });
    const text = await fixture.flows.export(systemCaller, id, 'yaml');
    attach('20:00:00:00:00:02', 'kettle');
    const [there] = fixture.state.accessories(fixture.otherHome.id).filter(({ name }) => name === 'kettle');
    const copy = await fixture.flows.import(systemCaller, fixture.otherHome.id, text);
    expect(copy).toMatchObject({ name: 'Boil', homeId: fixture.otherHome.id, actions: [{ accessoryId: there?.id }] });
    expect(JSON.stringify(copy)).not.toContain(kettle);
  });

  it('it reports everything that is missing there at once, and of two alike takes neither', async () => {
    const text = await fixture.flows.export(systemCaller, makeFlow().id, 'json');
    const rooms = ['Hall', 'Attic'].map((name) =>
      fixture.rooms.create(systemCaller, { homeId: fixture.otherHome.id, name }),
    );
    for (const [index, room] of rooms.entries()) {
      attach(`20:00:00:00:00:1${index}`, `Kettle ${index}`);
      const { id } = fixture.named(`Kettle ${index}`);
      fixture.accessories.update(systemCaller, id, { name: 'Kettle', roomId: room.id });
    }
    const { code, message, details } = await laterFaultOf(() =>
      fixture.flows.import(systemCaller, fixture.otherHome.id, text),
    );
    expect({ code, field: details.field }).toEqual({ code: 'invalid_value', field: 'references' });
    expect(message).toContain('the accessory "Kettle" in "Default Room"');
    expect(message).toContain('the scene "Movie"');
    expect(message).toContain('the person "Ada"');
    expect(fixture.flows.list(systemCaller, fixture.otherHome.id)).toEqual([]);
  });

  it('it finds the one in the room of that name', async () => {
    const text = JSON.stringify({
      hearthd: 'flow/1',
      name: 'Boil',
      actions: [{ type: 'set_device', accessoryId: UNKNOWN_ID, characteristicType: 'on', value: true }],
      references: { [UNKNOWN_ID]: { kind: 'accessory', name: 'Kettle', room: 'attic' } },
    });
    const rooms = ['Hall', 'Attic'].map((name) =>
      fixture.rooms.create(systemCaller, { homeId: fixture.otherHome.id, name }),
    );
    for (const [index, room] of rooms.entries()) {
      attach(`20:00:00:00:00:1${index}`, `Kettle ${index}`);
      fixture.accessories.update(systemCaller, fixture.named(`Kettle ${index}`).id, {
        name: 'Kettle',
        roomId: room.id,
      });
    }
    const { actions } = await fixture.flows.import(systemCaller, fixture.otherHome.id, text);
    const [action] = actions;
    const found = fixture.state.accessory(action?.type === 'set_characteristic' ? action.accessoryId : '');
    expect(fixture.state.room(found?.roomId ?? '')?.name).toBe('Attic');
  });
});

describe('what is no exported flow', () => {
  const bomb = (levels: number) =>
    [
      'hearthd: flow/1',
      'a0: &a0 [x, x, x, x, x, x, x, x, x]',
      ...Array.from({ length: levels }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(', ')}]`),
    ].join('\n');

  it.each<readonly [string, string, string, RegExp]>([
    ['another document', 'name: x', 'invalid_request', /hearthd: flow\/1/],
    ['a later shape', 'hearthd: flow/2', 'invalid_request', /flow\/1/],
    ['a list', '- a', 'invalid_request', /object/],
    ['nothing', '', 'invalid_request', /object/],
    ['broken YAML, with the place', 'hearthd: flow/1\nname: [a, b', 'invalid_request', /line \d+, column \d+/],
    ['broken JSON', '{"hearthd": ', 'invalid_request', /can’t be read/],
    ['a name twice', 'hearthd: flow/1\nname: a\nname: b', 'invalid_request', /unique/i],
    ['a bomb of aliases', bomb(9), 'invalid_request', /alias/],
    ['a list that contains itself', 'a: &a [*a]', 'invalid_request', /it contains itself/],
    ['an object that contains itself', 'a: &a\n  b: { c: *a }', 'invalid_request', /it contains itself/],
    ['brackets without end', `hearthd: ${'['.repeat(20_000)}`, 'invalid_request', /can’t be read/],
    ['more brackets than a stack holds', `hearthd: ${'['.repeat(250_000)}`, 'invalid_request', /nested too deeply/],
    ['brackets hidden in texts', `x: ${'[ "]]]", '.repeat(20_000)}`, 'invalid_request', /nested too deeply/],
    ['dashes without end', '- '.repeat(100_000), 'invalid_request', /nested too deeply/],
    ['stairs', Array.from({ length: 900 }, (_, n) => `${' '.repeat(n)}a:`).join('\n'), 'invalid_request', /nested too/],
    [
      'names without end',
      Array.from({ length: 40_000 }, (_, n) => `k${n}: v`).join('\n'),
      'invalid_request',
      /too long/,
    ],
    ['a text of very many lines', `a: "${'y\n'.repeat(200_000)}"`, 'invalid_request', /too long/],
    [
      'a text repeated often',
      `a: &a ${'x'.repeat(100_000)}\nb: [${Array(99).fill('*a').join()}]`,
      'invalid_request',
      /unfolds/,
    ],
    ['a book', `hearthd: flow/1\nx: ${'y'.repeat(600_000)}`, 'invalid_request', /512 KiB/],
    [
      'a prototype',
      '{"hearthd": "flow/1", "name": "A", "actions": [], "__proto__": {"enabled": false}}',
      'invalid_value',
      /__proto__/,
    ],
    [
      'an unknown field',
      'hearthd: flow/1\nname: A\nactions: []\nmood: good',
      'invalid_request',
      /Unknown field "mood"/,
    ],
    [
      'a fault in it',
      'hearthd: flow/1\nname: A\nactions: [{type: delay}]',
      'invalid_request',
      /actions\[0\]\.duration/,
    ],
    [
      'references to what is no kind',
      'hearthd: flow/1\nreferences: {a: {kind: car, name: b}}',
      'invalid_value',
      /references\.a\.kind/,
    ],
  ])('is refused: %s', async (_what, text, code, sentence) => {
    const error = await laterFaultOf(() => fixture.flows.import(systemCaller, fixture.homeId, text));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(sentence);
    expect(error.message.length).toBeLessThan(500);
  });
});
