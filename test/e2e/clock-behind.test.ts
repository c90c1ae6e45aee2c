/** A whole relay whose clock is behind after a restart, as on a computer without a clock battery. */
import { afterEach, expect, it } from 'vitest';
import { E2eRelay } from '../support/e2e-relay.ts';
import { TestClock } from '../support/test-clock.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let relay: E2eRelay;
let clock: TestClock;
afterEach(() => relay?.[Symbol.asyncDispose]());

interface Ending {
  readonly lifeMs: number;
  /** @returns a request whose status shows whether it still is good */
  readonly make: () => Promise<() => Promise<number>>;
  /** While it is good, and after its end. */
  readonly statuses: readonly [good: number, ended: number];
}

const statusOf = async (path: string, token?: string): Promise<number> => {
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  return (await fetch(`${relay.url}${path}`, { headers, redirect: 'manual' })).status;
};

const homeId = async (): Promise<string> => (await relay.asSystem('GET', '/rest/homes')).body[0].id;

const ENDINGS: Readonly<Record<string, Ending>> = {
  'a share': {
    lifeMs: 30 * MINUTE_MS,
    statuses: [200, 403],
    make: async () => {
      const { body } = await relay.asSystem('POST', '/rest/shares', {
        entityType: 'home',
        entityId: await homeId(),
        accessType: 'public',
        role: 'view',
        accessSchedule: { expires_at: new Date(clock.now() + 30 * MINUTE_MS).toISOString() },
      });
      return () => statusOf(`/s/${body.shareHash}`);
    },
  },
  'an access token': {
    lifeMs: 30 * MINUTE_MS,
    statuses: [200, 401],
    make: async () => {
      const expiresAt = new Date(clock.now() + 30 * MINUTE_MS).toISOString();
      const { body } = await relay.asSystem('POST', '/rest/tokens', { name: 'Short', expiresAt });
      return () => statusOf('/rest/homes', body.token);
    },
  },
  'an invitation': {
    lifeMs: 7 * DAY_MS,
    statuses: [200, 404],
    make: async () => {
      const invited = { email: 'eve@example.org', role: 'view' };
      const { body } = await relay.asSystem('POST', `/rest/homes/${await homeId()}/members`, invited);
      return () => statusOf(`/invite/${body.invitation.code}`);
    },
  },
  'a session': {
    lifeMs: 7 * DAY_MS,
    statuses: [200, 401],
    make: async () => {
      const setupCode = (await relay.asSystem('POST', '/rest/setup-code')).body.code;
      const signup = { email: 'ann@example.org', password: 'correct horse', setupCode };
      const query =
        'mutation ($email: String!, $password: String!, $setupCode: String!) { signup(email: $email, password: $password, setupCode: $setupCode) { token error } }';
      const answer = await fetch(`${relay.url}/graphql`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ query, variables: signup }),
      });
      const { token } = ((await answer.json()) as { data: { signup: { token: string } } }).data.signup;
      return () => statusOf('/rest/homes', token);
    },
  },
};

it.each(Object.entries(ENDINGS))(
  '%s that ended while unused stays ended when the clock is behind after a restart',
  async (_, { lifeMs, make, statuses: [good, ended] }) => {
    clock = new TestClock();
    relay = await E2eRelay.start({ overrides: { clock } });
    const status = await make();
    expect(await status()).toBe(good);
    clock.jumpWallClock(lifeMs - 30 * MINUTE_MS);
    await clock.advance(40 * MINUTE_MS);
    await relay.stop();
    clock.jumpWallClock(-HOUR_MS);
    await relay.start();
    expect(await status()).toBe(ended);
  },
);
