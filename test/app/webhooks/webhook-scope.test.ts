import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { NewWebhook } from '../../../src/contract/webhooks.ts';
import type { EventReport } from '../../../src/home/event-reports.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';
import { CountingHasher, createUser } from '../../support/test-users.ts';
import { createWebhookFixture, type WebhookFixture } from './webhook-fixture.ts';

let home: TestHome;
let fixture: WebhookFixture;
/** The home's reports, as the deliverer receives them. */
let received: EventReport[];

beforeEach(() => {
  home = createTestHome({ sample: true, passwordHasher: new CountingHasher() });
  fixture = createWebhookFixture(home);
  received = [];
  home.reports.on((report) => received.push(report));
});
afterEach(() => home.close());

/** Makes a webhook of the home itself. @returns whether it receives the first event of the act */
function listener(input: Partial<NewWebhook>): (act: () => unknown) => boolean | undefined {
  const { webhook } = fixture.webhooks.create(systemCaller, { name: 'W', url: 'https://example.com/', ...input });
  return subscribed(webhook.id);
}

function subscribed(id: string): (act: () => unknown) => boolean | undefined {
  return (act) => {
    received.length = 0;
    act();
    const [webhook, report] = [fixture.registry.find(id), received[0]];
    return webhook && report && fixture.scope.concerns(webhook, report);
  };
}

const reachable =
  (name: string, isReachable = false) =>
  (): void =>
    home.bus.emit('accessory.reachability_changed', {
      ...{ homeId: home.named(name).homeId, accessoryId: home.named(name).id },
      ...{ reachable: isReachable, at: 0 },
    });
const sceneExecuted = (): void =>
  home.bus.emit('scene.executed', { homeId: home.home.id, sceneId: 's', name: 'Night', success: true, at: 0 });
const relayStarted = (): void => home.bus.emit('relay.started', { version: '1', at: 0 });

describe('what a webhook receives', () => {
  it('everything, unless its types or its lists narrow it', () => {
    const all = listener({});
    expect([reachable('Lamp'), sceneExecuted, relayStarted].map(all)).toEqual([true, true, true]);
    const some = listener({ eventTypes: ['scene.executed', 'relay.started'] });
    expect([reachable('Lamp'), sceneExecuted, relayStarted].map(some)).toEqual([false, true, true]);
    expect([reachable('Lamp'), sceneExecuted].map(listener({ eventTypes: ['webhook.test'] }))).toEqual([false, false]);
  });

  it('a list of homes: what is about one of them, and nothing that is about no home', () => {
    const cabin = home.homes.create(systemCaller, { name: 'Cabin' });
    const here = listener({ homeIds: [home.home.id] });
    expect([reachable('Lamp'), sceneExecuted, relayStarted].map(here)).toEqual([true, true, false]);
    expect([reachable('Lamp'), sceneExecuted].map(listener({ homeIds: [cabin.id] }))).toEqual([false, false]);
  });

  it('a list of rooms: what is in one of them now, and nothing without a room', () => {
    const lamp = home.named('Lamp');
    const inRoom = listener({ roomIds: [lamp.roomId] });
    expect([reachable('Lamp'), reachable('Front Door'), sceneExecuted].map(inRoom)).toEqual([true, false, false]);
    home.accessories.update(systemCaller, lamp.id, { roomId: home.named('Front Door').roomId });
    expect(inRoom(reachable('Lamp'))).toBe(false);
  });

  it('a list of accessories: what is about one of them', () => {
    const ofLamp = listener({ accessoryIds: [home.named('Lamp').id] });
    expect([reachable('Lamp'), reachable('Motion'), sceneExecuted].map(ofLamp)).toEqual([true, false, false]);
  });

  it('a list of collections: what is about an accessory in one of them now, or a member of a group in it', () => {
    const [homeId, lamp, kettle] = [home.home.id, home.named('Lamp'), home.named('Kettle')];
    const accessoryIds = [kettle.id];
    const group = home.serviceGroups.create(systemCaller, { homeId, name: 'Kitchen', accessoryIds });
    const items = [
      { home_id: homeId, accessory_id: lamp.id },
      { home_id: homeId, service_group_id: group.id },
    ];
    const collection = home.collections.create(systemCaller, { name: 'Mine', payload: { items } });
    const collected = listener({ collectionIds: [collection.id] });
    const all = [reachable('Lamp'), reachable('Kettle'), reachable('Motion'), sceneExecuted];
    expect(all.map(collected)).toEqual([true, true, false, false]);
    home.collections.update(systemCaller, collection.id, { payload: { items: items.slice(1) } });
    expect(all.map(collected)).toEqual([false, true, false, false]);
    home.serviceGroups.delete(systemCaller, group.id);
    expect(all.map(collected)).toEqual([false, false, false, false]);
  });

  it('a collection is read once for all events between two changes of anything, however much is in it', () => {
    const items = [{ home_id: home.home.id, accessory_id: home.named('Lamp').id }];
    const { id } = home.collections.create(systemCaller, { name: 'Mine', payload: { items } });
    const collected = listener({ collectionIds: [id] });
    const read = vi.spyOn(JSON, 'parse');
    expect([1, 2, 3].map(() => collected(reachable('Lamp')))).toEqual([true, true, true]);
    expect(read).toHaveBeenCalledOnce();
    read.mockRestore();
    home.database.prepare('UPDATE collections SET payload = ?').run('{"groups":[],"items":[]}');
    expect(collected(reachable('Lamp'))).toBe(false);
    home.database.prepare('DELETE FROM collections').run();
    expect(collected(reachable('Lamp'))).toBe(false);
  });

  it('every list narrows it, regardless of the others', () => {
    const [lamp, door] = [home.named('Lamp'), home.named('Front Door')];
    const both = listener({ homeIds: [home.home.id], roomIds: [lamp.roomId], accessoryIds: [lamp.id, door.id] });
    expect([reachable('Lamp'), reachable('Front Door'), reachable('Thermostat')].map(both)).toEqual([
      ...[true, false, false],
    ]);
  });

  it('never more for a list that names something: each only takes away', () => {
    const ids = ['a', 'b', 'c'] as const;
    const list = fc.subarray([...ids]);
    const lists = fc.record({ homeIds: list, roomIds: list, accessoryIds: list });
    const { webhook } = fixture.webhooks.create(systemCaller, { name: 'W', url: 'https://example.com/' });
    const base = fixture.registry.find(webhook.id);
    if (!base) throw new Error('It is not there');
    const about = fc.constantFrom(...ids, null);
    const report = fc.record({
      ...{ type: fc.constantFrom('state.changed', 'scene.executed'), homeId: about, roomId: about, accessoryId: about },
    });
    fc.assert(
      fc.property(lists, fc.constantFrom('homeIds', 'roomIds', 'accessoryIds'), report, (chosen, emptied, event) => {
        const receives = (some: Partial<typeof chosen>): boolean =>
          fixture.scope.concerns({ ...base, ...chosen, ...some }, event as EventReport);
        expect(receives({})).toBe(receives({}) && receives({ [emptied]: [] }));
        const named = { homeIds: event.homeId, roomIds: event.roomId, accessoryIds: event.accessoryId };
        const fits = Object.entries(named).every(([key, id]) => {
          const wanted = chosen[key as keyof typeof chosen];
          return wanted.length === 0 || (id !== null && wanted.some((one) => one === id));
        });
        expect(receives({})).toBe(fits);
      }),
    );
  });

  it('nothing, and not everything, once all that a list names is gone', () => {
    const homeId = home.home.id;
    const cabin = home.homes.create(systemCaller, { name: 'Cabin' });
    const attic = home.rooms.create(systemCaller, { homeId, name: 'Attic' });
    const collection = home.collections.create(systemCaller, { name: 'Mine' });
    const lists = [{ homeIds: [cabin.id] }, { roomIds: [attic.id] }, { collectionIds: [collection.id] }];
    const listeners = lists.map(listener);
    home.collections.delete(systemCaller, collection.id);
    home.rooms.delete(systemCaller, attic.id);
    home.homes.delete(systemCaller, cabin.id);
    fixture.registry.refresh();
    for (const receives of listeners) {
      expect([reachable('Lamp'), sceneExecuted, relayStarted].map(receives)).toEqual([false, false, false]);
    }
    expect(fixture.webhooks.list(systemCaller)).toMatchObject(lists);
  });

  it('an accessory that comes back under its id is sent again', () => {
    const lamp = home.named('Lamp');
    const ofLamp = listener({ accessoryIds: [lamp.id] });
    const removed = (): void =>
      home.bus.emit('accessory.removed', {
        ...{ homeId: lamp.homeId, accessoryId: lamp.id, name: 'Lamp', roomId: lamp.roomId, at: 0 },
      });
    expect(ofLamp(removed)).toBe(true);
    expect(ofLamp(reachable('Lamp', true))).toBe(true);
  });
});

describe('a user’s webhook', () => {
  it('receives only homes that its owner manages at that moment', async () => {
    const ann = await createUser(home, { name: 'Ann', role: 'admin' });
    home.userSettings.update(ann.caller, { developerMode: true });
    const cabin = home.homes.create(systemCaller, { name: 'Cabin' });
    const { webhook } = fixture.webhooks.create(ann.caller, { name: 'W', url: 'https://example.com/' });
    const receives = subscribed(webhook.id);
    const inCabin = (): void =>
      home.bus.emit('scene.executed', { homeId: cabin.id, sceneId: 's', name: 'Fire', success: true, at: 0 });
    const all = [reachable('Lamp'), sceneExecuted, relayStarted, inCabin];
    expect(all.map(receives)).toEqual([true, true, true, false]);
    const [member] = home.members.list(systemCaller, home.home.id).filter(({ email }) => email === 'ann@example.org');
    home.members.setRole(systemCaller, { homeId: home.home.id, memberId: member?.id ?? '', role: 'control' });
    expect(all.map(receives)).toEqual([false, false, false, false]);
    home.members.setRole(systemCaller, { homeId: home.home.id, memberId: member?.id ?? '', role: 'owner' });
    expect(all.map(receives)).toEqual([true, true, true, false]);
    home.users.delete(systemCaller, ann.user.id);
    expect(all.map(receives)).toEqual([undefined, undefined, undefined, undefined]);
  });
});
