import { describe, expect, it } from 'vitest';
import {
  CharacteristicIndex,
  isReadable,
  type Tracked,
} from '../../../../src/drivers/hap/values/characteristic-index.ts';
import { Poller } from '../../../../src/drivers/hap/values/poller.ts';
import { parseAccessories } from '../../../../src/drivers/hap/wire/accessory-database.ts';
import { RequestLimits } from '../../../../src/drivers/hap/wire/limits.ts';
import { TestClock } from '../../../support/test-clock.ts';

const characteristic = (iid: number, type: string, perms: readonly string[], format = 'bool') => ({
  iid,
  type,
  perms,
  format,
  value: 0,
});

const INDEX = new CharacteristicIndex(
  parseAccessories(
    JSON.stringify([
      {
        aid: 1,
        services: [
          {
            iid: 1,
            type: '3E',
            characteristics: [
              characteristic(2, '23', ['pr'], 'string'),
              characteristic(3, '52', ['pr', 'ev'], 'string'),
            ],
          },
          {
            iid: 8,
            type: '43',
            characteristics: [
              characteristic(9, '25', ['pr', 'pw', 'ev']),
              characteristic(10, '8', ['pr', 'pw', 'ev'], 'int'),
              characteristic(11, '11', ['pr'], 'float'),
              characteristic(12, '73', ['pr', 'ev'], 'uint8'),
              characteristic(13, '118', ['pr', 'ev'], 'tlv8'),
              characteristic(14, '14', ['pw']),
            ],
          },
        ],
      },
    ]),
  ),
);

const find = (iid: number): Tracked => INDEX.find({ aid: '1', iid: String(iid) }) as Tracked;
const iids = (due: readonly Tracked[]): string[] => due.map(({ iid }) => iid).sort();

function freshLimits(): RequestLimits {
  return new RequestLimits({ load: () => undefined, save() {} });
}

function fixture(refused: readonly Tracked[] = []) {
  const clock = new TestClock();
  const limits = freshLimits();
  const poller = new Poller(clock, () => 0, limits);
  poller.plan(INDEX.readable(), new Set(refused));
  /** Lets time pass as the session does: waits for what is due, reads it and reports the result. */
  const run = async (ms: number, changed: (tracked: Tracked) => boolean = () => false): Promise<string[]> => {
    const asked: string[] = [];
    const until = clock.monotonic() + ms;
    for (;;) {
      const delay = poller.nextDelay();
      if (delay === undefined || clock.monotonic() + delay > until) break;
      await clock.advance(delay);
      for (const tracked of poller.due()) {
        asked.push(tracked.iid);
        poller.wasRead(tracked, changed(tracked));
      }
    }
    await clock.advance(until - clock.monotonic());
    return asked;
  };
  return { clock, limits, poller, run };
}

describe('the polling plan', () => {
  it('never asks for names, presses, blobs or what can’t be read', async () => {
    const { run } = fixture();
    expect(new Set(await run(3_600_000))).toEqual(new Set(['9', '10', '11']));
  });

  it('checks everything within a minute while a device has never sent an event', async () => {
    const { run } = fixture();
    const asked = await run(60_000);
    expect(asked).toEqual(expect.arrayContaining(['9', '10']));
    expect((await run(600_000)).filter((iid) => iid === '9').length).toBeGreaterThanOrEqual(12);
  });

  it('trusts a device that sends events, and still checks now and then', async () => {
    const { poller, run } = fixture();
    await run(60_000);
    poller.announced(find(9));
    await run(60_000);
    const day = (await run(24 * 3_600_000)).filter((iid) => iid === '9').length;
    expect(day).toBeGreaterThan(10);
    expect(day).toBeLessThan(60);
  });

  it('polls what changed without an event, and nothing else', async () => {
    const { poller, run } = fixture();
    poller.announced(find(9));
    let first = true;
    await run(60_000, (tracked) => {
      const changed = tracked.iid === '10' && first;
      if (changed) first = false;
      return changed;
    });
    const asked = await run(600_000);
    expect(asked.filter((iid) => iid === '10').length).toBeGreaterThanOrEqual(12);
    expect(asked.filter((iid) => iid === '9').length).toBeLessThanOrEqual(2);
  });

  it('does not hold an event that is merely late against the characteristic', async () => {
    const { clock, poller, run } = fixture();
    poller.announced(find(9));
    await clock.advance(45_000);
    poller.due();
    poller.wasRead(find(10), true);
    await clock.advance(250);
    poller.announced(find(10));
    expect((await run(300_000)).filter((iid) => iid === '10').length).toBeLessThanOrEqual(1);
  });

  it('stops polling what announces itself after all', async () => {
    const { poller, run } = fixture([find(10)]);
    expect((await run(300_000)).filter((iid) => iid === '10').length).toBeGreaterThanOrEqual(6);
    poller.plan(INDEX.readable().filter(isReadable), new Set());
    poller.announced(find(10));
    expect((await run(300_000)).filter((iid) => iid === '10').length).toBeLessThanOrEqual(2);
  });

  it('slows down for what offers no events and does not change, and speeds up when it does', async () => {
    const { run } = fixture();
    const before = (await run(4 * 3_600_000)).filter((iid) => iid === '11').length;
    expect(before).toBeLessThan(30);
    await run(1_000_000, ({ iid }) => iid === '11');
    expect((await run(120_000, ({ iid }) => iid === '11')).filter((iid) => iid === '11').length).toBeGreaterThanOrEqual(
      2,
    );
  });

  it('asks a device that hangs up on reads less, and then no more', async () => {
    const { limits, poller, run } = fixture();
    const before = (await run(600_000)).length;
    expect(poller.quietLimit()).toBe(45_000);
    poller.hungUpOnRead();
    expect(poller.quietLimit()).toBeGreaterThan(120_000);
    await run(60_000);
    expect((await run(600_000)).length).toBeLessThan(before / 2);
    poller.hungUpOnRead();
    poller.hungUpOnRead();
    expect(poller.nextDelay()).toBeUndefined();
    expect(iids(poller.due())).toEqual([]);
    expect(limits.current.noPolling, 'for good').toBe(true);
    expect(poller.quietLimit(), 'nor is it asked whether it is there').toBeUndefined();
  });

  it('takes hang-ups that are days apart for chance', async () => {
    const { poller, run } = fixture();
    const before = (await run(600_000)).length;
    for (let day = 0; day < 5; day += 1) {
      poller.hungUpOnRead();
      await run(25 * 3_600_000);
    }
    expect((await run(600_000)).length).toBeGreaterThan(before / 2);
  });

  it('asks nothing of a device that has nothing to ask for', () => {
    const poller = new Poller(new TestClock(), () => 0, freshLimits());
    poller.plan([], new Set());
    expect(poller.nextDelay()).toBeUndefined();
  });
});
