/** Every tool for every role, and that a caller learns nothing of a home that it may not see. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { missingScope } from '../../../src/api/mcp/challenge.ts';
import { TOOLS } from '../../../src/api/mcp/tools/index.ts';
import type { Role } from '../../../src/app/access/caller.ts';
import { slugKey } from '../../../src/home/slug.ts';
import { createMcpClient, type McpClient } from '../../support/mcp-client.ts';
import { createTestApi, createToken } from '../../support/rest-client.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';
import { createUser } from '../../support/test-users.ts';

let home: TestHome;
let app: ReturnType<typeof createTestApi>;
/** Of the first home. */
let key: string;
/** A second home that the callers below have no part in by default. */
let foreign: { readonly id: string; readonly key: string };

beforeEach(() => {
  home = createTestHome({ sample: true });
  app = createTestApi(home);
  key = slugKey(home.home.name, home.home.id);
  const { id, name } = home.homes.create(systemCaller, { name: 'Secret Lair' });
  foreign = { id, key: slugKey(name, id) };
  home.registry.setConnected(id, true);
  home.rooms.create(systemCaller, { homeId: id, name: 'Vault' });
  home.virtuals.create(systemCaller, { homeId: id, name: 'Death Ray', type: 'switch' });
  home.virtuals.create(systemCaller, { homeId: home.home.id, name: 'Mood', type: 'switch' });
  for (const [homeId, name, accessory] of [
    [home.home.id, 'Evening', home.named('Mood')],
    [id, 'Doomsday', home.named('Death Ray')],
  ] as const) {
    const action = { accessoryId: accessory.id, characteristicType: 'on', targetValue: true };
    home.scenes.create(systemCaller, { homeId, name, actions: [action] });
  }
});
afterEach(() => home.close());

async function clientOf(role: Role): Promise<McpClient> {
  const { token } = await createUser(home, { role });
  return createMcpClient(app, token);
}

type Need = 'view' | 'control' | 'manage';
/** What each role may, of what tools need. */
const REACH: Readonly<Record<Role, readonly Need[]>> = {
  view: ['view'],
  control: ['view', 'control'],
  admin: ['view', 'control', 'manage'],
  owner: ['view', 'control', 'manage'],
};
const ROLES: readonly Role[] = ['view', 'control', 'admin', 'owner'];

/** A good call of each tool here, in a home with these names. */
function callsIn(homeName: string, thing: string, scene: string): Readonly<Record<string, object>> {
  const set = { home: homeName, room: 'Default Room', accessory: thing, on: true };
  return {
    get_state: { filter_by_home: homeName },
    get_history: { home: homeName, accessory: thing },
    query_history: { home: homeName },
    set_state: { updates: [set] },
    run_scene: { home: homeName, name: scene },
    create_scene: { home: homeName, name: 'New', actions: [{ accessory: thing, on: true }] },
    update_scene: { home: homeName, name: scene, new_name: 'Newer' },
    delete_scene: { home: homeName, name: 'Newer' },
    create_virtual_accessory: { home: homeName, name: 'Extra', type: 'switch' },
    update_virtual_accessory: { home: homeName, id: 'Extra', name: 'Spare' },
    delete_virtual_accessory: { home: homeName, id: 'Spare' },
  };
}

describe('Tools', () => {
  it.each(ROLES)('that %s may not use anywhere are not listed', async (role) => {
    const client = await clientOf(role);
    const expected = TOOLS.filter(({ needs }) => REACH[role].includes(needs)).map(({ name }) => name);
    expect((await client.tools()).map(({ name }) => name)).toEqual(expected);
  });

  it.each(ROLES)('do for %s what the role allows, and nothing else', async (role) => {
    const client = await clientOf(role);
    for (const [name, args] of Object.entries(callsIn(key, 'Mood', 'Evening'))) {
      const tool = TOOLS.find((one) => one.name === name);
      const { isError, data } = await client.call(name, args);
      const isAllowed = tool !== undefined && REACH[role].includes(tool.needs);
      expect([role, name, isError]).toEqual([role, name, !isAllowed]);
      if (isError && !/^(delete|update)_/.test(name)) {
        expect([role, name, data.code]).toEqual([role, name, 'insufficient_permissions']);
      }
    }
    const scenes = home.scenes.list(systemCaller, home.home.id).map(({ name }) => name);
    expect(scenes.includes('New')).toBe(REACH[role].includes('manage'));
  });

  it('report the same for a home that one may not see as for none', async () => {
    const client = await clientOf('owner');
    const swap = (text: string, from: string) => text.replaceAll(from, '*');
    for (const [name, args] of Object.entries(callsIn(foreign.key, 'Death Ray', 'Doomsday'))) {
      const theirs = await client.call(name, args);
      const nowhere = await client.call(name, callsIn('nowhere_0000', 'Death Ray', 'Doomsday')[name]);
      expect([name, swap(JSON.stringify(theirs), foreign.key)]).toEqual([
        name,
        swap(JSON.stringify(nowhere), 'nowhere_0000'),
      ]);
    }
    expect(home.scenes.list(systemCaller, foreign.id).map(({ name }) => name)).toContain('Doomsday');
  });

  it('name nothing of a home that one may not see: not in lists, descriptions, resources, completions or errors', async () => {
    const client = await clientOf('owner');
    const wire = [
      await client.tools(),
      await client.rpc('resources/list'),
      await client.rpc('resources/read', { uri: 'hearthd://homes' }),
      await client.rpc('completion/complete', {
        ref: { type: 'ref/resource', uri: 'hearthd://accessories/{id}' },
        argument: { name: 'id', value: '' },
      }),
      await client.call('get_state'),
      await client.call('run_scene', { home: 'x', name: 'x' }),
      await client.call('run_scene', { home: key, name: 'x' }),
      await client.call('set_state', { updates: [{ home: key, room: 'Default Room', accessory: 'x', on: true }] }),
      await client.call('set_state', { updates: [{ home: key, room: 'x', accessory: 'x', on: true }] }),
      await client.call('query_history', { accessories: ['x'] }),
    ].map((one) => JSON.stringify(one));
    const secrets = [
      'Secret Lair',
      foreign.key,
      foreign.id,
      'Vault',
      'Death Ray',
      home.named('Death Ray').id,
      'Doomsday',
    ];
    for (const text of wire) for (const secret of secrets) expect(text).not.toContain(secret);
  });
});

describe('Resources', () => {
  it('of a home that one may not see are not there', async () => {
    const client = await clientOf('owner');
    const read = (uri: string) => client.rpc('resources/read', { uri });
    const nothing = '00000000-0000-4000-8000-000000000000';
    for (const [kind, id] of [
      ['homes', foreign.id],
      ['accessories', home.named('Death Ray').id],
    ]) {
      const [theirs, nowhere] = [await read(`hearthd://${kind}/${id}`), await read(`hearthd://${kind}/${nothing}`)];
      expect(theirs.error).toMatchObject({ code: -32_602, message: nowhere.error.message });
    }
    const odd = [
      'hearthd://',
      'hearthd://homes/',
      'file:///etc/passwd',
      'hearthd://homes/../..',
      'x'.repeat(5_000),
      '',
    ];
    for (const uri of odd) expect((await read(uri)).error.code).toBe(-32_602);
  });

  it('are listed in pages that end', async () => {
    for (let count = 0; count < 230; count += 1) {
      home.virtuals.create(systemCaller, { homeId: home.home.id, name: `Switch ${count}`, type: 'switch' });
    }
    const client = await clientOf('view');
    const first = (await client.rpc('resources/list')).result;
    const second = (await client.rpc('resources/list', { cursor: first.nextCursor })).result;
    expect([first.resources.length, second.nextCursor]).toEqual([200, undefined]);
    const uris = new Set([...first.resources, ...second.resources].map(({ uri }) => uri));
    expect(uris.size).toBe(2 + home.control.listAccessories(systemCaller, { homeId: home.home.id }).length);
    expect((await client.rpc('resources/list', { cursor: 'made up' })).error.code).toBe(-32_602);
  });

  it('of no template complete to nothing but an error', async () => {
    const client = await clientOf('view');
    const complete = (ref: object, name = 'id') =>
      client.rpc('completion/complete', { ref, argument: { name, value: '' } });
    expect((await complete({ type: 'ref/resource', uri: 'hearthd://rooms/{id}' })).error.code).toBe(-32_602);
    expect((await complete({ type: 'ref/prompt', name: 'x' })).error.code).toBe(-32_602);
    const unknown = await complete({ type: 'ref/resource', uri: 'hearthd://homes/{id}' }, 'name');
    expect(unknown.result.completion.values).toEqual([]);
  });
});

describe('Access tokens', () => {
  it('reach as far as their permissions, home by home', async () => {
    const client = createMcpClient(app, createToken(home, { [home.home.id]: 'view', [foreign.id]: 'control' }));
    const names = (await client.tools()).map(({ name }) => name);
    expect(names).toContain('set_state');
    expect(names).not.toContain('create_scene');
    const set = (homeKey: string, accessory: string) =>
      client.call('set_state', { updates: [{ home: homeKey, room: 'Default Room', accessory, on: true }] });
    expect((await set(foreign.key, 'Death Ray')).data.updated).toBe(1);
    expect((await set(key, 'Mood')).data.code).toBe('insufficient_permissions');
  });

  it('that reach nowhere see no tools and no homes', async () => {
    const { token } = await createUser(home);
    const client = createMcpClient(app, token);
    expect(await client.tools()).toEqual([]);
    expect((await client.rpc('resources/read', { uri: 'hearthd://homes' })).result.contents[0].text).toBe('[]');
    expect((await client.call('query_history')).data.code).toBe('home_not_found');
  });
});

describe('Apps', () => {
  const app = { kind: 'oauth_client', clientId: 'c', userId: 'u', homePermissions: null } as const;

  it.each([
    ['read', 'control', 'mcp:write'],
    ['read', 'manage', 'mcp:admin'],
    ['write', 'manage', 'mcp:admin'],
    ['write', 'control', undefined],
    ['admin', 'manage', undefined],
  ] as const)('with the scope %s that want to %s are asked to get %s', (scope, needs, wanted) => {
    expect(missingScope({ ...app, scope }, needs)).toBe(wanted);
  });

  it('alone have scopes: roles bound everyone else', () => {
    expect(missingScope({ kind: 'user', userId: 'u', sessionId: 's' }, 'manage')).toBeUndefined();
  });
});
