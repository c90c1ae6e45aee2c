/**
 * Every combination of a person's role, a token's or an app's permissions and an app's scope, at four APIs that need
 * one role each: the other tests of this kind try fewer callers at every door. And those who come through no door of
 * the network: an automation and an open share link, which call operations.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, ROLES, type Role } from '../../src/app/access/caller.ts';
import { HearthError } from '../../src/kernel/errors.ts';
import { AuthorizationFixture } from '../support/authorization-fixture.ts';
import { PLACES, type Standing, type Verdict, verdictOf, type Worth } from '../support/authorization-model.ts';
import { everyCombination } from '../support/authorization-principals.ts';
import { createRestClient, type RestAnswer } from '../support/rest-client.ts';
import { callerOf } from '../support/test-home.ts';

type Ids = Readonly<Record<string, string>>;
type Client = ReturnType<typeof createRestClient>;

/** What can be asked again and again without harm, for each role that it takes. */
const PROBES: Readonly<Record<Role, (client: Client, ids: Ids) => Promise<RestAnswer>>> = {
  view: (client, { home }) => client.get(`/rest/rooms?home=${home}`),
  control: (client, { accessory }) => client.post(`/rest/accessories/${accessory}/identify`),
  admin: (client, { home }) => client.patch(`/rest/homes/${home}`, { paused: false }),
  owner: (client, { home }) => client.delete(`/rest/homes/${home}`),
};
/** What is granted comes to this: a home that still has accessories is not deleted. */
const GRANTED: Readonly<Record<Role, number>> = { view: 200, control: 200, admin: 200, owner: 422 };
const STATUS: Readonly<Record<Verdict, number>> = { stranger: 401, hidden: 404, refused: 403, granted: 200 };

let fixture: AuthorizationFixture;
beforeAll(async () => {
  fixture = await AuthorizationFixture.create();
});
afterAll(() => fixture.close());

describe('over the network', () => {
  it.each(everyCombination().map((who) => [who.name, who] as const))('%s', async (_, who) => {
    const { token, viaSocket } = await fixture.credentialsOf(who);
    const client = createRestClient(fixture.app, token, viaSocket && { viaSocket });
    for (const here of ROLES) {
      for (const place of PLACES) {
        const { status } = await PROBES[here](client, fixture.ids[place]);
        const verdict = verdictOf(who, { here }, place);
        expect([here, place, status]).toEqual([here, place, verdict === 'granted' ? GRANTED[here] : STATUS[verdict]]);
      }
    }
  });
});

/** The same probes as operations. */
const OPERATIONS: Readonly<Record<Role, (caller: Caller, ids: Ids) => unknown>> = {
  view: (caller, { home = '' }) => fixture.test.rooms.list(caller, home),
  control: (caller, { scene = '' }) => fixture.test.scenes.execute(caller, scene),
  admin: (caller, { home = '' }) => fixture.test.homes.update(caller, home, { paused: false }),
  owner: (caller, { home: homeId = '' }) =>
    fixture.test.members.invite(caller, { homeId, email: 'newer@example.org', role: 'admin' }),
};

async function verdictFor(act: () => unknown): Promise<Verdict> {
  try {
    await act();
    return 'granted';
  } catch (error) {
    if (!(error instanceof HearthError)) throw error;
    if (error.code.endsWith('not_found')) return 'hidden';
    expect(error.code).toBe('insufficient_permissions');
    return 'refused';
  }
}

describe('inside', () => {
  const standing = (kind: Standing['kind'], worth: Worth): Standing => ({ kind, worth });

  it('an automation controls its home and no other', async () => {
    const { home = '', automation = '' } = fixture.ids.own;
    const caller = callerOf({ kind: 'automation', automationId: automation, homeId: home });
    for (const here of ROLES) {
      for (const place of PLACES) {
        const verdict = await verdictFor(() => OPERATIONS[here](caller, fixture.ids[place]));
        const expected = verdictOf(standing('automation', { own: 'control' }), { here }, place);
        expect([here, place, verdict]).toEqual([here, place, expected]);
      }
    }
  });

  it('a share link reaches what is shared and nothing of the home around it', async () => {
    const { caller } = await fixture.test.shares.open(callerOf({ kind: 'anonymous' }), { hash: fixture.links.own });
    for (const here of ROLES) {
      for (const place of PLACES) {
        expect(await verdictFor(() => OPERATIONS[here](caller, fixture.ids[place]))).toBe('hidden');
      }
    }
    const identify = (id = '') => verdictFor(() => fixture.test.control.identify(caller, id));
    expect(await identify(fixture.ids.own.accessory)).toBe('granted');
    expect(await identify(fixture.ids.own.counter)).toBe('hidden');
    expect(await identify(fixture.ids.foreign.accessory)).toBe('hidden');
  });

  it('an unknown caller reaches nothing', async () => {
    for (const here of ROLES) {
      expect(await verdictFor(() => OPERATIONS[here](callerOf({ kind: 'anonymous' }), fixture.ids.own))).toBe('hidden');
    }
  });
});
