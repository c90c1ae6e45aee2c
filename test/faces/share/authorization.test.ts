/** Every verb × every kind of share: what a link may is what its rows give, whoever holds it, and never more than what is shared. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERBS } from '../../../src/faces/share/verbs.ts';
import { World } from '../../support/authorization-world.ts';
import { createRestClient } from '../../support/rest-client.ts';
import { systemCaller } from '../../support/test-home.ts';

const PASSCODE = 'open sesame';

let world: World;
const links = new Map<string, string>();

beforeAll(async () => {
  world = await World.create();
  const { accessory: entityId } = world.ids.own;
  const rows = [
    ['view', 'room', world.ids.own.room, 'public'],
    ['control', 'accessory', entityId, 'public'],
    ['passcode', 'home', world.ids.own.home, 'passcode'],
  ] as const;
  for (const [name, entityType, id, accessType] of rows) {
    if (name === 'control') {
      links.set(name, world.links.own);
      continue;
    }
    const role = name === 'view' ? 'view' : 'control';
    const passcode = accessType === 'passcode' ? { passcode: PASSCODE } : {};
    const { shareHash } = await world.test.shares.create(systemCaller, {
      entityType,
      entityId: id,
      accessType,
      role,
      ...passcode,
    });
    links.set(name, shareHash);
  }
  links.set('forged', 'A'.repeat(world.links.own.length));
});
afterAll(() => world.close());

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
    await world.test.clock.advance(60_000);
    const client = createRestClient(world.app);
    const query = passcode === undefined ? '' : `?passcode=${encodeURIComponent(passcode)}`;
    const before = world.test.driver.writes.length;
    for (const method of ['GET', 'POST']) {
      const where = `/s/${links.get(name)}/${path.replaceAll(/:\w+/g, path.startsWith('temp') ? '200' : '50')}${query}`;
      const { body } = await client.request(method, where);
      // What the lamp does not have is not shared either.
      const code = body.code === 'characteristic_not_found' ? 'granted' : (body.code ?? 'granted');
      expect([method, code]).toEqual([method, expected]);
    }
    if (expected !== 'granted') expect(world.test.driver.writes).toHaveLength(before);
  });
});
