/** A whole relay whose clock is an hour behind after a restart, as on a computer without a clock battery. */
import { afterEach, expect, it } from 'vitest';
import { E2eRelay } from '../support/e2e-relay.ts';
import { TestClock } from '../support/test-clock.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let relay: E2eRelay | undefined;
afterEach(() => relay?.[Symbol.asyncDispose]());

it('a share that ended while unused stays closed when the clock is an hour back after a restart', async () => {
  const clock = new TestClock();
  relay = await E2eRelay.start({ overrides: { clock } });
  const [home] = (await relay.asSystem('GET', '/rest/homes')).body;
  const made = await relay.asSystem('POST', '/rest/shares', {
    entityType: 'home',
    entityId: home.id,
    accessType: 'public',
    role: 'view',
    accessSchedule: { expires_at: new Date(clock.now() + 30 * MINUTE_MS).toISOString() },
  });
  const opened = async () => (await fetch(`${relay?.url}/s/${made.body.shareHash}`)).status;
  expect(await opened()).toBe(200);
  await clock.advance(40 * MINUTE_MS);
  await relay.stop();
  clock.jumpWallClock(-HOUR_MS);
  await relay.start();
  expect(await opened()).toBe(403);
});
