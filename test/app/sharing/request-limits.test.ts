import { beforeEach, describe, expect, it } from 'vitest';
import { ShareRateLimits } from '../../../src/app/sharing/request-limits.ts';
import { createShareHome } from '../../api/share/share-home.ts';
import { TestClock } from '../../support/test-clock.ts';

let clock: TestClock;
let limits: ShareRateLimits;

beforeEach(() => {
  clock = new TestClock();
  limits = new ShareRateLimits({ clock });
});

/** How many of `tries` pass. */
function passing(tries: number, count: () => void): number {
  let passed = 0;
  for (let index = 0; index < tries; index += 1) {
    try {
      count();
      passed += 1;
    } catch (error) {
      expect(error).toMatchObject({ code: 'rate_limited' });
    }
  }
  return passed;
}

describe('requests on a link', () => {
  it('are held back by address once there are too many, and go on as time passes', async () => {
    expect(passing(200, () => limits.countRead('192.0.2.1'))).toBe(120);
    expect(passing(1, () => limits.countRead('192.0.2.2'))).toBe(1);
    await clock.advance(1_000);
    expect(passing(50, () => limits.countRead('192.0.2.1'))).toBe(10);
  });

  it('that act are held back sooner, and all together by share', () => {
    expect(passing(100, () => limits.countAct('192.0.2.1', 'a'))).toBe(40);
    const others = Array.from({ length: 50 }, (_, index) =>
      passing(2, () => limits.countAct(`198.51.100.${index}`, 'a')),
    );
    // Eighty in all, of which forty are spent; requests refused by address spent none.
    expect(others.reduce((sum, passed) => sum + passed, 0)).toBe(40);
    expect(passing(1, () => limits.countAct('198.51.100.1', 'b'))).toBe(1);
  });

  it('are not forgiven by a wall clock that is set', () => {
    passing(200, () => limits.countRead('192.0.2.1'));
    clock.jumpWallClock(3_600_000);
    expect(passing(1, () => limits.countRead('192.0.2.1'))).toBe(0);
  });

  it('report how long to wait', () => {
    passing(40, () => limits.countAct('192.0.2.1', 'a'));
    expect(() => limits.countAct('192.0.2.1', 'a')).toThrow(
      expect.objectContaining({ details: { retryAfterSeconds: expect.any(Number) } }),
    );
  });

  it('keep devices from being hammered: 429 over HTTP, and no write', async () => {
    const { client, share, home } = createShareHome();
    const link = await share('Lamp');
    const statuses = new Set<number>();
    for (let tries = 0; tries < 60; tries += 1) statuses.add((await client.post(`${link}/toggle`)).status);
    expect([...statuses]).toEqual([200, 429]);
    expect(home.driver.writes).toHaveLength(40);
    home.close();
  });

  it('are counted the same in thirty aliases of a GraphQL request', async () => {
    const { app, share, home } = createShareHome();
    const hash = (await share('Lamp')).replace('/s/', '');
    const lamp = `shareHash: "${hash}", accessoryId: "${home.named('Lamp').id}", characteristicType: "power_state"`;
    const set = (index: number) =>
      `a${index}: publicEntitySetCharacteristic(${lamp}, value: ${index % 2 === 0}) { success code }`;
    const query = `mutation { ${Array.from({ length: 30 }, (_, index) => set(index)).join(' ')} }`;
    const send = () =>
      app.request('/graphql', {
        method: 'POST',
        headers: { Host: 'localhost', 'Content-Type': 'application/json' },
        body: JSON.stringify({ query }),
      });
    expect(await (await send()).json()).toMatchObject({ data: { a0: { success: true }, a29: { success: true } } });
    expect(await (await send()).json()).toMatchObject({
      data: { a9: { success: true }, a10: { code: 'rate_limited' } },
    });
    expect(home.driver.writes).toHaveLength(40);
    home.close();
  });
});
