import { afterEach, expect, it, vi } from 'vitest';
import { Expiry } from '../../../src/app/access/expiry.ts';
import { createTestHome } from '../../support/test-home.ts';
import { anonymousCaller, CountingHasher, createUser } from '../../support/test-users.ts';

const DAY_MS = 86_400_000;

afterEach(() => vi.restoreAllMocks());

/** The refresh tokens whose end is kept in memory. */
function watchRefreshTokens(): ReadonlySet<string> {
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
  return tracked;
}

async function openGrant() {
  const home = createTestHome({ passwordHasher: new CountingHasher() });
  const { user } = await createUser(home, { founder: true });
  const { client } = home.oauthClients.register(anonymousCaller(), { redirect_uris: ['https://app.example/callback'] });
  return { home, grant: { payload: {}, clientId: client.id, userId: user.id, grantId: 'grant', ttlMs: 30 * DAY_MS } };
}

it('an app that renews its tokens without end costs a bounded amount of memory', async () => {
  const tracked = watchRefreshTokens();
  const { home, grant } = await openGrant();
  for (let token = 0; token < 12_000; token += 1) {
    const value = `token ${token}`;
    home.oauthArtifacts.save({ kind: 'RefreshToken', value, ...grant });
    expect(home.oauthArtifacts.find('RefreshToken', value)).toBeDefined();
    home.oauthArtifacts.delete('RefreshToken', value);
  }
  expect(tracked.size).toBe(10_000);
  home.close();
});

it('the end of a token is known for as long as the token is stored, a day longer than it is good', async () => {
  const tracked = watchRefreshTokens();
  const { home, grant } = await openGrant();
  home.oauthArtifacts.save({ kind: 'RefreshToken', value: 'token', ...grant });
  const stored = () => home.database.prepare("SELECT 1 FROM oauth_artifacts WHERE kind = 'RefreshToken'").all();
  await home.clock.advance(30 * DAY_MS);
  home.oauthArtifacts.noteExpired();
  await home.clock.advance(DAY_MS);
  home.oauthArtifacts.prune();
  expect([tracked.size, stored().length]).toEqual([1, 1]);
  await home.clock.advance(1);
  home.oauthArtifacts.prune();
  expect([tracked.size, stored().length]).toEqual([0, 0]);
  home.close();
});

it('a token lasts until its expiry, and no less than nothing afterwards', async () => {
  const home = createTestHome({ passwordHasher: new CountingHasher() });
  const { user } = await createUser(home, { founder: true });
  const { client } = home.oauthClients.register(anonymousCaller(), { redirect_uris: ['https://app.example/callback'] });
  const grant = { payload: {}, clientId: client.id, userId: user.id, grantId: 'grant', ttlMs: 5_000 };
  home.oauthArtifacts.save({ kind: 'AccessToken', value: 'token', ...grant });
  const token = home.oauthArtifacts.find('AccessToken', 'token');
  if (!token) throw new Error('It was not kept');
  await home.clock.advance(2_000);
  expect(home.oauthArtifacts.remainingMs(token)).toBe(3_000);
  await home.clock.advance(4_000);
  expect(home.oauthArtifacts.remainingMs(token)).toBe(0);
  home.close();
});
