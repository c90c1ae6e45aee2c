import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppliedBlueprint } from '../../../../src/contract/blueprints.ts';
import { MAX_BLUEPRINT_BYTES } from '../../../../src/home/vocabulary/limits.ts';
import { HearthError } from '../../../../src/kernel/errors.ts';
import { systemCaller, tokenCaller } from '../../../support/test-home.ts';
import { type BlueprintHome, createBlueprintHome } from './blueprint-home.ts';

let home: BlueprintHome;
beforeEach(() => {
  home = createBlueprintHome();
});
afterEach(() => home.stop());

const READER = {
  hearthd_blueprint: 1,
  name: 'Reader',
  description: '',
  inputs: [{ id: 'lights', name: 'Lights', kind: 'accessory', multiple: true, needs: ['brightness'] }],
  automation: {
    triggers: [],
    actions: [
      {
        $each: 'lights',
        type: 'set_characteristic',
        accessoryId: '$(lights)',
        characteristicType: 'brightness',
        value: 40,
      },
    ],
  },
};

const read = (file: unknown) =>
  home.blueprints.read(systemCaller, {
    homeId: home.home.id,
    file: typeof file === 'string' ? file : JSON.stringify(file),
  });
const preview = (input: Partial<AppliedBlueprint>) =>
  home.blueprints.preview(systemCaller, { homeId: home.home.id, inputs: {}, ...input });
const apply = (input: Partial<AppliedBlueprint>) =>
  home.blueprints.apply(systemCaller, { homeId: home.home.id, inputs: {}, ...input });

/** What an operation throws, as clients see it. */
async function errorOf(act: () => unknown) {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof HearthError)) throw error;
    return { code: error.code, message: error.message, field: error.details.field, reason: error.details.reason };
  }
  throw new Error('It threw nothing');
}

describe('a file', () => {
  it('is read with what the home has for its inputs', () => {
    const { id, missing, choices, blueprint } = read(READER);
    expect(id).toBeNull();
    expect(missing).toEqual([]);
    expect(choices.lights?.toSorted()).toEqual(home.ids('Lamp', 'Stair Lamp').toSorted());
    expect(blueprint).toEqual(READER);
  });

  it('may begin with a byte order mark', () => {
    expect(read(`\uFEFF${JSON.stringify(READER)}`).blueprint.name).toBe('Reader');
  });

  it.each<[string, unknown, Partial<Awaited<ReturnType<typeof errorOf>>>]>([
    ['that is no JSON', 'name: x', { code: 'invalid_request', reason: 'blueprint_not_json', field: 'file' }],
    ['that is something else', { hearthd: 'flow/1', name: 'x' }, { reason: 'no_blueprint', field: 'file' }],
    ['that is a list', [], { reason: 'no_blueprint' }],
    [
      'of a newer version',
      { hearthd_blueprint: 2, name: 'Later', anything: true },
      {
        reason: 'blueprint_newer',
        message: 'It was made by a newer hearthd (version 2); this one reads 1. Update hearthd, then import it again.',
      },
    ],
    ['that is too large', ' '.repeat(MAX_BLUEPRINT_BYTES + 1), { reason: 'blueprint_too_large' }],
    ['of another version', { ...READER, hearthd_blueprint: '1' }, { field: 'hearthd_blueprint' }],
    ['with an unknown field', { ...READER, author: 'x' }, { message: 'Unknown field "author".', field: 'author' }],
    ['without a name', { ...READER, name: undefined }, { field: 'name' }],
    ['without an automation', { ...READER, automation: undefined }, { field: 'automation' }],
    [
      'with an unknown property',
      { ...READER, inputs: [{ ...READER.inputs[0], needs: ['brightnes'] }] },
      {
        field: 'inputs[0].needs[0]',
        message: 'inputs[0].needs[0]: this hearthd knows no property "brightnes"',
      },
    ],
    [
      'with an unknown kind',
      { ...READER, inputs: [{ id: 'a', name: 'A', kind: 'color' }] },
      { field: 'inputs[0].kind' },
    ],
    ['with a wrong id', { ...READER, inputs: [{ id: 'A b', name: 'A', kind: 'text' }] }, { field: 'inputs[0].id' }],
    ['with an id twice', { ...READER, inputs: [...READER.inputs, ...READER.inputs] }, { field: 'inputs[1].id' }],
    [
      'with several numbers in one input',
      { ...READER, inputs: [...READER.inputs, { id: 'n', name: 'N', kind: 'number', multiple: true }] },
      { field: 'inputs[1].multiple' },
    ],
    [
      'with an empty range',
      { ...READER, inputs: [...READER.inputs, { id: 'n', name: 'N', kind: 'number', min: 2, max: 1 }] },
      { field: 'inputs[1].max' },
    ],
    [
      'that refers to an input that it has not',
      { ...READER, automation: { actions: [{ type: 'notify', message: 'Is $(text) on?' }] } },
      {
        field: 'automation.actions[0].message',
        message: 'automation.actions[0].message: there is no input "text"',
      },
    ],
    [
      'that refers to a part that inputs have not',
      { ...READER, automation: { actions: [{ type: 'notify', message: '$(lights.color)' }] } },
      { field: 'automation.actions[0].message' },
    ],
    [
      'that repeats for an input that is not several',
      {
        ...READER,
        inputs: [{ id: 'lights', name: 'Lights', kind: 'accessory' }],
      },
      { field: 'automation.actions[0].$each' },
    ],
    [
      'with an unknown marker',
      { ...READER, automation: { actions: [{ $for: 'lights', type: 'stop' }] } },
      { field: 'automation.actions[0].$for' },
    ],
    [
      'with a marker where nothing repeats',
      { ...READER, automation: { $if: 'lights', actions: [] } },
      { field: 'automation.$if' },
    ],
    [
      'that looks for a property of nothing',
      { ...READER, automation: { actions: [{ $has: 'brightness', type: 'stop' }] } },
      { field: 'automation.actions[0].$has' },
    ],
  ])('%s is refused with a sentence', async (_, file, expected) => {
    const error = await errorOf(() => read(file));
    expect(error).toMatchObject(expected);
    expect(home.flows.list(systemCaller)).toEqual([]);
  });

  it.each([1_000, 8_000, 60_000])('with %i levels is refused', async (levels) => {
    const deep = `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const file = JSON.stringify({ ...READER, automation: { actions: 0 } }).replace('"actions":0', `"actions":${deep}`);
    const error = await errorOf(() => read(file));
    expect(error.code).toMatch(/^invalid_/);
  });

  it('with any JSON as its automation is read or refused, and never more', async () => {
    for (const automation of [{}, { actions: null }, { actions: [[['$(lights)']]] }, { a: { b: ['$$(x)'] } }]) {
      expect(read({ ...READER, automation }).blueprint.automation).toEqual(automation);
    }
  });
});

describe('the inputs', () => {
  const lights = () => ({ lights: home.ids('Lamp', 'Stair Lamp') });

  it('become an automation, in words beforehand', async () => {
    const shown = await preview({ blueprint: READER, inputs: lights() });
    expect(shown.actions.map(({ summary }) => summary)).toEqual([
      'Set brightness of Lamp to 40',
      'Set brightness of Stair Lamp to 40',
    ]);
    expect(home.flows.list(systemCaller)).toEqual([]);
    const flow = await apply({ blueprint: READER, inputs: lights() });
    expect(flow).toMatchObject({ name: 'Reader', enabled: true, blueprintId: 'Reader' });
    expect((await apply({ blueprint: READER, inputs: lights() })).name).toBe('Reader 2');
    expect((await apply({ blueprint: READER, inputs: lights(), name: 'Mine' })).name).toBe('Mine');
  });

  it('take one value for several, and each once', async () => {
    const one = await preview({ blueprint: READER, inputs: { lights: home.idOf('Lamp') } });
    const twice = await preview({ blueprint: READER, inputs: { lights: home.ids('Lamp', 'Lamp') } });
    expect([one, twice].map(({ actions }) => actions.length)).toEqual([1, 1]);
  });

  it.each<[string, Record<string, unknown>, object]>([
    [
      'missing',
      {},
      {
        code: 'invalid_request',
        reason: 'blueprint_input_missing',
        field: 'inputs.lights',
        message: '“Lights” is missing: choose accessories.',
      },
    ],
    ['an empty list', { lights: [] }, { reason: 'blueprint_input_missing', field: 'inputs.lights' }],
    ['unknown', { lamps: [] }, { code: 'invalid_request', field: 'inputs.lamps' }],
    ['no list of texts', { lights: [1] }, { code: 'invalid_value', field: 'inputs.lights[0]' }],
    ['of no accessory', { lights: ['x'] }, { reason: 'blueprint_input_unfit', field: 'inputs.lights[0]' }],
  ])('are refused if they are %s', async (_, inputs, expected) => {
    expect(await errorOf(() => apply({ blueprint: READER, inputs }))).toMatchObject(expected);
  });

  it('are refused if an accessory is of the wrong kind', async () => {
    expect(await errorOf(() => apply({ blueprint: READER, inputs: { lights: home.ids('Lamp', 'Motion') } }))).toEqual({
      code: 'invalid_value',
      reason: 'blueprint_input_unfit',
      field: 'inputs.lights[1]',
      message: 'inputs.lights[1]: Motion has no brightness. Choose another accessory.',
    });
    const typed = { ...READER, inputs: [{ ...READER.inputs[0], types: ['blind'] }] };
    expect(await errorOf(() => apply({ blueprint: typed, inputs: lights() }))).toMatchObject({
      message: 'inputs.lights[0]: Lamp is not of the type blind. Choose another accessory.',
    });
  });

  it.each<[string, object, unknown, string]>([
    ['number', { min: 1, max: 5 }, 6, 'inputs.x: it must be a number from 1 to 5'],
    ['number', {}, '6', 'inputs.x: it must be a number'],
    ['time', {}, '25:00', ''],
    ['duration', {}, { minutes: -1 }, 'inputs.x.minutes: it must be a number of at least 0'],
    ['weekdays', {}, [7], 'inputs.x[0]: it must be a number from 0 (Sunday) to 6 (Saturday)'],
    ['text', {}, 5, 'inputs.x: it must be a text'],
    ['flag', {}, 'yes', 'inputs.x: it must be true or false'],
    ['scene', {}, 'x', 'inputs.x: the home has no such thing: choose a scene.'],
    ['person', { multiple: true }, ['x'], 'inputs.x[0]: the home has no such thing: choose a person.'],
  ])('are refused if a %s with %j is %j', async (kind, more, value, message) => {
    const inputs = [{ id: 'x', name: 'X', kind, ...more }];
    const error = await errorOf(() =>
      apply({ blueprint: { ...READER, inputs, automation: { actions: [] } }, inputs: { x: value } }),
    );
    expect(error.code).toBe('invalid_value');
    expect(error.field).toMatch(/^inputs\.x/);
    if (message !== '') expect(error.message).toBe(message);
  });

  it('fill texts, whole values and parts, and leave out what is not given', async () => {
    const blueprint = {
      ...READER,
      inputs: [
        { id: 'text', name: 'Text', kind: 'text', optional: true },
        { id: 'wait', name: 'Wait', kind: 'duration', default: { minutes: 2 } },
        { id: 'loud', name: 'Loud', kind: 'flag' },
        { id: 'days', name: 'Days', kind: 'weekdays', optional: true },
      ],
      automation: {
        triggers: [{ type: 'time', at: '07:00', weekdays: '$(days)' }],
        actions: [
          { type: 'delay', duration: '$(wait)' },
          { $if: 'loud', type: 'notify', message: 'Loud' },
          { $unless: 'loud', type: 'notify', message: 'Quiet for $(wait.seconds) s, $$(wait), "$(text)"' },
        ],
      },
    };
    const { automation } = await preview({ blueprint });
    expect(automation).toMatchObject({
      triggers: [{ type: 'time', at: '07:00' }],
      actions: [
        { type: 'delay', duration: { minutes: 2 } },
        { type: 'notify', message: 'Quiet for 120 s, $(wait), ""' },
      ],
    });
    const loud = await preview({ blueprint, inputs: { loud: true, days: [6, 0] } });
    expect(loud.automation).toMatchObject({
      triggers: [{ weekdays: [0, 6] }],
      actions: [{ type: 'delay' }, { message: 'Loud' }],
    });
  });

  it('cannot make an automation without bounds, by inputs within inputs or in texts', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n'];
    const inputs = ids.map((id) => ({ id, name: id, kind: 'accessory', multiple: true, needs: ['brightness'] }));
    const nested = ids.reduce<object>((inner, id) => ({ $each: id, type: 'stop', list: [inner] }), {
      type: 'stop',
    });
    const values = Object.fromEntries(ids.map((id) => [id, home.ids('Lamp', 'Stair Lamp')]));
    const tooLarge = { code: 'invalid_value', message: 'With these inputs, the automation would be too large.' };
    const grown = { ...READER, inputs, automation: { actions: [nested] } };
    expect(await errorOf(() => preview({ blueprint: grown, inputs: values }))).toMatchObject(tooLarge);
    const text = { ...READER, automation: { actions: [{ type: 'notify', message: 'x$(lights)'.repeat(20_000) }] } };
    expect(await errorOf(() => preview({ blueprint: text, inputs: lights() }))).toMatchObject(tooLarge);
    const long = { id: 'long', name: 'Long', kind: 'text', default: 'x'.repeat(16_000) };
    const whole = { ...READER, inputs: [long], automation: { actions: Array(100).fill('$(long)') } };
    expect(await errorOf(() => preview({ blueprint: whole, inputs: {} }))).toMatchObject(tooLarge);
  });

  it('cannot make an automation that the home refuses', async () => {
    const broken = { ...READER, automation: { ...READER.automation, triggers: [{ type: 'moon' }] } };
    expect(await errorOf(() => apply({ blueprint: broken, inputs: lights() }))).toMatchObject({
      code: 'invalid_value',
      field: 'triggers[0].type',
    });
  });

  it('belong to one blueprint', async () => {
    const expected = { code: 'invalid_request', field: 'blueprintId' };
    expect(await errorOf(() => apply({}))).toMatchObject(expected);
    expect(await errorOf(() => apply({ blueprintId: 'leak', blueprint: READER }))).toMatchObject(expected);
    expect(await errorOf(() => apply({ blueprintId: 'no_such' }))).toMatchObject({ code: 'not_found' });
  });

  it('speak the language that is asked for', async () => {
    const { name, automation } = await preview({
      blueprintId: 'water_leak',
      language: 'de',
      inputs: { sensors: home.ids('Sink Sensor') },
    });
    expect(name).toBe('Wasser läuft aus');
    expect(automation).toMatchObject({ actions: [{ type: 'notify', title: 'Wasser!' }] });
  });
});

describe('an automation as a blueprint', () => {
  const setLamp = (value: unknown = true) => ({
    type: 'set_characteristic',
    accessoryId: home.idOf('Lamp'),
    characteristicType: 'power_state',
    value,
  });
  const exported = (data: Record<string, unknown>, options = {}) =>
    home.blueprints.export(systemCaller, home.saveFlow(data).id, options);

  it('has an input for each accessory, with what it needs of it, and makes the same automation again', async () => {
    const flow = home.saveFlow({
      name: 'Evening light',
      mode: 'restart',
      triggers: [
        { type: 'state', accessoryId: home.idOf('Motion'), characteristicType: 'motion_detected', to: true },
        { type: 'time', at: '20:00', weekdays: [1, 2] },
      ],
      conditions: [{ type: 'state', accessoryId: home.idOf('Lamp'), characteristicType: 'brightness', value: 50 }],
      actions: [setLamp(), { type: 'delay', duration: { minutes: 3 } }, setLamp(false)],
    });
    const blueprint = home.blueprints.export(systemCaller, flow.id);
    expect(blueprint).toMatchObject({
      hearthd_blueprint: 1,
      name: 'Evening light',
      inputs: [
        { id: 'motion', name: 'Motion sensor', kind: 'accessory', needs: ['motion_detected'] },
        { id: 'light', name: 'Light', kind: 'accessory', needs: ['brightness', 'power_state'] },
      ],
    });
    const inputs = { motion: home.idOf('Motion'), light: home.idOf('Lamp') };
    const { triggers, conditions, actions, mode } = await apply({ blueprint: read(blueprint).blueprint, inputs });
    expect({ triggers, conditions, actions, mode }).toEqual({
      triggers: flow.triggers,
      conditions: flow.conditions,
      actions: flow.actions,
      mode: 'restart',
    });
    const other = await apply({ blueprint, inputs: { ...inputs, light: home.idOf('Stair Lamp') } });
    expect(other.actions[0]).toMatchObject({ accessoryId: home.idOf('Stair Lamp') });
  });

  it('names its inputs in the language, and as the caller names it', () => {
    const { name, description, inputs } = exported(
      { actions: [setLamp()] },
      { name: 'Abendlicht', description: 'Es wird hell.', language: 'de' },
    );
    expect([name, description, inputs[0]?.name]).toEqual(['Abendlicht', 'Es wird hell.', 'Licht']);
  });

  it('takes no id, no name and no secret of the home with it', () => {
    const anna = home.person('Anna Secretname');
    const scene = home.scenes.create(systemCaller, {
      homeId: home.home.id,
      name: 'Film Secretname',
      actions: [{ accessoryId: home.idOf('Fairy Lights'), characteristicType: 'on', targetValue: true }],
    });
    home.accessories.update(systemCaller, home.idOf('Lamp'), { name: 'Secretname Lamp' });
    const lampId = home.idOf('Secretname Lamp');
    const gone = '11111111-2222-4333-8444-555555555555';
    const flow = home.saveFlow({
      name: 'Rich',
      description: 'For Anna Secretname',
      variables: { token: 'Secretname-token', lamps: [lampId], deep: { key: 'Secretname-key', n: 4 } },
      triggers: [
        { type: 'webhook' },
        { type: 'presence', event: 'atHome', personIds: [anna] },
        { type: 'location', latitude: 52.123, longitude: 13.456, radius: 100, personIds: [anna] },
        { id: 'secretname_lamp', type: 'state', accessoryId: lampId, characteristicType: 'power_state', to: true },
      ],
      conditions: [
        { type: 'presence', event: 'atHome', who: [anna] },
        {
          type: 'template',
          expression: `is_state("Secretname Lamp", true) && states('${lampId}') != "Anna Secretname"`,
        },
        { type: 'trigger', triggerId: 'secretname_lamp' },
      ],
      actions: [
        { type: 'execute_scene', sceneId: scene.id, alias: 'Film Secretname' },
        { type: 'notify', title: 'Anna Secretname', message: 'Secretname Lamp is {{ states("Secretname Lamp") }}' },
        { type: 'notify', message: 'Hello', data: { url: 'https://ntfy.example/secretname-topic' } },
        {
          type: 'fire_webhook',
          url: 'https://ntfy.example/secretname-topic?auth=1',
          headers: { Authorization: 'Bearer secretname' },
          body: { chat: 'secretname', n: 1 },
        },
        { type: 'fire_event', eventType: 'secretname_lamp_on', eventData: { who: 'Anna Secretname' } },
        { type: 'variables', variables: { x: `{{ '${gone}' }}` } },
      ],
    });
    const text = JSON.stringify(home.blueprints.export(systemCaller, flow.id));
    const webhook = flow.triggers[0] as { webhookId?: string };
    expect(webhook.webhookId).toMatch(/^[\w-]{22}$/);
    for (const secret of ['secretname', '52.123', '13.456', webhook.webhookId as string, 'ntfy.example', 'Bearer']) {
      expect(text.toLowerCase()).not.toContain(secret.toLowerCase());
    }
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}/);
    const { inputs } = read(text).blueprint;
    expect(inputs.filter(({ kind }) => kind === 'text').every(({ default: value }) => value !== 'Anna')).toBe(true);
    expect(new Set(inputs.map(({ kind }) => kind))).toEqual(
      new Set(['accessory', 'person', 'scene', 'text', 'number']),
    );
  });

  it('has no name, address or id in what people named, and expressions follow', async () => {
    const lamp = home.idOf('Lamp');
    const flow = home.saveFlow({
      variables: { lamp_level: 40, deep: { 'Stair Lamp': { [lamp]: 1 } }, level: 2 },
      conditions: [{ type: 'template', expression: 'lamp_level > level && deep["Stair Lamp"] != null' }],
      actions: [
        { type: 'fire_event', eventType: 'evening', eventData: { 'me@lamp.example': '{{ lamp_level }}', n: 1 } },
        {
          type: 'fire_webhook',
          url: 'https://example.com',
          headers: { 'X-Lamp': 'a', Accept: 'b' },
          body: { lamp: 1 },
        },
      ],
    });
    const blueprint = home.blueprints.export(systemCaller, flow.id);
    const text = JSON.stringify(blueprint.automation).toLowerCase();
    expect(text).not.toContain('lamp');
    expect(text).not.toContain(lamp.slice(0, 8));
    const texts = Object.fromEntries(
      blueprint.inputs.flatMap(({ id, kind }) => (kind === 'text' ? [[id, 'https://example.org']] : [])),
    );
    const { variables, conditions, actions } = await apply({ blueprint, inputs: texts });
    const [level = '', ,] = Object.keys(variables);
    expect(level).toMatch(/^key_\d+$/);
    expect(variables).toMatchObject({ [level]: 40, level: 2 });
    expect(JSON.stringify(conditions)).toContain(`${level} > level && deep[`);
    expect(JSON.stringify(actions[0])).toContain(`{{ ${level} }}`);
    expect(actions[1]).toMatchObject({ headers: { Accept: 'https://example.org' } });
  });

  it('keeps a message that names nothing of the home as the default', () => {
    const { inputs, automation } = exported({ actions: [{ type: 'notify', message: 'Time for bed' }] });
    expect(inputs).toEqual([{ id: 'message', name: 'Message', kind: 'text', default: 'Time for bed' }]);
    expect(automation).toMatchObject({ actions: [{ type: 'notify', message: '$(message)' }] });
  });

  it('has no names of the home in the ids of buttons, which stay the same in triggers', () => {
    const answer = { type: 'notification_action', buttonId: 'lamp_off', tag: 'lamp' };
    const { automation } = exported({
      triggers: [{ type: 'notification_action', buttonId: 'lamp_on' }],
      actions: [
        { type: 'notify', message: 'Dark?', tag: 'lamp', buttons: [{ id: 'lamp_off', title: 'Lamp off' }] },
        { type: 'wait_for_trigger', triggers: [answer] },
      ],
    });
    expect(JSON.stringify(automation)).not.toContain('lamp');
    const { id } = (automation as { actions: [{ buttons: [{ id: string }] }] }).actions[0].buttons[0];
    expect(automation).toMatchObject({ actions: [{}, { triggers: [{ buttonId: id }] }] });
  });

  it('keeps texts that look like references', async () => {
    const flow = home.saveFlow({ variables: {}, actions: [{ type: 'stop', reason: 'It costs $(5)' }] });
    const blueprint = home.blueprints.export(systemCaller, flow.id);
    const { actions } = await apply({ blueprint });
    expect(actions).toEqual(flow.actions);
  });

  it('is made of a simple one too, with the values of its scene', async () => {
    const trigger = {
      type: 'event',
      events: [{ type: 'significantTime', significantEvent: 'sunset', offsetMinutes: 5 }],
    };
    const lamp = home.idOf('Lamp');
    const native = home.automations.create(systemCaller, {
      homeId: home.home.id,
      name: 'Dusk',
      trigger,
      actions: [
        { accessoryId: lamp, characteristicType: 'on', targetValue: true },
        { accessoryId: lamp, characteristicType: 'brightness', targetValue: 30 },
      ],
    });
    const blueprint = home.blueprints.export(systemCaller, native.id);
    expect(blueprint.inputs).toEqual([
      { id: 'light', name: 'Light', kind: 'accessory', needs: ['power_state', 'brightness'] },
    ]);
    const flow = await apply({ blueprint, inputs: { light: home.idOf('Stair Lamp') } });
    expect(flow.triggers).toMatchObject([{ type: 'sun', event: 'sunset', offset: { minutes: 5 } }]);
    home.run(flow.id);
    await home.settle();
    expect([home.valueOf('Stair Lamp'), home.valueOf('Stair Lamp', '10'), home.valueOf('Lamp')]).toEqual([
      true,
      30,
      false,
    ]);
  });

  it('is made of a simple one that ends, which restores by its steps what they set', async () => {
    const lamp = home.idOf('Lamp');
    const ended = home.automations.create(systemCaller, {
      homeId: home.home.id,
      name: 'A while',
      trigger: {
        type: 'event',
        events: [{ type: 'significantTime', significantEvent: 'sunset' }],
        endEvents: [{ type: 'duration', durationSeconds: 60 }],
        executeOnce: true,
      },
      actions: [{ accessoryId: lamp, characteristicType: 'on', targetValue: true }],
    });
    const blueprint = home.blueprints.export(systemCaller, ended.id);
    expect(JSON.stringify(blueprint)).not.toContain(ended.sceneId);
    const flow = await apply({ blueprint, inputs: { light: home.idOf('Stair Lamp') } });
    home.run(flow.id);
    await home.settle();
    expect(home.valueOf('Stair Lamp')).toBe(true);
    await home.clock.advance(61_000);
    await home.settle();
    expect([home.valueOf('Stair Lamp'), home.valueOf('Lamp')]).toEqual([false, false]);
    expect(home.flows.get(systemCaller, flow.id).enabled).toBe(true);
  });

  it('is refused if it names itself', async () => {
    const flow = home.saveFlow({ name: 'Once' });
    const data = {
      name: 'Once',
      actions: [{ type: 'toggle_automation', automationId: flow.id, action: 'disable' }],
    };
    home.flows.save(systemCaller, { homeId: home.home.id, flowId: flow.id, data });
    expect(await errorOf(() => home.blueprints.export(systemCaller, flow.id))).toMatchObject({ code: 'conflict' });
  });
});

describe('who may', () => {
  it('see blueprints and export: viewers; read, preview and apply: admins; others see nothing', async () => {
    const { id: homeId } = home.home;
    const flow = home.saveFlow({});
    const viewer = tokenCaller({ [homeId]: 'view' });
    const stranger = tokenCaller({});
    expect(home.blueprints.list(viewer, homeId)).toHaveLength(10);
    expect(home.blueprints.export(viewer, flow.id).inputs).toEqual([]);
    const input = { homeId, blueprint: { broken: true }, inputs: {} };
    for (const [caller, code] of [
      [viewer, 'insufficient_permissions'],
      [stranger, 'home_not_found'],
    ] as const) {
      expect(await errorOf(() => home.blueprints.read(caller, { homeId, file: 'x' }))).toMatchObject({ code });
      expect(await errorOf(() => home.blueprints.preview(caller, input))).toMatchObject({ code });
      expect(await errorOf(() => home.blueprints.apply(caller, input))).toMatchObject({ code });
    }
    expect(await errorOf(() => home.blueprints.list(stranger, homeId))).toMatchObject({ code: 'home_not_found' });
    expect(await errorOf(() => home.blueprints.export(stranger, flow.id))).toMatchObject({
      code: 'automation_not_found',
    });
  });
});
