/** What of a home can be shared, what tokens and apps reach, and the codes that are drawn. */
import { describe, expect, it } from 'vitest';
import {
  parsePermissions,
  permissionsWithin,
  reachAdds,
  reachesSomething,
  reachOf,
  withPermission,
} from '../../../src/web/dashboard/pages/connections/apps/permissions.ts';
import { eventTypesOf, scopeChoices } from '../../../src/web/dashboard/pages/connections/webhooks/webhook-draft.ts';
import { matching, NO_EVENTS, reduceEvents } from '../../../src/web/dashboard/pages/developer/event-log.ts';
import {
  hasDoors,
  isOperated,
  parseCollection,
  parseNewShareTarget,
  shareablesOf,
} from '../../../src/web/dashboard/pages/shares/entities.ts';
import { drawQr } from '../../../src/web/dashboard/ui/qr-drawing.ts';

type DemoHome = Parameters<typeof shareablesOf>[0];

const accessory = (id: string, roomId: string, serviceType: string) =>
  ({ id, name: id, roomId, services: [{ type: 'accessory_information' }, { type: serviceType }] }) as never;

const INVENTORY = {
  id: 'h',
  name: 'Home',
  rooms: [
    { id: 'hall', name: 'Hall', isDefault: false },
    { id: 'den', name: 'Den', isDefault: true },
  ],
  accessories: [accessory('lamp', 'den', 'lightbulb'), accessory('door', 'hall', 'lock')],
  serviceGroups: [{ id: 'g', name: 'Lamps', accessoryIds: ['lamp'] }],
} as unknown as DemoHome;

describe('what can be shared', () => {
  const collection = parseCollection({
    id: 'c',
    name: 'Guests',
    content: { groups: [{ id: 'in', name: 'Inside' }, 7], items: [{ accessory_id: 'door' }, null] },
  });
  const all = shareablesOf(INVENTORY, [{ id: 'rg', name: 'Upstairs', roomIds: ['den'] }], [collection]);

  it('is the home, rooms, room groups, accessories, groups, collections and the groups in them', () => {
    expect(all.map(({ type, id }) => `${type}:${id}`)).toEqual([
      'home:h',
      'room:hall',
      'room:den',
      'room_group:rg',
      'accessory:lamp',
      'accessory:door',
      'accessory_group:g',
      'collection:c',
      'collection_group:c:in',
    ]);
  });

  it('asks for more care where a lock or a door is in it', () => {
    const guarded = all.filter((shareable) => hasDoors(shareable, INVENTORY)).map(({ id }) => id);
    expect(guarded).toEqual(['h', 'hall', 'door', 'c', 'c:in']);
  });

  it('is shared to be controlled where it is one thing that people operate', () => {
    const operated = all.filter((shareable) => isOperated(shareable, INVENTORY)).map(({ id }) => id);
    expect(operated).toEqual(['lamp', 'door', 'g']);
  });

  it('is requested by an address', () => {
    expect(parseNewShareTarget('room:den')).toEqual({ type: 'room', id: 'den' });
    expect(parseNewShareTarget('collection_group:c:in')).toEqual({ type: 'collection_group', id: 'c:in' });
    expect(parseNewShareTarget('group:g')).toEqual({ type: 'accessory_group', id: 'g' });
    expect([parseNewShareTarget(null), parseNewShareTarget('room'), parseNewShareTarget(':x')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('what a token or an app reaches', () => {
  it('is every home only if it declares so', () => {
    expect(parsePermissions(null)).toBeNull();
    expect(parsePermissions('{"a":"view","b":"owner"}')).toEqual({ a: 'view' });
    expect(parsePermissions('{')).toEqual({});
    expect([reachesSomething(null), reachesSomething({}), reachesSomething({ a: 'view' })]).toEqual([
      true,
      false,
      true,
    ]);
    expect(withPermission({ a: 'view' }, 'a', undefined)).toEqual({});
  });

  it('is as wide as the widest of its scopes', () => {
    expect([reachOf('mcp:read'), reachOf('mcp:read mcp:write'), reachOf('admin'), reachOf('')]).toEqual([
      'read',
      'write',
      'admin',
      'read',
    ]);
  });
});

describe('what is shown of the access of an app', () => {
  it('is the level of each home, at most what the app may do', () => {
    expect(permissionsWithin({ a: 'control', b: 'view' }, 'read')).toEqual({ a: 'view', b: 'view' });
    expect(permissionsWithin({ a: 'control', b: 'view' }, 'write')).toEqual({ a: 'control', b: 'view' });
    expect(permissionsWithin(null, 'read')).toBeNull();
    expect(permissionsWithin({}, 'read')).toEqual({});
  });

  it('is what the app may do, where the homes do not show it', () => {
    expect([reachAdds(null, 'read'), reachAdds(null, 'write'), reachAdds({ a: 'control' }, 'admin')]).toEqual([
      true,
      true,
      true,
    ]);
    expect([reachAdds({ a: 'control' }, 'write'), reachAdds({ a: 'view' }, 'read'), reachAdds({}, 'write')]).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe('the log of live events', () => {
  const event = (type: string) => ({ id: type, type, timestamp: '', data: { name: type.toUpperCase() } });

  it('holds back what comes while it is paused, and keeps the newest 200', () => {
    let log = reduceEvents(NO_EVENTS, { do: 'take', event: event('first') });
    log = reduceEvents(log, { do: 'pause' });
    for (let index = 0; index < 250; index += 1) log = reduceEvents(log, { do: 'take', event: event(`e${index}`) });
    expect(log.shown.map(({ type }) => type)).toEqual(['first']);
    log = reduceEvents(log, { do: 'resume' });
    expect([log.shown.length, log.shown[0]?.type, log.held.length]).toEqual([200, 'e249', 0]);
    expect(matching(log.shown, ' E249 ')).toHaveLength(1);
    expect(reduceEvents(log, { do: 'clear' }).shown).toEqual([]);
  });
});

describe('the form of a webhook', () => {
  it('sends everything alone, and in which home things are where there are several', () => {
    expect([eventTypesOf(['*', 'a']), eventTypesOf(['a', 'a'])]).toEqual([['*'], ['a']]);
    const home = (id: string) => ({ id, name: id, rooms: [{ id: `${id}-r`, name: 'Hall' }], accessories: [] });
    expect(scopeChoices([home('A'), home('B')], [])).toEqual([
      {
        field: 'homeIds',
        options: [
          { value: 'A', label: 'A' },
          { value: 'B', label: 'B' },
        ],
      },
      {
        field: 'roomIds',
        options: [
          { value: 'A-r', label: 'Hall (A)' },
          { value: 'B-r', label: 'Hall (B)' },
        ],
      },
    ]);
  });
});

describe('a QR code', () => {
  it('is one path with four quiet modules around it', () => {
    const { size, path } = drawQr('http://hearthd.local:5656/s/abc');
    expect(size).toBeGreaterThan(21);
    // The finder pattern at the top left: seven dark modules, four from the edge.
    expect(path.startsWith('M4 4h7v1h-7z')).toBe(true);
  });
});
