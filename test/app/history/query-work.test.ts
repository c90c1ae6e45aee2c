import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { QueryLine, QueryWork, SLICE_ROWS } from '../../../src/app/history/query-work.ts';
import { lamp } from '../../support/sample-accessories.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';

const SAMPLES = 400_000;
/** Far more than a slice takes, and far less than all of them at once: also on a machine that does other things. */
const LONGEST_STALL_MS = 150;

/** How long the event loop was held at a stretch, at worst, while `work` ran. */
async function longestStall(work: Promise<unknown>): Promise<number> {
  let longest = 0;
  let isDone = false;
  const watch = async (): Promise<void> => {
    for (let last = performance.now(); !isDone; ) {
      await nextTurn();
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    }
  };
  const watching = watch();
  await work.finally(() => {
    isDone = true;
  });
  await watching;
  return longest;
}

function fill(home: TestHome): { readonly accessoryId: string; readonly from: number; readonly to: number } {
  const { id: accessoryId, homeId } = home.named('Lamp');
  home.history.setEnabled(systemCaller, homeId, true);
  home.recorder.flush();
  const to = home.clock.now() - 1000;
  const from = to - SAMPLES * 100;
  const seriesId = home.historyStore.openSeries({
    homeId,
    accessoryId,
    characteristic: 'brightness',
    kind: 'numeric',
    unit: '%',
  });
  for (let start = 0; start < SAMPLES; start += 50_000) {
    home.historyStore.insert(
      Array.from({ length: 50_000 }, (_, index) => ({
        seriesId,
        at: from + (start + index) * 100,
        value: (start + index) % 101,
      })),
    );
  }
  return { accessoryId, from, to };
}

describe('queries over very many samples', () => {
  it('never hold the event loop for long, several at once, and end when nobody waits', {
    timeout: 60_000,
  }, async () => {
    const home = createTestHome({ sample: true });
    const { accessoryId, from, to } = fill(home);
    const series = [{ accessoryId, characteristicType: 'brightness' }];
    const input = { homeId: home.home.id, series, fromTs: from, toTs: to + 1, resolution: 'raw' };
    const ask = (signal?: AbortSignal) => home.history.query(systemCaller, { ...input, signal });

    const queries = Promise.all([ask(), ask(), ask()]);
    expect(await longestStall(queries)).toBeLessThan(LONGEST_STALL_MS);
    for (const [result] of await queries) {
      expect(result?.points.reduce((sum, { count }) => sum + count, 0)).toBe(SAMPLES);
    }

    const leaving = new AbortController();
    const samples = home.historyStore.samples.bind(home.historyStore);
    let pages = 0;
    home.historyStore.samples = (...parameters) => {
      pages += 1;
      if (pages === 3) leaving.abort();
      return samples(...parameters);
    };
    await expect(ask(leaving.signal)).rejects.toThrow('Nobody waits');
    expect(pages).toBeLessThan(6);
    home.historyStore.samples = samples;

    const purge = home.history.purge(systemCaller, { homeId: home.home.id });
    expect(await longestStall(purge)).toBeLessThan(LONGEST_STALL_MS);
    expect((await purge).deleted).toBeGreaterThanOrEqual(SAMPLES);
    home.close();
  });
});

describe('the list of a large house’s series', () => {
  it('comes as often as it is asked for: what is long takes a place only while it lasts', async () => {
    const home = createTestHome();
    home.driver.attach(home.home.id, {
      deviceId: 'CC:00:00:00:00:01',
      name: 'Bridge',
      setupCode: '031-45-154',
      accessories: Array.from({ length: 300 }, (_, index) => lamp(`Lamp ${index}`, String(index + 2))),
    });
    for (let time = 0; time < 6; time += 1) {
      expect((await home.history.series(systemCaller, home.home.id)).length).toBeGreaterThan(1_000);
    }
    home.close();
  });
});

describe('the line of queries', () => {
  it('gives one turn of the event loop to one query, in the order they asked', async () => {
    const line = new QueryLine();
    const log: string[] = [];
    const query = async (name: string): Promise<void> => {
      for (let slice = 0; slice < 3; slice += 1) {
        await line.turn();
        log.push(name);
      }
    };
    let turns = 0;
    const counting = (async () => {
      while (log.length < 6) {
        await nextTurn();
        turns += 1;
      }
    })();
    await Promise.all([query('a'), query('b')]);
    await counting;
    expect(log).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
    expect(turns).toBeGreaterThanOrEqual(5);
  });

  it('works on four long queries at once, and on a short one beside them', async () => {
    const line = new QueryLine();
    const works = Array.from({ length: 5 }, () => new QueryWork(line, undefined));
    const started: number[] = [];
    const long = works.map(async (work, index) => {
      for (let rows = 0; rows < 12; rows += 1) await work.did(SLICE_ROWS);
      started.push(index);
    });
    await Promise.all(long.slice(0, 4));
    expect(started).toHaveLength(4);
    const short = new QueryWork(line, undefined);
    await short.did(SLICE_ROWS);
    expect(started).toHaveLength(4);
    works[0]?.end();
    await long[4];
    expect(started).toEqual([0, 1, 2, 3, 4]);
    for (const work of works) work.end();
  });

  it('sends away whoever comes when very many wait', async () => {
    const line = new QueryLine();
    for (let place = 0; place < 4; place += 1) await line.takePlace();
    const waiting = Array.from({ length: 64 }, () => line.takePlace());
    await expect(line.takePlace()).rejects.toEqual(expect.objectContaining({ code: 'rate_limited' }));
    for (const _ of waiting) line.givePlaceBack();
    await Promise.all(waiting);
  });

  it('refuses what would never end', async () => {
    const work = new QueryWork(new QueryLine(), undefined);
    await expect(work.did(1e9)).rejects.toEqual(expect.objectContaining({ code: 'invalid_request' }));
  });
});
