/** How much the built daemon writes to the disk: SD cards wear out by it. */
import { mkdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fleet, startFleet } from '../support/accessories/fleet.ts';
import { BuiltDaemon, type BuiltProgram, buildProgram } from '../support/built-daemon.ts';
import { eventually, KNOWN_CONTROLLER, sharePairings } from '../support/e2e-relay.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';

const ACCESSORIES = 20;
/** The half minute after which values are saved, and a little. */
const WATCHED_MS = 31_000;
const MEGABYTE = 1_000_000;
/**
 * Every half minute one transaction with the values that changed: some ten pages of 4 KiB, copied once more when the
 * write-ahead log is folded in: 10 MB an hour. A cheap card of 8 GB stands some 8 TB, hundreds of years of twice that.
 */
const MAX_BUSY_MB_PER_HOUR = 20;
const MAX_IDLE_MB_PER_HOUR = 2;

/** Characteristics of the fleet's lamps: brightness, hue and saturation. */
const CHANGING = [10, 11, 12];

describe('what is written to the disk', () => {
  let program: BuiltProgram;
  const undo: (() => unknown)[] = [];

  beforeAll(() => {
    program = buildProgram();
    undo.push(() => program[Symbol.dispose]());
  });
  afterAll(async () => {
    for (const step of undo.splice(0).reverse()) await step();
  });

  async function home(): Promise<{ fleet: Fleet; daemon: BuiltDaemon }> {
    const directory = createTempDirectory('writes');
    undo.push(() => directory.remove());
    const fleet = await startFleet({ count: ACCESSORIES, controllers: [KNOWN_CONTROLLER] });
    undo.push(() => fleet.stop());
    const data: TempDirectory = { ...directory, file: (...names) => directory.file('data', ...names) };
    mkdirSync(directory.file('data'));
    sharePairings(
      data,
      fleet.members.map((member) => ({ ...member, publicKey: member.accessoryPublicKey })),
    );
    const daemon = await BuiltDaemon.start({ program, directory });
    undo.push(() => daemon.end());
    await eventually(
      async () => {
        const { body } = await daemon.asSystem('GET', '/rest/pairings');
        return body.filter(({ status }: { status: string }) => status === 'connected').length === ACCESSORIES;
      },
      'the fleet to be connected',
      60_000,
    );
    return { fleet, daemon };
  }

  /** What the process has caused to be written to a disk. */
  function writtenBytes({ pid }: BuiltDaemon): number {
    return Number(/^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
  }

  it(`is a few megabytes an hour while ${ACCESSORIES} accessories change every second, and next to nothing while they are idle`, {
    timeout: 240_000,
  }, async ({ skip }) => {
    skip(process.platform !== 'linux', 'the kernel counts it on Linux alone');
    const [busy, idle] = await Promise.all([home(), home()]);
    skip(writtenBytes(busy.daemon) === 0, 'the temporary directory is in memory, where nothing counts as written');
    // The first values are saved half a minute after the start.
    await delay(WATCHED_MS);
    const before = [busy, idle].map(({ daemon }) => writtenBytes(daemon));
    const startedAt = performance.now();
    for (let second = 1; performance.now() - startedAt < WATCHED_MS; second += 1) {
      for (const { deviceId } of busy.fleet.members) {
        for (const iid of CHANGING) await busy.fleet.set(deviceId, 1, iid, (second * 7) % 100);
      }
      await delay(Math.max(0, second * 1_000 - (performance.now() - startedAt)));
    }
    const hours = (performance.now() - startedAt) / 3_600_000;
    const [busyRate = 0, idleRate = 0] = [busy, idle].map(
      ({ daemon }, index) => (writtenBytes(daemon) - (before[index] ?? 0)) / MEGABYTE / hours,
    );
    process.stdout.write(
      `Written: ${busyRate.toFixed(1)} MB/h busy, ${idleRate.toFixed(1)} MB/h idle (${ACCESSORIES} accessories)\n`,
    );
    expect(busyRate).toBeGreaterThan(0);
    expect(busyRate).toBeLessThan(MAX_BUSY_MB_PER_HOUR);
    expect(idleRate).toBeLessThan(MAX_IDLE_MB_PER_HOUR);
  });
});
