/** Devices that fall silent although their connection stands, and links that swallow what is sent. */
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { DEADLINES } from '../../../../src/drivers/hap/session/deadlines.ts';
import { TcpProxy } from '../../../support/tcp-proxy.ts';
import { createTempDirectory } from '../../../support/temp-directory.ts';
import { forkTypeScript } from '../../../support/typescript-process.ts';
import { DriverFixture, HOME, writeTo } from '../driver-fixture.ts';
import type { ChildAccessory } from '../hap-nodejs-child.ts';
import { type FixtureOptions, quickClock, SessionFixture, until } from './session-fixture.ts';

const TIMES = 5;
const CLOCK = quickClock(TIMES);
/** The real deadlines, on a clock that runs five times as fast. */
const REAL: FixtureOptions = { clock: CLOCK, deadlines: DEADLINES };
/** How fast the clock of a driver fixture runs. */
const FAST_TIMES = 4;
/**
 * Required: known after the first thing that is not answered, known without a request, and how soon a command fails
 * then.
 */
const FOUND_OUT_MS = 10_000;
const FOUND_OUT_IDLE_MS = 60_000;
const FAILS_FAST_MS = 3_000;
/** A clock that runs faster makes the machine's own delays longer. */
const SLACK_MS = 2_500;

const ends: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function ready(options: FixtureOptions = REAL): Promise<SessionFixture> {
  const fixture = await SessionFixture.ready(options);
  ends.push(() => fixture.close());
  return fixture;
}

/** A ready session through a proxy that can swallow everything. */
async function proxied(): Promise<{ fixture: SessionFixture; proxy: TcpProxy }> {
  const fixture = await SessionFixture.open(REAL);
  const proxy = await TcpProxy.start(() => fixture.accessory.port);
  ends.push(
    () => proxy.stop(),
    () => fixture.close(),
  );
  fixture.addresses = [{ host: '127.0.0.1', port: proxy.port }];
  fixture.session.start();
  await fixture.untilReady();
  return { fixture, proxy };
}

/** How long it takes, on the fixture's clock. */
async function timed<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const from = CLOCK.monotonic();
  const result = await work();
  return { result, ms: CLOCK.monotonic() - from };
}

const isUnreachable = (fixture: SessionFixture): boolean => fixture.reachable.at(-1) === 'all false';
const later = (ms: number): Promise<void> => new Promise((resolve) => CLOCK.after(ms, resolve));

describe('a device that hangs while its TCP still acknowledges', () => {
  it('is unreachable 10 s after the first write that it does not answer, and the value is never shown', async () => {
    const fixture = await ready();
    fixture.accessory.silent = true;
    const { ms } = await timed(async () => {
      void fixture.set(9, true);
      await until(() => isUnreachable(fixture), 'it to be unreachable');
    });
    expect(ms).toBeLessThan(FOUND_OUT_MS + SLACK_MS);
    expect(fixture.statuses.at(-1)).toBe('offline');
    expect(fixture.statusDetail).toMatch(/did not answer within 10 s/);
    expect(fixture.value(9)).toBe(false);
  });

  it('fails the write that it does not answer', async () => {
    const fixture = await ready();
    fixture.accessory.silent = true;
    expect(await fixture.set(9, true)).toMatchObject({ ok: false, reason: 'unreachable' });
    expect(fixture.history(9, 'write')).toEqual([]);
  });

  it('is unreachable within 60 s when no client asks anything of it', async () => {
    const fixture = await ready();
    fixture.accessory.set(1, 9, true);
    await until(() => fixture.value(9) === true, 'an event, so that nothing is polled often');
    fixture.accessory.silent = true;
    const { ms } = await timed(() => until(() => isUnreachable(fixture), 'it to be unreachable'));
    expect(ms).toBeLessThan(FOUND_OUT_IDLE_MS + SLACK_MS);
  });

  it('is asked for one value that never changes, and only after a silence', async () => {
    const fixture = await ready();
    const before = fixture.accessory.requestCount;
    for (let n = 0; n < 5; n += 1) {
      fixture.accessory.set(1, 10, n);
      await later(10_000);
    }
    const asked = fixture.accessory.requests.slice(before).map(({ path }) => path);
    expect(asked, 'one audit at most while events come').not.toContain('/characteristics?id=1.3');
    await until(
      () => fixture.accessory.requests.some(({ path }) => path === '/characteristics?id=1.3'),
      'the question',
    );
    expect(fixture.reachable).toEqual(['all true']);
  });

  it('is reachable again with its first answer', async () => {
    const fixture = await ready();
    fixture.accessory.silent = true;
    await fixture.set(9, true);
    await until(() => isUnreachable(fixture), 'it to be unreachable');
    fixture.accessory.silent = false;
    expect(await fixture.set(9, true)).toEqual({ ok: true, value: true });
    await until(() => fixture.reachable.at(-1) === 'all true', 'it to be reachable');
  });
});

describe('a device that is slow', () => {
  it('to answer a write, by 8 s, stays reachable, and the write succeeds', async () => {
    const fixture = await ready();
    fixture.accessory.play({ on: ({ method }) => method === 'PUT', delayMs: 8_000 / TIMES });
    expect(await fixture.set(9, true)).toEqual({ ok: true, value: true });
    expect(fixture.reachable).toEqual(['all true']);
  });

  it('to verify connects although commands keep coming after a silence', async () => {
    const fixture = await ready();
    fixture.accessory.silent = true;
    await fixture.set(9, true);
    fixture.accessory.play({ on: ({ path }) => path === '/pair-verify', delayMs: 2_000 / TIMES, times: 100 });
    fixture.accessory.silent = false;
    let isBack = false;
    const commands = (async () => {
      while (!isBack) {
        void fixture.set(10, 20);
        await later(500);
      }
    })();
    await until(() => fixture.reachable.at(-1) === 'all true', 'it to be back');
    isBack = true;
    await commands;
  });
});

describe('a link that was cut', () => {
  it('fails the next writes within 3 s once one request has timed out', async () => {
    const { fixture, proxy } = await proxied();
    proxy.swallow = true;
    const first = timed(() => fixture.set(9, true));
    await later(7_000);
    const queued = timed(() => fixture.set(10, 1));
    expect((await first).ms).toBeLessThan(FOUND_OUT_MS + SLACK_MS);
    expect((await queued).ms, 'it waited behind the first').toBeLessThan(3_000 + FAILS_FAST_MS + SLACK_MS);
    for (let n = 0; n < 5; n += 1) {
      const { result, ms } = await timed(() => fixture.set(10, n));
      expect(result).toMatchObject({ ok: false, reason: 'unreachable' });
      expect(ms).toBeLessThan(FAILS_FAST_MS + SLACK_MS);
    }
  });

  it('carries out a write that comes just when it is whole again', async () => {
    const { fixture, proxy } = await proxied();
    proxy.swallow = true;
    await fixture.set(9, true);
    for (const waitMs of [300, 2_000, 5_000]) {
      await later(waitMs);
      await fixture.set(9, true);
    }
    proxy.swallow = false;
    expect(await fixture.set(10, 77)).toEqual({ ok: true, value: 77 });
    expect(fixture.accessory.writes.map(({ value }) => value)).toEqual([77]);
  });

  it('carries out a write while an attempt hangs that began before', async () => {
    const { fixture, proxy } = await proxied();
    proxy.swallow = true;
    await fixture.set(9, true);
    await until(() => fixture.session.state === 'verifying', 'an attempt into the void');
    await later(2_000);
    proxy.swallow = false;
    expect(fixture.session.state).toBe('verifying');
    expect(await fixture.set(10, 78)).toEqual({ ok: true, value: 78 });
  });
});

describe('a genuine accessory whose process is stopped', () => {
  it('is unreachable 10 s after the first write, and reachable when it continues', async () => {
    const directory = createTempDirectory('stopped');
    const fixture = new DriverFixture();
    const args = [directory.path, 'Reading Lamp'];
    const child = forkTypeScript(join(import.meta.dirname, '../hap-nodejs-child.ts'), { args });
    ends.push(
      () => directory.remove(),
      () => fixture.close(),
      () => child.kill('SIGKILL'),
    );
    const [{ deviceId, name, port, setupCode }] = (await once(child, 'message')) as [ChildAccessory];
    fixture.discovery.announce({ deviceId, name, port, statusFlags: 1 });
    fixture.driver.start();
    await fixture.driver.pair({ device: deviceId, homeId: HOME, setupCode }, () => {});
    await fixture.untilStatus({ deviceId }, 'connected');
    const on = fixture.sink.described.get(deviceId)?.[0]?.services.flatMap(({ characteristics }) => characteristics);
    const iid = Number(on?.find(({ type }) => type === '25')?.iid);
    child.kill('SIGSTOP');
    const stoppedAt = performance.now();
    const [outcome] = await fixture.driver.write([writeTo(deviceId, iid, true)]);
    expect(outcome).toMatchObject({ ok: false, reason: 'unreachable' });
    await until(() => fixture.sink.reachable.get(deviceId) === false, 'it to be unreachable');
    expect((performance.now() - stoppedAt) * FAST_TIMES).toBeLessThan(FOUND_OUT_MS + 2 * SLACK_MS);
    expect(fixture.device(deviceId)?.status).toBe('offline');
    expect(fixture.sink.values.filter(({ iid: id, value }) => id === String(iid) && value === true)).toEqual([]);
    await expect(fixture.driver.reconnect(deviceId)).rejects.toMatchObject({ code: 'accessory_unreachable' });
    child.kill('SIGCONT');
    expect(await fixture.driver.write([writeTo(deviceId, iid, true)])).toEqual([{ ok: true, value: true }]);
    await until(() => fixture.sink.reachable.get(deviceId) === true, 'it to be reachable');
  });
});
