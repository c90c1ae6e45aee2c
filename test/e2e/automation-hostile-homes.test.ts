/** An admin of one home learns nothing of another through automations, and cannot act on it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Home } from '../../src/home/model.ts';
import { newId } from '../../src/kernel/ids.ts';
import { type AutomationHome, createAutomationHome } from '../support/automation-home.ts';
import { createRestClient, createTestApi, type RestAnswer, type RestClient } from '../support/rest-client.ts';
import { lamp } from '../support/sample-accessories.ts';
import { systemCaller, userCaller } from '../support/test-home.ts';

/** What the other home's things are called; no answer may hold it. */
const SECRET = 'Hush';

interface Foreign {
  readonly home: Home;
  readonly accessory: string;
  readonly virtual: string;
  readonly group: string;
  readonly scene: string;
  readonly flow: string;
  readonly native: string;
  readonly person: string;
}

let home: AutomationHome;
let admin: RestClient;
let foreign: Foreign;

/** May manage the first home like its founder, and knows nothing of the second. */
const OWNER = 'ada';

beforeAll(() => {
  let mine: string | undefined;
  home = createAutomationHome({
    sample: true,
    roles: {
      roleOf: (user, homeId) => (user === OWNER && homeId === mine ? 'admin' : undefined),
      homesOf: (user) => (user === OWNER && mine !== undefined ? [mine] : []),
    },
  });
  mine = home.home.id;
  foreign = furnish(home);
  const { token } = home.tokens.create(userCaller(OWNER), { name: 'Mine' });
  admin = createRestClient(createTestApi(home), token);
});

afterAll(() => home.stop());

function furnish(test: AutomationHome): Foreign {
  const other = test.homes.create(systemCaller, { name: `${SECRET} House` });
  test.driver.attach(other.id, {
    deviceId: '20:00:00:00:00:01',
    name: `${SECRET} Lamp`,
    setupCode: '031-45-154',
    accessories: [lamp(`${SECRET} Lamp`)],
  });
  const { id: accessory } = test.named(`${SECRET} Lamp`);
  const roomId = test.rooms.create(systemCaller, { homeId: other.id, name: `${SECRET} Room` }).id;
  const virtual = test.virtuals.create(systemCaller, {
    homeId: other.id,
    name: `${SECRET} Counter`,
    type: 'counter',
    roomId,
  }).id;
  const group = test.serviceGroups.create(systemCaller, {
    homeId: other.id,
    name: `${SECRET} Group`,
    accessoryIds: [accessory],
  }).id;
  const actions = [{ accessoryId: accessory, characteristicType: 'on', targetValue: true }];
  const scene = test.scenes.create(systemCaller, { homeId: other.id, name: `${SECRET} Scene`, actions }).id;
  const flow = test.flows.save(systemCaller, {
    homeId: other.id,
    data: { name: `${SECRET} Flow`, triggers: [], actions: [] },
  }).id;
  const native = test.automations.create(systemCaller, {
    homeId: other.id,
    name: `${SECRET} Morning`,
    trigger: { type: 'timer', hour: 3, recurrenceType: 'daily' },
    actions,
  }).id;
  const person = test.people.create(systemCaller, { homeId: other.id, name: `${SECRET} Person` }).id;
  return { home: other, accessory, virtual, group, scene, flow, native, person };
}

/** The answer without the id of the request, so that two of them compare. */
function neutral({ status, text }: RestAnswer, id: string): { readonly status: number; readonly text: string } {
  return { status, text: text.replaceAll(id, '<id>').replace(/"requestId":"[^"]*"/g, '') };
}

type Refer = (id: string) => object;

/** Every place of a flow in which something is named by its id, and what of the other home fits there. */
const PLACES: Readonly<Record<string, { readonly of: Exclude<keyof Foreign, 'home'>; readonly data: Refer }>> = {
  'the accessory of a trigger': {
    of: 'accessory',
    data: (id) => ({ triggers: [{ type: 'device_changed', accessoryId: id, characteristicType: 'power_state' }] }),
  },
  'the accessory that goes offline': {
    of: 'accessory',
    data: (id) => ({ triggers: [{ type: 'device_availability', accessoryId: id, to: 'unavailable' }] }),
  },
  'the group of a trigger': {
    of: 'group',
    data: (id) => ({ triggers: [{ type: 'state', serviceGroupId: id, characteristicType: 'power_state' }] }),
  },
  'the person of a trigger': {
    of: 'person',
    data: (id) => ({ triggers: [{ type: 'presence', event: 'atHome', personIds: [id] }] }),
  },
  'the accessory of a condition': {
    of: 'accessory',
    data: (id) => ({ conditions: { type: 'state', accessoryId: id, characteristicType: 'power_state', value: true } }),
  },
  'the accessory that is set': {
    of: 'accessory',
    data: (id) => ({
      actions: [{ type: 'set_device', accessoryId: id, characteristicType: 'power_state', value: true }],
    }),
  },
  'the group that is set': {
    of: 'group',
    data: (id) => ({
      actions: [{ type: 'set_service_group', groupId: id, characteristicType: 'power_state', value: true }],
    }),
  },
  'the scene that is run': { of: 'scene', data: (id) => ({ actions: [{ type: 'run_scene', sceneId: id }] }) },
  'the virtual accessory': {
    of: 'virtual',
    data: (id) => ({ actions: [{ type: 'virtual', accessoryId: id, operation: 'increment' }] }),
  },
  'the flow that is called': { of: 'flow', data: (id) => ({ actions: [{ type: 'call_script', scriptId: id }] }) },
  'the flow that is switched off': {
    of: 'flow',
    data: (id) => ({ actions: [{ type: 'toggle_automation', automationId: id, action: 'disable' }] }),
  },
  'the native automation that is triggered': {
    of: 'native',
    data: (id) => ({ actions: [{ type: 'toggle_automation', automationId: id, action: 'trigger' }] }),
  },
};

const flow = (data: object) => ({ homeId: home.home.id, name: `Mine ${newId().slice(0, 8)}`, actions: [], ...data });

/** Their ids are unknown outside their home: a mention of one counts as a person who is gone. */
const HARMLESS: ReadonlySet<string> = new Set(['person']);

describe.each(Object.entries(PLACES))('%s', (_, { of, data }) => {
  it('may be of no other home, which is refused as if there were no such thing', async () => {
    const real = await admin.post('/rest/flows', flow(data(foreign[of])));
    const nothing = newId();
    const invented = await admin.post('/rest/flows', flow(data(nothing)));
    expect(real.status).toBeGreaterThanOrEqual(400);
    expect(neutral(real, foreign[of])).toEqual(neutral(invented, nothing));
    expect(real.text).not.toContain(SECRET);
  });
});

const REPORTING = Object.entries(PLACES).filter(([, { of }]) => !HARMLESS.has(of));

describe.each(REPORTING)('%s', (_, { of, data }) => {
  it('may not become so by being mentioned before', async () => {
    const id = foreign[of];
    const made = await admin.post(
      '/rest/flows',
      flow({
        ...JSON.parse(JSON.stringify({ uiState: data(id), variables: { hidden: data(id) } })),
        actions: [
          { type: 'variables', variables: { text: `see ${id}`, hidden: data(id) } },
          { type: 'notify', message: `about ${id}` },
        ],
      }),
    );
    expect(made.status).toBe(200);
    const saved = await admin.request('PUT', `/rest/flows/${made.body.id}`, flow(data(id)));
    expect(saved.status).toBeGreaterThanOrEqual(400);
    await admin.delete(`/rest/flows/${made.body.id}`);
  });
});

const EVENT_TRIGGER = { type: 'event', events: [{ type: 'calendar', calendarComponents: { hour: 7 } }] };
const LIGHT = { characteristicType: 'on' };

/** The same for native automations and notifications. */
const NATIVE_PLACES: Readonly<Record<string, { readonly of: Exclude<keyof Foreign, 'home'>; readonly data: Refer }>> = {
  'the accessory of an event': {
    of: 'accessory',
    data: (id) => ({
      trigger: {
        ...EVENT_TRIGGER,
        events: [{ type: 'characteristic', accessoryId: id, ...LIGHT, triggerValue: true }],
      },
    }),
  },
  'the accessory of an end event': {
    of: 'accessory',
    data: (id) => ({
      trigger: { ...EVENT_TRIGGER, endEvents: [{ type: 'characteristic', accessoryId: id, ...LIGHT }] },
    }),
  },
  'the accessory of a condition': {
    of: 'accessory',
    data: (id) => ({
      trigger: { ...EVENT_TRIGGER, conditions: [{ type: 'characteristic', accessoryId: id, ...LIGHT, value: true }] },
    }),
  },
  'the person of an event': {
    of: 'person',
    data: (id) => ({
      trigger: {
        ...EVENT_TRIGGER,
        events: [{ type: 'presence', presenceEvent: 'atHome', presenceType: 'customUsers', personIds: [id] }],
      },
    }),
  },
  'the accessory of an action': {
    of: 'accessory',
    data: (id) => ({ actions: [{ accessoryId: id, ...LIGHT, targetValue: true }] }),
  },
};

describe.each(Object.entries(NATIVE_PLACES))('of a native automation %s', (_, { of, data }) => {
  it('may be of no other home, which is refused as if there were no such thing', async () => {
    const actions = [{ accessoryId: home.named('Lamp').id, ...LIGHT, targetValue: true }];
    const body = (id: string) => ({
      homeId: home.home.id,
      name: 'Mine',
      trigger: EVENT_TRIGGER,
      actions,
      ...data(id),
    });
    const [real, nothing] = [foreign[of], newId()];
    const [theirs, invented] = [
      await admin.post('/rest/automations', body(real)),
      await admin.post('/rest/automations', body(nothing)),
    ];
    expect(theirs.status).toBeGreaterThanOrEqual(400);
    expect(neutral(theirs, real)).toEqual(neutral(invented, nothing));
    const own = await admin.post('/rest/automations', body(of === 'person' ? ownPerson() : home.named('Lamp').id));
    expect(own.status, own.text).toBe(200);
    await admin.delete(`/rest/automations/${own.body.id}`);
  });
});

function ownPerson(): string {
  return home.people.create(systemCaller, { homeId: home.home.id, name: `Own ${newId().slice(0, 8)}` }).id;
}

describe('a preference for messages', () => {
  it.each(['flow', 'native'] as const)('is about no automation of another home (%s)', async (of) => {
    const target = (scopeId: string) => ({ scope: 'automation', scopeId, pushEnabled: false });
    const [theirs, nothing] = [foreign[of], newId()];
    const [real, invented] = [
      await admin.post('/rest/notifications/preferences', target(theirs)),
      await admin.post('/rest/notifications/preferences', target(nothing)),
    ];
    expect(real.status).toBeGreaterThanOrEqual(400);
    expect(neutral(real, theirs)).toEqual(neutral(invented, nothing));
    const history = await admin.get(`/rest/notifications?automation=${theirs}`);
    expect(history.body).toEqual([]);
  });
});

describe('a flow of one home', () => {
  it('finds nothing of another in expressions, by id or by name', async () => {
    const [lampName, id] = [`${SECRET} Lamp`, foreign.accessory];
    const variables = {
      byName: `{{ states('${lampName}', 'power_state') }}`,
      byId: `{{ states('${id}', 'power_state') }}`,
      changed: `{{ last_changed('${id}') }}`,
    };
    const made = await admin.post('/rest/flows', flow({ actions: [{ type: 'variables', variables }] }));
    expect(made.status).toBe(200);
    await admin.post(`/rest/flows/${made.body.id}/run`, {});
    await home.settle();
    const traces = await admin.get(`/rest/flows/${made.body.id}/traces`);
    expect(traces.body[0].steps.at(-1).output).toEqual({ byName: null, byId: null, changed: null });
  });

  it('keeps no one in another from deleting what it mentions', async () => {
    const made = await admin.post(
      '/rest/flows',
      flow({ description: foreign.virtual, variables: { a: foreign.virtual } }),
    );
    expect(made.status).toBe(200);
    expect(home.references.usedBy(foreign.virtual)).toEqual([]);
    expect(() => home.virtuals.delete(systemCaller, foreign.virtual)).not.toThrow();
  });

  it('receives no event that a flow of another fires', async () => {
    const made = await admin.post('/rest/flows', flow({ triggers: [{ type: 'event', eventType: 'doorbell' }] }));
    const theirs = home.flows.save(systemCaller, {
      homeId: foreign.home.id,
      data: { name: 'Rings', triggers: [], actions: [{ type: 'fire_event', eventType: 'doorbell' }] },
    });
    home.flows.run(systemCaller, theirs.id);
    await home.settle();
    expect((await admin.get(`/rest/flows/${made.body.id}/traces`)).body).toEqual([]);
  });
});
