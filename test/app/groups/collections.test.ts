import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller, Role } from '../../../src/app/access/caller.ts';
import type { Home } from '../../../src/home/model.ts';
import { HearthError } from '../../../src/kernel/errors.ts';
import { lamp } from '../../support/sample-accessories.ts';
import {
  callerOf,
  createTestHome,
  systemCaller,
  type TestHome,
  tokenCaller,
  userCaller,
} from '../../support/test-home.ts';

let home: TestHome;
let cottage: Home;
/** user → home → role. */
let roles: Record<string, Record<string, Role>>;

beforeEach(() => {
  roles = {};
  home = createTestHome({
    sample: true,
    roles: { roleOf: (user, id) => roles[user]?.[id], homesOf: (user) => Object.keys(roles[user] ?? {}) },
  });
  cottage = home.homes.create(systemCaller, { name: 'Cottage' });
  home.driver.attach(cottage.id, {
    deviceId: '30:00:00:00:00:01',
    name: 'X',
    setupCode: '',
    accessories: [lamp('Far')],
  });
  roles.ann = { [home.home.id]: 'control', [cottage.id]: 'view' };
  roles.bob = { [home.home.id]: 'admin' };
});
afterEach(() => home.close());

const ann = userCaller('ann');
const bob = userCaller('bob');

function item(name: string, group?: string) {
  const { id, homeId } = home.named(name);
  return { home_id: homeId, accessory_id: id, ...(group === undefined ? {} : { group_id: group }) };
}

function names(caller: Caller): string[] {
  return home.collections.list(caller).map(({ name }) => name);
}

describe('a collection', () => {
  it('is made, filled, renamed and deleted', () => {
    const made = home.collections.create(ann, { name: ' Evening ' });
    expect(made).toMatchObject({ name: 'Evening', payload: { groups: [], items: [] }, createdAt: home.clock.now() });
    const payload = { groups: [{ id: 'g-1', name: 'Lights' }], items: [item('Lamp', 'g-1'), item('Far')] };
    const filled = home.collections.update(ann, made.id.toUpperCase(), { name: 'Night', payload });
    expect(filled.payload).toEqual({
      groups: payload.groups,
      items: [
        { ...item('Lamp', 'g-1'), home_name: 'My Home' },
        { ...item('Far'), home_name: 'Cottage' },
      ],
    });
    expect(home.collections.list(ann)).toEqual([filled]);
    // What it has shown can be sent back as it is.
    expect(home.collections.update(ann, made.id, { payload: JSON.stringify(filled.payload) })).toEqual(filled);
    home.collections.delete(ann, made.id);
    expect(home.collections.list(ann)).toEqual([]);
    expect(() => home.collections.delete(ann, made.id)).toThrow(expect.objectContaining({ code: 'not_found' }));
  });

  it('holds service groups too', () => {
    const group = home.serviceGroups.create(systemCaller, {
      homeId: home.home.id,
      name: 'Ceiling',
      accessoryIds: [home.named('Lamp').id],
    });
    const items = [{ home_id: home.home.id, service_group_id: group.id }];
    expect(home.collections.create(ann, { name: 'C', payload: { items } }).payload.items).toMatchObject(items);
    const wrong = [{ home_id: home.home.id, service_group_id: home.named('Lamp').id }];
    expect(() => home.collections.create(ann, { name: 'D', payload: { items: wrong } })).toThrow(
      expect.objectContaining({ code: 'service_group_not_found' }),
    );
  });

  it.each([
    ['a list', []],
    ['a text that is no JSON', '{'],
    ['null', null],
    ['groups that are no list', { groups: {} }],
    ['a group without a name', { groups: [{ id: 'a' }] }],
    ['a group id that is no word', { groups: [{ id: 'a b', name: 'A' }] }],
    [
      'a group twice',
      {
        groups: [
          { id: 'a', name: 'A' },
          { id: 'a', name: 'B' },
        ],
      },
    ],
    ['too many groups', { groups: Array.from({ length: 51 }, (_, n) => ({ id: `g${n}`, name: 'G' })) }],
    ['an item without a home', () => ({ items: [{ accessory_id: home.named('Lamp').id }] })],
    ['an item that names nothing', () => ({ items: [{ home_id: home.home.id }] })],
    ['an item that names two', () => ({ items: [{ ...item('Lamp'), service_group_id: 'x' }] })],
    ['an item twice', () => ({ items: [item('Lamp'), item('Lamp')] })],
    ['an item in no group of it', () => ({ items: [item('Lamp', 'nowhere')] })],
    ['too many items', { items: Array.from({ length: 501 }, () => ({})) }],
  ])('refuses %s', (_, given) => {
    const payload = typeof given === 'function' ? given() : given;
    expect(() => home.collections.create(ann, { name: 'C', payload })).toThrow(
      expect.objectContaining({ code: 'invalid_value' }),
    );
  });

  it('holds only what its owner may see', () => {
    const create = (items: object[]) => () => home.collections.create(bob, { name: 'B', payload: { items } });
    expect(create([item('Far')])).toThrow('Home not found');
    expect(create([{ ...item('Far'), home_id: home.home.id }])).toThrow('Accessory not found');
    expect(create([{ home_id: 'x', accessory_id: 'y' }])).toThrow('Home not found');
    expect(names(bob)).toEqual([]);
  });

  it('leaves out what its owner no longer sees, and keeps it through changes', () => {
    const { id } = home.collections.create(ann, { name: 'C', payload: { items: [item('Lamp'), item('Far')] } });
    const shown = () => home.collections.get(ann, id).payload.items.map(({ home_id }) => home_id);
    delete roles.ann?.[cottage.id];
    expect(shown()).toEqual([home.home.id]);
    home.collections.update(ann, id, { payload: { items: [item('Thermostat')] } });
    expect(shown()).toEqual([home.home.id]);
    roles.ann = { ...roles.ann, [cottage.id]: 'view' };
    expect(shown()).toEqual([home.home.id, cottage.id]);
  });

  it('keeps an accessory that is away, through changes too', async () => {
    const { id } = home.collections.create(ann, { name: 'C', payload: { items: [item('Lamp'), item('Far')] } });
    const { payload } = home.collections.get(ann, id);
    await home.driver.unpair('30:00:00:00:00:01', true);
    expect(home.collections.update(ann, id, { payload }).payload).toEqual(payload);
    home.homes.delete(systemCaller, cottage.id);
    expect(home.collections.get(ann, id).payload.items).toHaveLength(1);
  });

  it('has a name of its own among its owner’s', () => {
    const { id } = home.collections.create(ann, { name: 'Evening' });
    expect(() => home.collections.create(ann, { name: 'EVENING' })).toThrow(
      expect.objectContaining({ code: 'conflict' }),
    );
    expect(home.collections.update(ann, id, { name: 'evening' }).name).toBe('evening');
    expect(home.collections.create(bob, { name: 'Evening' }).name).toBe('Evening');
  });

  it('is one of 200 at most', () => {
    for (let n = 0; n < 200; n += 1) home.collections.create(ann, { name: `C ${n}` });
    expect(() => home.collections.create(ann, { name: 'One more' })).toThrow(
      expect.objectContaining({ code: 'conflict' }),
    );
  });

  it('is empty where what was stored can’t be read any more', () => {
    const { id } = home.collections.create(ann, { name: 'C', payload: { items: [item('Lamp')] } });
    for (const rotten of [
      '',
      'null',
      '[]',
      '{"groups":[],"items":{}}',
      '{"groups":[1],"items":[null,{"home_id":1}]}',
    ]) {
      home.database.prepare('UPDATE collections SET payload = ?').run(rotten);
      expect(home.collections.get(ann, id).payload).toEqual({ groups: [], items: [] });
    }
  });

  it('takes any payload or refuses it, and never breaks', () => {
    const { id } = home.collections.create(ann, { name: 'C' });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.anything(),
          fc.record({
            groups: fc.array(fc.record({ id: fc.anything(), name: fc.anything() }), { maxLength: 3 }),
            items: fc.array(fc.dictionary(fc.constantFrom('home_id', 'accessory_id', 'group_id'), fc.anything()), {
              maxLength: 3,
            }),
          }),
        ),
        (payload) => {
          try {
            home.collections.update(ann, id, { payload });
          } catch (error) {
            expect(error).toBeInstanceOf(HearthError);
          }
        },
      ),
      { numRuns: 500 },
    );
    expect(home.collections.get(ann, id).payload).toBeDefined();
  });
});

describe('who may see and change collections', () => {
  it('is their owner; those without a user are for callers who manage a home', () => {
    const hers = home.collections.create(ann, { name: 'Hers' });
    const ours = home.collections.create(systemCaller, { name: 'Ours' });
    expect([ann, bob, systemCaller, tokenCaller()].map(names)).toEqual([['Hers'], ['Ours'], ['Ours'], ['Ours']]);
    for (const caller of [bob, systemCaller, tokenCaller(), tokenCaller({ [home.home.id]: 'control' })]) {
      expect(() => home.collections.get(caller, hers.id)).toThrow('Not found');
      expect(() => home.collections.update(caller, hers.id, {})).toThrow('Not found');
      expect(() => home.collections.delete(caller, hers.id)).toThrow('Not found');
    }
    expect(() => home.collections.update(ann, ours.id, {})).toThrow('Not found');
    expect(home.collections.update(bob, ours.id, { name: 'Everybody’s' }).name).toBe('Everybody’s');
  });

  it('is the user behind a token or an app', () => {
    const token = callerOf({ kind: 'access_token', tokenId: 't', homePermissions: null, makerId: 'ann' });
    const app = (scope: 'read' | 'write') =>
      callerOf({ kind: 'oauth_client', clientId: 'c', userId: 'ann', scope, homePermissions: null });
    home.collections.create(token, { name: 'By token' });
    home.collections.create(app('write'), { name: 'By app' });
    for (const caller of [ann, token, app('read')]) expect(names(caller)).toEqual(['By app', 'By token']);
    expect(() => home.collections.create(app('read'), { name: 'X' })).toThrow('Insufficient permissions');
  });

  it('excludes callers who only view, share links and automations', () => {
    const { id } = home.collections.create(ann, { name: 'Hers' });
    roles.ann = { [home.home.id]: 'view' };
    expect(names(ann)).toEqual(['Hers']);
    expect(() => home.collections.update(ann, id, { name: 'X' })).toThrow('Insufficient permissions');
    expect(() => home.collections.delete(ann, id)).toThrow('Insufficient permissions');
    const homeId = home.home.id;
    const others = [
      tokenCaller({ [homeId]: 'control' }),
      callerOf({
        kind: 'share_link',
        shareHash: 'hash',
        homeIds: new Set([homeId]),
        role: 'control',
        accessoryIds: new Set(),
      }),
      callerOf({ kind: 'automation', automationId: 'a', homeId }),
    ];
    for (const caller of others) {
      expect(names(caller)).toEqual([]);
      expect(() => home.collections.create(caller, { name: 'X' })).toThrow('Insufficient permissions');
    }
  });
});
