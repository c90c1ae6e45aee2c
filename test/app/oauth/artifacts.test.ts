import { afterEach, expect, it, vi } from 'vitest';
import { Expiry } from '../../../src/app/access/expiry.ts';
import { createTestHome } from '../../support/test-home.ts';
import { anonymousCaller, CountingHasher, createUser } from '../../support/test-users.ts';

afterEach(() => vi.restoreAllMocks());

it('an app that renews its tokens without end costs a bounded amount of memory', async () => {
  const tracked = new Set<string>();
  const { track, forget } = Expiry.prototype;
  vi.spyOn(Expiry.prototype, 'track').mockImplementation(function (this: Expiry, key, expiresAt) {
    if (key.startsWith('RefreshToken ')) tracked.add(key);
    track.call(this, key, expiresAt);
  });
  vi.spyOn(Expiry.prototype, 'forget').mockImplementation(function (this: Expiry, key) {
    tracked.delete(key);
    forget.call(this, key);
  });
  const home = createTestHome({ passwordHasher: new CountingHasher() });
  const { user } = await createUser(home, { founder: true });
  const { client } = home.oauthClients.register(anonymousCaller(), { redirect_uris: ['https://app.example/callback'] });
  const grant = { payload: {}, clientId: client.id, userId: user.id, grantId: 'grant', ttlMs: 30 * 86_400_000 };
  for (let token = 0; token < 12_000; token += 1) {
    const value = `token ${token}`;
    home.oauthArtifacts.save({ kind: 'RefreshToken', value, ...grant });
    expect(home.oauthArtifacts.find('RefreshToken', value)).toBeDefined();
    home.oauthArtifacts.delete('RefreshToken', value);
  }
  expect(tracked.size).toBe(10_000);
  home.close();
});
