/** People who try to come by more than they were given: with what has no owner, and with a session that is ending. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/app/access/caller.ts';
import { createTestHome, systemCaller, type TestHome } from '../support/test-home.ts';
import { anonymousCaller, CountingHasher, createUser } from '../support/test-users.ts';

const refused = (code: string) => expect.objectContaining({ code });

describe('an admin of one home', () => {
  let home: TestHome;
  let cabinId: string;
  let ben: Caller;

  beforeEach(async () => {
    home = createTestHome({ sample: true, passwordHasher: new CountingHasher() });
    cabinId = home.homes.create(systemCaller, { name: 'Cabin' }).id;
    ben = (await createUser(home, { name: 'Ben', role: 'admin', homeId: cabinId })).caller;
  });

  afterEach(() => home.close());

  it('neither sees nor widens what the command line shares of another, though its collections are open to him', async () => {
    const items = [{ home_id: home.home.id, accessory_id: home.named('Front Door').id }];
    const { id: entityId } = home.collections.create(systemCaller, { name: 'Doors', payload: { items } });
    const entity = { entityType: 'collection', entityId };
    const { share } = await home.shares.create(systemCaller, { ...entity, accessType: 'public', role: 'view' });
    const own = home.collections.create(systemCaller, { name: 'Empty' });
    const ownShare = { entityType: 'collection', entityId: own.id, accessType: 'public', role: 'view' };
    const { share: harmless } = await home.shares.create(systemCaller, ownShare);

    expect(() => home.shares.list(ben, 'collection', entityId)).toThrow(refused('insufficient_permissions'));
    expect(() => home.shares.info(ben, 'collection', entityId)).toThrow(refused('insufficient_permissions'));
    await expect(home.shares.update(ben, share.id, { role: 'control' })).rejects.toEqual(
      refused('insufficient_permissions'),
    );
    expect(() => home.shares.delete(ben, share.id)).toThrow(refused('insufficient_permissions'));
    await expect(home.shares.open(anonymousCaller(), { hash: share.shareHash })).resolves.toMatchObject({
      role: 'view',
    });
    // What reaches into no other home belongs to each of its admins, as ever.
    expect(home.shares.list(ben, 'collection', own.id)).toMatchObject([{ id: harmless.id }]);
    home.shares.delete(ben, harmless.id);
  });
});

describe('who may only look into a home and manages another', () => {
  it('puts nothing of the first into what the command line has shared', async () => {
    const home = createTestHome({ sample: true, passwordHasher: new CountingHasher() });
    const cabin = home.homes.create(systemCaller, { name: 'Cabin' });
    const ben = await createUser(home, { name: 'Ben', role: 'admin', homeId: cabin.id });
    home.members.invite(systemCaller, { homeId: home.home.id, email: ben.user.email, role: 'view' });
    home.members.accept(ben.caller, home.home.id);
    const { id } = home.collections.create(systemCaller, { name: 'Doors' });
    const items = [{ home_id: home.home.id, accessory_id: home.named('Front Door').id }];
    expect(() => home.collections.update(ben.caller, id, { payload: { items } })).toThrow(refused('home_not_found'));
    home.collections.update(systemCaller, id, { payload: { items } });
    for (const act of [
      () => home.collections.update(ben.caller, id, { payload: { items: [] } }),
      () => home.collections.delete(ben.caller, id),
    ]) {
      expect(act).toThrow(refused('insufficient_permissions'));
    }
    home.close();
  });
});

describe('a person whose session is ended', () => {
  it('approves nothing any more, even with the right password sent before', async () => {
    const home = createTestHome({ passwordHasher: new CountingHasher() });
    const ann = await createUser(home, { name: 'Ann', founder: true });
    expect(await home.users.verifyPassword(ann.caller, ann.password)).toBe(true);
    const approving = home.users.verifyPassword(ann.caller, ann.password);
    home.sessions.endAll(systemCaller, { userId: ann.user.id });
    expect(await approving).toBe(false);
    home.close();
  });
});
