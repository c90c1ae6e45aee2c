/**
 * A furnished home with timers that run and history that is on, when the power goes, the disk fills up, or the clock is
 * set.
 */
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRawAccessory } from '../support/accessories/raw-accessory.ts';
import { lampAccessory } from '../support/accessories/sample-databases.ts';
import { BuiltDaemon, type BuiltProgram, buildProgram } from '../support/built-daemon.ts';
import { type Answer, E2eRelay, eventually, KNOWN_CONTROLLER, sharePairings } from '../support/e2e-relay.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import { TestClock } from '../support/test-clock.ts';
import { ask, faultsOf, furnish } from './home-fixture.ts';

const DAY_MS = 86_400_000;

let program: BuiltProgram;

beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program[Symbol.dispose]());

async function sure(daemon: BuiltDaemon, method: string, path: string, body?: object): Promise<Answer['body']> {
  const answer = await daemon.asSystem(method, path, body);
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(200);
  return answer.body;
}

const operate = (daemon: BuiltDaemon, id: string, operation: string, value?: unknown): Promise<Answer['body']> =>
  sure(daemon, 'POST', `/rest/virtual-accessories/${id}/operate`, { operation, ...(value !== undefined && { value }) });

const timerOf = async (daemon: BuiltDaemon, id: string): Promise<Answer['body']> =>
  sure(daemon, 'GET', `/rest/virtual-accessories/${id}`);

describe('a home whose daemon is killed while timers run, scenes are executed and history is written', () => {
  const ROUNDS = 8;

  it(`has all of it again, ${ROUNDS} times over`, async () => {
    using directory = createTempDirectory('home-power');
    const ids = { running: '', paused: '', short: '', counter: '', scene: '', homeId: '' };
    {
      await using daemon = await BuiltDaemon.start({ program, directory });
      ids.homeId = (await sure(daemon, 'GET', '/rest/homes'))[0].id;
      const { homeId } = ids;
      const make = async (body: object): Promise<string> =>
        (await sure(daemon, 'POST', '/rest/virtual-accessories', { homeId, ...body })).id;
      ids.running = await make({ name: 'Oven', type: 'timer', duration: '10:00:00' });
      ids.paused = await make({ name: 'Break', type: 'timer', duration: 600 });
      ids.short = await make({ name: 'Egg', type: 'timer', duration: 1 });
      ids.counter = await make({ name: 'Kills', type: 'counter' });
      const actions = [{ accessoryId: ids.counter, characteristicType: 'virtual_count', targetValue: 0 }];
      ids.scene = (await sure(daemon, 'POST', '/rest/scenes', { homeId, name: 'Zero', actions })).id;
      await sure(daemon, 'PATCH', `/rest/history/homes/${homeId}`, { enabled: true });
      await operate(daemon, ids.running, 'start');
      await operate(daemon, ids.paused, 'start');
      await operate(daemon, ids.paused, 'pause');
      await daemon.end('SIGKILL');
    }
    let before: { endsAt: string; remaining: number } | undefined;
    let acknowledged = 0;
    let sent = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      await using daemon = await BuiltDaemon.start({ program, directory });
      const [running, paused, short, counter] = await Promise.all(
        [ids.running, ids.paused, ids.short, ids.counter].map((id) => timerOf(daemon, id)),
      );
      expect(running).toMatchObject({ virtualTimerState: 'active' });
      expect(paused).toMatchObject({ virtualTimerState: 'paused' });
      before ??= { endsAt: running.virtualEndsAt, remaining: paused.virtualRemainingMs };
      expect([running.virtualEndsAt, paused.virtualRemainingMs]).toEqual([before.endsAt, before.remaining]);
      if (round > 0) {
        const egg =
          short.virtualTimerState === 'idle'
            ? short
            : await eventually(async () => {
                const now = await timerOf(daemon, ids.short);
                return now.virtualTimerState === 'idle' ? now : undefined;
              }, 'the short timer to end');
        expect(egg.virtualFinishedAt).not.toBeNull();
      }
      const value = Number(counter.services[0].characteristics[0].value);
      expect(value).toBeGreaterThanOrEqual(acknowledged);
      expect(value).toBeLessThanOrEqual(sent);
      [acknowledged, sent] = [value, value];
      await operate(daemon, ids.short, 'start', 1);
      const load = (async () => {
        for (;;) {
          sent += 1;
          await operate(daemon, ids.counter, 'increment');
          acknowledged = sent;
        }
      })().catch((error: unknown) => error);
      await delay(randomInt(50, 400));
      await daemon.end('SIGKILL');
      expect(String(await load)).not.toContain('AssertionError');
      for (const file of ['relay.db', 'history.db']) expect(faultsOf(directory.file('data', file))).toEqual([]);
    }
    await using last = await BuiltDaemon.start({ program, directory });
    const { series } = await sure(last, 'GET', `/rest/history?accessory=${ids.counter}&hours=1`);
    expect(series[0].values.length, 'samples of the counter').toBeGreaterThan(0);
    expect(await sure(last, 'POST', `/rest/scenes/${ids.scene}/execute`)).toMatchObject({ success: true });
  });
});

/** Mounts a small file system on a folder for the time of `work`; `false` where this user may not. */
async function onSmallDisk(folder: string, work: () => Promise<void>): Promise<boolean> {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m,mode=700', 'none', folder], { stdio: 'ignore' });
  } catch {
    return false;
  }
  try {
    await work();
  } finally {
    execFileSync('umount', ['-l', folder]);
  }
  return true;
}

function fill(path: string): void {
  const file = openSync(path, 'w');
  for (const bytes of [65_536, 4_096, 1]) {
    try {
      for (;;) writeSync(file, Buffer.alloc(bytes));
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
    }
  }
  closeSync(file);
}

describe('a disk that fills up under a home with history', () => {
  it('costs what would have to be kept, and nothing else; with room again all is as it was', async ({ skip }) => {
    using directory = createTempDirectory('home-full');
    const folder = directory.file('data');
    const data: TempDirectory = { ...directory, path: folder, file: (...names) => directory.file('data', ...names) };
    mkdirSync(folder);
    const possible = await onSmallDisk(folder, async () => {
      const lamp = await startRawAccessory({
        database: [lampAccessory('Lamp')],
        mdns: false,
        paired: [KNOWN_CONTROLLER],
      });
      sharePairings(data, [lamp]);
      await using daemon = await BuiltDaemon.start({ program, directory });
      const homeId = (await sure(daemon, 'GET', '/rest/homes'))[0].id;
      const { id: lever } = await sure(daemon, 'POST', '/rest/virtual-accessories', {
        homeId,
        name: 'Lever',
        type: 'input_boolean',
      });
      const { id: egg } = await sure(daemon, 'POST', '/rest/virtual-accessories', {
        homeId,
        name: 'Egg',
        type: 'timer',
        duration: 2,
      });
      await sure(daemon, 'PATCH', `/rest/history/homes/${homeId}`, { enabled: true });
      const lampId = await eventually(async () => {
        const list: Answer['body'] = await sure(daemon, 'GET', '/rest/accessories?name=Lamp');
        return list[0]?.isReachable === true ? (list[0].id as string) : undefined;
      }, 'the lamp');
      const actions = [lampId, lever].map((accessoryId) => ({
        accessoryId,
        characteristicType: 'on',
        targetValue: true,
      }));
      const { id: scene } = await sure(daemon, 'POST', '/rest/scenes', { homeId, name: 'On', actions });
      await operate(daemon, egg, 'start');

      fill(data.file('filler'));
      const full = {
        status: 503,
        body: { code: 'storage_unavailable', error: expect.stringMatching(/^The disk is full/) },
      };
      const tries: readonly (readonly [string, string, object?])[] = [
        ['POST', '/rest/scenes', { homeId, name: 'Big', actions }],
        ['PATCH', `/rest/scenes/${scene}`, { name: 'Renamed' }],
        ['POST', '/rest/zones', { homeId, name: 'Zone', roomIds: [] }],
        ['POST', '/rest/service-groups', { homeId, name: 'Group', accessoryIds: [lampId] }],
        ['POST', '/rest/virtual-accessories', { homeId, name: 'More', type: 'counter' }],
        ['PATCH', `/rest/virtual-accessories/${lever}`, { name: 'Renamed' }],
        ['POST', `/rest/virtual-accessories/${lever}/operate`, { operation: 'turn_on' }],
        ['DELETE', `/rest/virtual-accessories/${egg}`],
        ['PATCH', `/rest/history/homes/${homeId}`, { shared: true }],
      ];
      const list = async (): Promise<string> =>
        JSON.stringify(
          await Promise.all(['scenes', 'zones', 'service-groups'].map((name) => sure(daemon, 'GET', `/rest/${name}`))),
        );
      const before = await list();
      for (const [method, path, body] of tries) {
        expect(await daemon.asSystem(method, path, body), `${method} ${path}`).toMatchObject(full);
      }
      expect(await list()).toBe(before);

      // What needs no disk works: the lamp, and the scene as far as it goes.
      const executed = await sure(daemon, 'POST', `/rest/scenes/${scene}/execute`);
      expect(executed).toMatchObject({
        success: false,
        failed: 1,
        errors: [expect.stringMatching(/^Lever\.power_state: .*disk is full/i)],
      });
      expect(Boolean(lamp.get(1, 9))).toBe(true);
      for (let n = 0; n < 150; n += 1) lamp.set(1, 10, n % 100);
      await eventually(
        async () => JSON.stringify(await sure(daemon, 'GET', '/rest/state')).includes('"brightness":49'),
        'events',
      );
      await eventually(
        async () => (await timerOf(daemon, egg)).virtualTimerState === 'idle',
        'the timer to end all the same',
      );
      const history = await daemon.asSystem('GET', `/rest/history?accessory=${lampId}`);
      expect([200, 503]).toContain(history.status);
      expect(daemon.isRunning).toBe(true);

      rmSync(data.file('filler'));
      await sure(daemon, 'PATCH', `/rest/scenes/${scene}`, { name: 'Renamed' });
      expect(await sure(daemon, 'POST', `/rest/scenes/${scene}/execute`)).toMatchObject({ success: true });
      await eventually(async () => {
        const { body } = await daemon.asSystem('GET', `/rest/history?accessory=${lever}&characteristic=on`);
        return body.series?.[0]?.transitions?.length > 0;
      }, 'history to be written again');
      await daemon.end('SIGKILL');
      for (const file of ['relay.db', 'history.db']) expect(faultsOf(data.file(file))).toEqual([]);
      await lamp.stop();
    });
    skip(!possible, 'this user may not mount a file system');
  });
});

describe('a clock that is set while timers run and history is on', () => {
  it.each([
    ['a year forward', 365 * DAY_MS],
    ['a year back', -365 * DAY_MS],
    ['to long before this was written', -40 * 365 * DAY_MS],
    ['a minute forward', 60_000],
    ['a minute back', -60_000],
  ])(
    '%s: timers end when their time is up, history goes on, and nothing that was recorded is lost',
    async (_, byMs) => {
      const clock = new TestClock(Date.now());
      await using relay = await E2eRelay.start({ overrides: { clock } });
      const { homeId, timer, lever } = await furnish(relay);
      const act = async (id: string, operation: string): Promise<void> => {
        const { status } = await relay.asSystem('POST', `/rest/virtual-accessories/${id}/operate`, { operation });
        expect(status).toBe(200);
      };
      const state = async (): Promise<string> =>
        (await relay.asSystem('GET', `/rest/virtual-accessories/${timer}`)).body.virtualTimerState;
      const rows = async (): Promise<readonly string[]> => {
        const { status, text } = await ask(relay, 'GET', `/rest/history/export?home=${homeId}&accessory=${lever}`);
        expect(status).toBe(200);
        return text.trimEnd().split('\r\n').slice(1);
      };
      await relay.asSystem('PATCH', `/rest/history/homes/${homeId}`, { enabled: true });
      for (let n = 0; n < 4; n += 1) {
        await act(lever, 'toggle');
        await clock.advance(1_000);
      }
      const recorded = await rows();
      expect(recorded.length).toBeGreaterThanOrEqual(4);
      await act(timer, 'start');
      await clock.advance(20_000);
      expect(await state()).toBe('active');

      clock.jumpWallClock(byMs);
      await clock.advance(2_000);
      expect(await state()).toBe(byMs >= 60_000 ? 'idle' : 'active');
      for (let n = 0; n < 4; n += 1) {
        await act(lever, 'toggle');
        await clock.advance(1_000);
      }
      expect((await rows()).length).toBe(recorded.length + 4);
      expect(await rows()).toEqual(expect.arrayContaining([...recorded]));
      for (const path of [
        `/rest/history?accessory=${lever}`,
        `/rest/history/series?home=${homeId}`,
        `/rest/history/homes/${homeId}`,
      ]) {
        expect((await ask(relay, 'GET', path)).status, path).toBe(200);
      }
      await clock.advance(60_000);
      expect(await state()).toBe('idle');

      await relay.stop();
      await relay.start();
      expect(await state()).toBe('idle');
      await act(lever, 'toggle');
      expect((await rows()).length).toBe(recorded.length + 5);
      expect((await relay.post('/rest/scene', { home: homeId, name: 'Evening' })).body).toMatchObject({
        success: true,
      });
    },
  );
});
