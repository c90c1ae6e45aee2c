/** Publications as operations: who may, what is refused, and what a preview shows. */
import { afterEach, describe, expect, it } from 'vitest';
import type { NewPublication } from '../../../src/contract/publications.ts';
import { HearthError } from '../../../src/kernel/errors.ts';
import { callerOf, systemCaller, tokenCaller, userCaller } from '../../support/test-home.ts';
import { openPublishedHome, type PublishedHome, publishedNamed } from './publication-fixture.ts';

const NO_ID = '00000000-0000-4000-8000-000000000000';

let home: PublishedHome;
afterEach(async () => {
  await home?.publications.servers.stop();
  home?.close();
});

async function codeOf(act: () => unknown): Promise<unknown> {
  try {
    await act();
  } catch (error) {
    return error instanceof HearthError ? [error.code, error.details.field ?? error.details.reason] : error;
  }
  return 'done';
}

describe('a publication', () => {
  it('is refused with a name that is taken, too many of them, and what is not in the home', async () => {
    home = await openPublishedHome();
    await home.publish();
    const refused = (input: Partial<NewPublication> | object) => codeOf(() => home.publish(input));
    expect(await refused({ name: 'hearth' })).toEqual(['conflict', 'name']);
    expect(await refused({ name: ' ' })).toEqual(['invalid_value', 'bad_name']);
    expect(await refused({ name: 'X', kind: 'alexa' })).toEqual(['invalid_value', 'kind']);
    expect(await refused({ name: 'X', homeId: NO_ID })).toEqual(['home_not_found', undefined]);
    for (const field of ['roomIds', 'accessoryIds', 'serviceGroupIds', 'sceneIds']) {
      const selection = { scope: 'selected', [field]: [NO_ID] };
      expect(await refused({ name: 'X', selection })).toEqual(['invalid_value', `selection.${field}`]);
    }
    for (let count = 2; count <= 16; count += 1) await home.publish({ name: `Hearth ${count}` });
    expect(await refused({ name: 'Hearth 17' })).toEqual(['conflict', 'limit_reached']);
  });

  it('is for admins in person: a viewer, a token and an app get nothing of it', async () => {
    const roles = {
      roleOf: (userId: string) => (userId === 'ada' ? ('admin' as const) : ('view' as const)),
      homesOf: () => [home.home.id],
    };
    home = await openPublishedHome({ roles });
    const { id } = await home.publish();
    const { publications } = home;
    const app = callerOf({
      ...{ kind: 'oauth_client', clientId: 'app', userId: 'ada', scope: 'admin', homePermissions: null },
    });
    for (const caller of [userCaller('bob'), tokenCaller(), app]) {
      for (const act of [
        () => publications.list(caller),
        () => publications.list(caller, home.home.id),
        () => publications.get(caller, id),
        () => publications.create(caller, { name: 'X', kind: 'homekit', homeId: home.home.id }),
        () => publications.update(caller, id, { name: 'X' }),
        () => publications.preview(caller, { kind: 'homekit', homeId: home.home.id }),
        () => publications.previewSaved(caller, id),
        () => publications.pause(caller, id),
        () => publications.resume(caller, id),
        () => publications.reset(caller, id),
        () => publications.controllers(caller, id),
        () => publications.removeController(caller, id, 'phone'),
        () => publications.delete(caller, id),
      ]) {
        expect(await codeOf(act)).toEqual(['insufficient_permissions', undefined]);
      }
    }
    expect(publications.list(userCaller('ada')).map(({ name }) => name)).toEqual(['Hearth']);
  });

  it('lets its controllers control its home, and nothing more', async () => {
    home = await openPublishedHome();
    const { id } = await home.publish();
    const principal = { kind: 'publication' as const, publicationId: id, homeId: home.home.id, controller: 'phone' };
    const caller = callerOf(principal);
    const other = home.homes.create(systemCaller, { name: 'Cottage' });
    expect([home.home.id, other.id].map((homeId) => home.access.roleIn(caller, homeId))).toEqual([
      'control',
      undefined,
    ]);
    expect(await codeOf(() => home.rooms.create(caller, { homeId: home.home.id, name: 'Attic' }))).toEqual([
      'insufficient_permissions',
      undefined,
    ]);
    expect(await codeOf(() => home.publications.get(caller, id))).toEqual(['insufficient_permissions', undefined]);
  });

  it('is closed while it is paused, and has what changed meanwhile when it is resumed', async () => {
    home = await openPublishedHome();
    const { id, bridges } = await home.publish();
    expect(await home.publications.pause(systemCaller, id)).toMatchObject({
      status: 'paused',
      bridges: [{ port: null }],
    });
    expect(home.bridges.running).toEqual([]);
    home.accessories.update(systemCaller, home.named('Lamp').id, { name: 'Ceiling' });
    await home.settle();
    const resumed = await home.publications.resume(systemCaller, id);
    expect(resumed).toMatchObject({ status: 'open', bridges: [{ port: bridges[0]?.port }] });
    expect(publishedNamed(home, 'Ceiling').aid).not.toBe('');
  });

  it('is open again under its new name, and gone with its home', async () => {
    home = await openPublishedHome();
    const { id } = await home.publish();
    await home.publications.update(systemCaller, id, { name: 'Flat' });
    expect(home.bridges.running.map(({ deps }) => deps.identity.name)).toEqual(['Flat']);
    const { id: homeId } = home.homes.create(systemCaller, { name: 'Cottage' });
    await home.publish({ homeId, name: 'Cottage' });
    home.homes.delete(systemCaller, homeId);
    await home.settle();
    expect(home.bridges.running.map(({ deps }) => deps.identity.name)).toEqual(['Flat']);
    await home.publications.delete(systemCaller, id);
    expect(home.bridges.running).toEqual([]);
    expect(home.publications.list(systemCaller)).toEqual([]);
  });

  it('keeps what was deleted in its selection, and takes other changes', async () => {
    home = await openPublishedHome();
    const accessoryIds = [home.named('Heater').id, home.named('Lamp').id];
    const { id } = await home.publish({ selection: { scope: 'selected', accessoryIds } });
    await home.driver.unpair('10:00:00:00:00:01', true);
    await home.settle();
    const selection = { scope: 'selected', accessoryIds, types: ['lock'] };
    const updated = await home.publications.update(systemCaller, id, { selection });
    expect(updated.bridges[0]?.accessories).toBe(2);
  });

  it('has a controller until it is removed, and none after the last admin', async () => {
    home = await openPublishedHome();
    const { id } = await home.publish();
    const bridge = home.bridges.named('Hearth');
    const { controllers } = bridge.deps;
    const key = { publicKey: Buffer.alloc(32) };
    controllers.put({ identifier: 'phone', isAdmin: true, ...key });
    controllers.put({ identifier: 'tablet', isAdmin: false, ...key });
    bridge.connected = [{ identifier: 'phone', address: '192.168.1.30', since: 1 }];
    controllers.seen('phone');
    expect(home.publications.controllers(systemCaller, id)).toMatchObject([
      { identifier: 'phone', isAdmin: true, isConnected: true, address: '192.168.1.30', lastSeenAt: home.clock.now() },
      { identifier: 'tablet', name: null, isAdmin: false, isConnected: false, address: null, lastSeenAt: null },
    ]);
    expect(await codeOf(() => home.publications.removeController(systemCaller, id, 'watch'))).toEqual([
      'not_found',
      undefined,
    ]);
    home.publications.removeController(systemCaller, id, 'phone');
    expect(home.publications.controllers(systemCaller, id)).toEqual([]);
    expect(bridge.controllersChangedCount).toBe(1);
  });
});

describe('a preview', () => {
  it('shows what goes out, as what and where, and stores nothing', async () => {
    home = await openPublishedHome();
    const preview = home.publications.preview(systemCaller, {
      ...{ kind: 'homekit', homeId: home.home.id },
      selection: { scope: 'selected', types: ['light'] },
    });
    expect(preview).toEqual({
      items: [
        {
          ...{ id: home.named('Lamp').id, kind: 'accessory', name: 'Lamp', room: 'Living Room' },
          ...{ publishedAs: 'light', bridge: 'New publication', reason: null, note: null, remarks: [] },
        },
      ],
      bridges: [{ name: 'New publication', accessories: 1 }],
      warnings: [],
      remarks: [],
    });
    expect(home.publications.list(systemCaller)).toEqual([]);
    const empty = { kind: 'homekit', homeId: home.home.id, selection: { scope: 'selected' as const } };
    expect(home.publications.preview(systemCaller, empty).warnings).toEqual([
      'Nothing of this can be published. The bridge would be empty.',
    ]);
  });

  it('warns of what a controller would treat as new', async () => {
    home = await openPublishedHome();
    const selection = { scope: 'selected' as const, accessoryIds: [home.named('Lamp').id] };
    const { id } = await home.publish({ selection });
    home.bridges.named('Hearth').deps.controllers.put({
      ...{ identifier: 'phone', publicKey: Buffer.alloc(32), isAdmin: true },
    });
    const { items, warnings } = home.publications.preview(systemCaller, {
      ...{ kind: 'homekit', publicationId: id, selection: { scope: 'home' } },
    });
    expect(warnings).toEqual([]);
    const noteOf = (name: string) => items.find((item) => item.name === name)?.note;
    expect(noteOf('Lamp')).toBeNull();
    expect(noteOf('Heater')).toBe('Apple Home will treat this as a new accessory.');
    const remarks = [{ code: 'new_in_apple_home', count: null, limit: null }];
    expect(items.find(({ name }) => name === 'Heater')?.remarks).toEqual(remarks);
    const narrower = { kind: 'homekit', publicationId: id, selection: { scope: 'selected' as const, types: ['lock'] } };
    const leaving = ['What leaves the selection (1) leaves Apple Home, with its rooms and automations there.'];
    expect(home.publications.preview(systemCaller, narrower)).toMatchObject({
      warnings: leaving,
      remarks: [{ code: 'leaves_apple_home', count: 1, limit: null }],
    });
    expect(home.publications.previewSaved(systemCaller, id).warnings).toEqual([]);
    await home.publications.pause(systemCaller, id);
    expect(home.publications.preview(systemCaller, narrower).warnings, 'also while it is paused').toEqual(leaving);
  });
});
