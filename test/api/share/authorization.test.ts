/**
 * Every verb × every kind of share: a link may do what its rows grant, for every holder, and never more than what is
 * shared.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERBS } from '../../../src/api/share/verbs.ts';
import { AuthorizationFixture } from '../../support/authorization-fixture.ts';
import { createRestClient } from '../../support/rest-client.ts';
import { systemCaller } from '../../support/test-home.ts';

const PASSCODE = 'open sesame';

let fixture: AuthorizationFixture;
const links = new Map<string, string>();

beforeAll(async () => {
  fixture = await AuthorizationFixture.create();
  const { accessory: entityId } = fixture.ids.own;
  const rows = [
    ['view', 'room', fixture.ids.own.room, 'public'],
    ['control', 'accessory', entityId, 'public'],
    ['passcode', 'home', fixture.ids.own.home, 'passcode'],
  ] as const;
  for (const [name, entityType, id, accessType] of rows) {
    if (name === 'control') {
      links.set(name, fixture.links.own);
      continue;
    }
    const role = name === 'view' ? 'view' : 'control';
    const passcode = accessType === 'passcode' ? { passcode: PASSCODE } : {};
    const { shareHash } = await fixture.test.shares.create(systemCaller, {
      entityType,
      entityId: String(id),
      accessType,
      role,
      ...passcode,
    });
    links.set(name, shareHash);
  }
  links.set('forged', 'A'.repeat(fixture.links.own.length));
});
afterAll(() => fixture.close());

/** What each link gives, asked with this passcode. */
const HOLDERS = [
  ['view', undefined, 'insufficient_permissions'],
  ['control', undefined, 'granted'],
  ['passcode', undefined, 'passcode_required'],
  ['passcode', PASSCODE, 'granted'],
  ['forged', undefined, 'share_not_found'],
] as const;

describe.each(VERBS.map(({ path }) => path))('/s/{hash}/%s', (path) => {
  it.each(HOLDERS)('with a link to %s and the passcode %s is %s', async (name, passcode, expected) => {
    // How often a link acts is bounded by the minute.
    await fixture.test.clock.advance(60_000);
    const client = createRestClient(fixture.app);
    const query = passcode === undefined ? '' : `?passcode=${encodeURIComponent(passcode)}`;
    const before = fixture.test.driver.writes.length;
    for (const method of ['GET', 'POST']) {
      const where = `/s/${links.get(name)}/${path.replaceAll(/:\w+/g, path.startsWith('temp') ? '200' : '50')}${query}`;
      const { body } = await client.request(method, where);
      // What the lamp does not have is not shared either.
      const code = body.code === 'characteristic_not_found' ? 'granted' : (body.code ?? 'granted');
      expect([method, code]).toEqual([method, expected]);
    }
    if (expected !== 'granted') expect(fixture.test.driver.writes).toHaveLength(before);
  });
});
