/**
 * The tools for automations of both shapes, as models call them: what they answer, to whom, and what the home then
 * does.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ACTIONS } from '../../../../src/api/mcp/automations/actions.ts';
import { CONDITIONS } from '../../../../src/api/mcp/automations/conditions.ts';
import { KindFields } from '../../../../src/api/mcp/automations/kind-fields.ts';
import { TRIGGERS } from '../../../../src/api/mcp/automations/triggers.ts';
import { TOOLS } from '../../../../src/api/mcp/tools/index.ts';
import { ACTION_FIELDS } from '../../../../src/app/automations/actions/common-fields.ts';
import { slugKey } from '../../../../src/home/slug.ts';
import { systemCaller } from '../../../support/test-home.ts';
import { createToolFixture, type ToolFixture } from './tool-fixture.ts';

let fixture: ToolFixture;
/** The home's key, and the cabin's. */
let key: string;
let cabinKey: string;

beforeEach(() => {
  fixture = createToolFixture();
  key = slugKey(fixture.home.name, fixture.homeId);
  cabinKey = slugKey(fixture.cabin.name, fixture.cabin.id);
});
afterEach(() => fixture.stop());

const sunset = { type: 'event', events: [{ type: 'significantTime', significantEvent: 'sunset' }] };
const lampOn = { accessory: 'Lamp', on: true };
const motion = { type: 'device', accessory: 'Motion', characteristic: 'motion', to: true };

const createAutomation = (fields: object = {}) =>
  fixture.call('create_automation', { home: key, name: 'Evening', trigger: sunset, actions: [lampOn], ...fields });
const createFlow = (fields: object = {}) =>
  fixture.call('create_flow', {
    home: key,
    name: 'Hall',
    triggers: [motion],
    actions: [{ type: 'device', ...lampOn }],
    ...fields,
  });

describe('get_automations', () => {
  it('lists the automations of each home by its key, with their count', async () => {
    const { automation } = await createAutomation();
    expect(await fixture.call('get_automations', {})).toEqual({
      [key]: [automation],
      [cabinKey]: [],
      _meta: { view_only_homes: [], message: '1 automation in 2 homes' },
    });
  });

  it('takes a part of a home’s name or key, and lists the homes if none has it', async () => {
    expect(Object.keys(await fixture.call('get_automations', { filter_by_home: 'CAB' }))).toEqual([cabinKey, '_meta']);
    const nothing = await fixture.call('get_automations', { filter_by_home: 'palace' });
    expect(nothing).toEqual({
      _meta: { view_only_homes: [], message: expect.stringContaining('No home matches "palace"') },
    });
    for (const one of [key, cabinKey]) expect(JSON.stringify(nothing)).toContain(one);
  });

  it('lists the homes that the caller may only view, and that nothing there is editable', async () => {
    await createAutomation();
    await createFlow();
    const viewer = fixture.tokenFor({ [fixture.homeId]: 'control' });
    const answer = await fixture.call('get_automations', {}, viewer);
    expect(answer._meta).toMatchObject({ view_only_homes: [key] });
    expect(answer[key]).toMatchObject([{ name: 'Evening', editable: false }]);
    expect(answer).not.toHaveProperty(cabinKey);
    expect((await fixture.call('get_flows', {}, viewer))[key]).toMatchObject([
      { name: 'Hall', editable_via_mcp: false },
    ]);
  });

  it('shows when one fired last, and what keeps it from it', async () => {
    const { automation } = await createAutomation();
    expect(automation).toMatchObject({
      last_fired: null,
      trigger: { activation_issue: expect.stringMatching(/location/) },
    });
    fixture.homes.update(systemCaller, fixture.homeId, { location: { latitude: 52, longitude: 13 } });
    const { [key]: shown } = await fixture.call('get_automations', { filter_by_home: key });
    expect((shown as (typeof automation)[])[0]?.trigger).not.toHaveProperty('activation_issue');
  });
});

describe('create_automation and create_flow', () => {
  it('make what the home then does', async () => {
    await createAutomation({
      trigger: {
        type: 'event',
        events: [{ type: 'characteristic', accessory: 'Motion', characteristic: 'motion', value: true }],
      },
      actions: [{ accessory: 'Lamp', on: true, brightness: 33 }],
    });
    await createFlow({
      conditions: [{ type: 'device', accessory: 'Front Door', characteristic: 'locked', value: true }],
      actions: [{ type: 'virtual', virtual: 'Visits', operation: 'increment', step: 2 }],
    });
    fixture.driver.event('10:00:00:00:00:04', '1', '9', true);
    await fixture.settle();
    await fixture.clock.advance(1_000);
    const [service] = fixture.named('Visits').services;
    expect(service?.characteristics[0]?.value).toBe(2);
    const written = fixture.named('Lamp').services.flatMap(({ characteristics }) => characteristics);
    expect(written.find(({ type }) => type === '8')?.value).toBe(33);
    const { [key]: shown } = await fixture.call('get_automations', {});
    expect(shown).toMatchObject([{ last_fired: expect.stringMatching(/^\d{4}-.*Z$/) }]);
    const { [key]: flows } = await fixture.call('get_flows', {});
    expect(flows).toMatchObject([{ trigger_count: 1, last_triggered: expect.stringMatching(/Z$/) }]);
  });

  it('answer with the home, what was created in the words in which it was sent, and a sentence', async () => {
    expect(await createAutomation()).toMatchObject({
      home: key,
      automation: { name: 'Evening', enabled: true, editable: true, trigger: sunset, actions: [{ on: true }] },
      message: 'Created the automation "Evening"',
    });
    expect(await createFlow({ mode: 'restart', description: 'Light', enabled: false })).toMatchObject({
      home: key,
      flow: { name: 'Hall', mode: 'restart', description: 'Light', enabled: false, editable_via_mcp: true },
      message: 'Created the flow "Hall"',
    });
  });

  it('notify with buttons, and are triggered by them', async () => {
    const buttons = [
      { id: 'close', title: 'Close garage' },
      { id: 'ignore', title: 'Ignore' },
    ];
    const { flow } = await createFlow({
      triggers: [{ type: 'notification_action', button_id: 'close', tag: 'garage' }],
      actions: [{ type: 'notify', message: 'The garage is open', tag: 'garage', buttons }],
    });
    expect(flow).toMatchObject({
      triggers: [{ type: 'notification_action', button_id: 'close', tag: 'garage' }],
      actions: [{ type: 'notify', tag: 'garage', buttons }],
    });
  });

  it('give a webhook an id, and take a device action that has an id of its own', async () => {
    const actions = [
      {
        type: 'device',
        id: 'light',
        accessory: 'Lamp',
        on: true,
        brightness: 10,
        alias: 'Light',
        on_error: 'continue',
      },
    ];
    const { flow } = await createFlow({ triggers: [{ type: 'webhook' }], actions });
    expect(flow.triggers).toEqual([
      { id: 'webhook_1', type: 'webhook', webhook_id: expect.stringMatching(/^[\w-]{22}$/) },
    ]);
    expect(fixture.flows.get(systemCaller, flow.id).actions.map(({ id }) => id)).toEqual([
      'light.on',
      'light.brightness',
    ]);
    expect(flow.actions).toEqual([{ ...actions[0], accessory: fixture.words().keyOf(fixture.id('Lamp')) }]);
  });
});

describe('update_automation and update_flow', () => {
  it('change what is given and nothing else; the id stays', async () => {
    const { automation } = await createAutomation();
    const changed = await fixture.call('update_automation', {
      home: key,
      id: automation.id,
      name: 'Dusk',
      enabled: false,
    });
    expect(changed.automation).toEqual({ ...automation, name: 'Dusk', enabled: false, trigger: sunset });
    const { flow } = await createFlow();
    const renamed = await fixture.call('update_flow', { home: key, id: flow.id, name: 'Corridor' });
    expect(renamed.flow).toEqual({ ...flow, name: 'Corridor' });
    const emptied = await fixture.call('update_flow', { home: key, id: 'corridor', actions: [], mode: 'queued' });
    expect(emptied.flow).toEqual({ ...flow, name: 'Corridor', actions: [], mode: 'queued' });
  });

  it('change nothing where all that is sent is what is there', async () => {
    const { automation } = await createAutomation();
    const { trigger, actions } = automation;
    const same = await fixture.call('update_automation', { home: key, id: automation.id, trigger, actions });
    expect(same.automation).toEqual(automation);
  });

  it('ask for something to change', async () => {
    await createAutomation();
    await createFlow();
    for (const [name, id] of [
      ['update_automation', 'Evening'],
      ['update_flow', 'Hall'],
    ] as const) {
      expect(await fixture.refusal(name, { home: key, id })).toMatchObject({ code: 'invalid_request' });
    }
  });

  it('leave everything as it was where a part is wrong', async () => {
    const { flow } = await createFlow();
    const before = fixture.flows.get(systemCaller, flow.id);
    const wrong = {
      home: key,
      id: flow.id,
      name: 'Other',
      actions: [{ type: 'device', accessory: 'Lamp', brightness: 500 }],
    };
    expect(await fixture.refusal('update_flow', wrong)).toMatchObject({ field: 'actions[0].brightness' });
    expect(fixture.flows.get(systemCaller, flow.id)).toEqual(before);
  });
});

describe('delete_automation and delete_flow', () => {
  it('answer with the id, the home and a sentence, and it is gone', async () => {
    const { automation } = await createAutomation();
    const { flow } = await createFlow();
    expect(await fixture.call('delete_automation', { home: key, id: automation.id })).toEqual({
      success: true,
      id: automation.id,
      home: key,
      message: 'Deleted the automation "Evening"',
    });
    expect(await fixture.call('delete_flow', { home: key, id: 'hall' })).toMatchObject({ success: true, id: flow.id });
    expect([fixture.automations.list(systemCaller), fixture.flows.list(systemCaller)]).toEqual([[], []]);
    expect(await fixture.refusal('delete_flow', { home: key, id: flow.id })).toMatchObject({
      code: 'automation_not_found',
    });
  });

  it('list what there is if no name matches', async () => {
    const { flow } = await createFlow();
    const { sentence } = await fixture.refusal('delete_flow', { home: key, id: 'Hal' });
    expect(sentence).toContain(`Did you mean "Hall"? There are: ${slugKey('Hall', flow.id)}`);
  });
});

describe('a caller', () => {
  const changes = () =>
    [
      ['create_automation', { home: key, name: 'New', trigger: sunset, actions: [lampOn] }],
      ['update_automation', { home: key, id: 'Evening', enabled: false }],
      ['delete_automation', { home: key, id: 'Evening' }],
      ['create_flow', { home: key, name: 'New', triggers: [], actions: [] }],
      ['update_flow', { home: key, id: 'Hall', enabled: false }],
      ['delete_flow', { home: key, id: 'Hall' }],
    ] as const;

  it.each(['view', 'control'] as const)('that may %s a home reads its automations and changes none', async (role) => {
    await createAutomation();
    await createFlow();
    const before = [fixture.automations.list(systemCaller), fixture.flows.list(systemCaller)];
    for (const [name, args] of changes()) {
      const refusal = await fixture.refusal(name, args, fixture.tokenFor({ [fixture.homeId]: role }));
      expect([name, refusal.code]).toEqual([name, 'insufficient_permissions']);
    }
    expect([fixture.automations.list(systemCaller), fixture.flows.list(systemCaller)]).toEqual(before);
  });

  it('of another home gets the answer of a home that does not exist', async () => {
    await createAutomation();
    await createFlow();
    const stranger = fixture.tokenFor({ [fixture.cabin.id]: 'control' });
    for (const [name, args] of changes()) {
      const refusal = await fixture.refusal(name, args, stranger);
      const unknown = await fixture.refusal(name, { ...args, home: 'palace' }, stranger);
      expect(refusal.code).toBe('home_not_found');
      expect(refusal.sentence.replace(key, 'palace')).toBe(unknown.sentence);
    }
    expect(JSON.stringify(await fixture.call('get_flows', {}, stranger))).not.toContain('Hall');
  });

  it('that may only view is shown no webhook’s id', async () => {
    await createFlow({ triggers: [{ type: 'webhook' }] });
    const shown = await fixture.call('get_flows', {}, fixture.tokenFor({ [fixture.homeId]: 'view' }));
    expect(shown[key]).toMatchObject([{ triggers: [{ id: 'webhook_1', type: 'webhook' }] }]);
    expect(JSON.stringify(shown)).not.toContain('webhook_id');
  });

  it('reaches nothing of another home by naming it in a part', async () => {
    const stove = fixture.named('Stove').id;
    const flowWith = (part: object) =>
      fixture.refusal('create_flow', { home: key, name: 'Far', triggers: [], actions: [part] });
    expect(await flowWith({ type: 'device', accessory: stove, on: true })).toMatchObject({
      code: 'accessory_not_found',
    });
    const { flow } = await fixture.call('create_flow', { home: cabinKey, name: 'Near', triggers: [], actions: [] });
    expect(await fixture.refusal('update_flow', { home: key, id: flow.id, name: 'Mine' })).toMatchObject({
      code: 'automation_not_found',
    });
  });
});

describe('the schemas that describe the parts', () => {
  const known = { triggers: TRIGGERS, conditions: CONDITIONS, actions: ACTIONS };
  const kinds = Object.entries(known).flatMap(([list, rows]) =>
    Object.entries(rows).map(([type, { schema }]) => [list, type, schema] as const),
  );

  /** As little of each kind as there has to be. */
  const least: Readonly<Record<string, Readonly<Record<string, object>>>> = {
    triggers: {
      device: { accessory: 'Lamp', characteristic: 'on' },
      numeric: { accessory: 'Lamp', characteristic: 'brightness', above: 1 },
      virtual: { virtual: 'Visits' },
      time: { at: '07:00' },
      sun: { event: 'sunset' },
      webhook: {},
      notification_action: {},
    },
    conditions: {
      device: { accessory: 'Lamp', characteristic: 'on', value: true },
      numeric: { accessory: 'Lamp', characteristic: 'brightness', above: 1 },
      virtual: { virtual: 'Visits', equals: 1 },
      time: { after: '07:00' },
      sun: { after: 'sunset' },
      template: { expression: 'true' },
    },
    actions: {
      device: { accessory: 'Lamp', on: true },
      virtual: { virtual: 'Visits', operation: 'reset' },
      scene: { scene: 'Movie' },
      delay: { seconds: 1 },
      notify: { message: 'Hi' },
    },
  };
  const faultWith = async (list: string, part: object): Promise<string> => {
    const args = { home: key, name: 'Any', triggers: [], actions: [], [list]: [part] };
    const result = await fixture.ask('create_flow', args);
    if (result.isError) return JSON.stringify(result.content);
    await fixture.call('delete_flow', { home: key, id: 'Any' });
    return '';
  };

  it.each(kinds)('name every field that is taken and no other: %s, %s', async (list, type, schema) => {
    const part = { type, ...least[list]?.[type] };
    expect(await faultWith(list, part)).toBe('');
    expect(await faultWith(list, { ...part, zzzz: 1 })).toMatch(/Unknown field|has no 'zzzz'/);
    const fields = { ...schema, ...(list === 'actions' && new KindFields(ACTION_FIELDS).schema) };
    for (const field of Object.keys(fields)) {
      expect(await faultWith(list, { [field]: 'x', ...part })).not.toMatch(/Unknown field|has no '/);
    }
  });

  it('describe every kind of part in the list of tools', () => {
    const tool = TOOLS.find(({ name }) => name === 'create_flow');
    const schema = JSON.stringify(z.toJSONSchema(tool?.input ?? z.object(), { io: 'input' }));
    for (const [, type] of kinds) expect(schema).toContain(`"const":"${type}"`);
  });
});
