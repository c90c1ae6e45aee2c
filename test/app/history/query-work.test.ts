import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { QueryLine, QueryWork, SLICE_ROWS } from '../../../src/app/history/query-work.ts';
import { lamp } from '../../support/sample-accessories.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';

/** Fifty slices, and more than a query may read without a place. */
const SAMPLES = 50 * SLICE_ROWS;

let home: TestHome;

/** The amount that `read` reports in the turn of the event loop that had most, until `work` was done. */
async function mostInATurn(work: Promise<unknown>, read: () => number): Promise<number> {
  let most = 0;
  let isDone = false;
  const watch = async (): Promise<void> => {
    for (let last = 0; !isDone; last = read()) {
      await nextTurn();
      most = Math.max(most, read() - last);
    }
  };
  const watching = watch();
  await work.finally(() => {
    isDone = true;
  });
  await watching;
  return most;
}

function fill(): { readonly accessoryId: string; readonly from: number; readonly to: number } {
  const { id: accessoryId, homeId } = home.named('Lamp');
  home.history.setEnabled(systemCaller, homeId, true);
  home.recorder.flush();
  const to = home.clock.now() - 1000;
  const from = to - SAMPLES * 100;
  const characteristic = 'brightness';
  const seriesId = home.historyStore.openSeries({ homeId, accessoryId, characteristic, kind: 'numeric', unit: '%' });
  home.historyStore.insert(
    Array.from({ length: SAMPLES }, (_, index) => ({ seriesId, at: from + index * 100, value: index % 101 })),
  );
  return { accessoryId, from, to };
}

describe('over very many samples', () => {
  let ask: (signal?: AbortSignal) => ReturnType<TestHome['history']['query']>;
  let rowsRead = 0;
  /** Called at every page. */
  let pageRead = (): void => undefined;

  beforeEach(() => {
    home = createTestHome({ sample: true });
    const { accessoryId, from, to } = fill();
    const series = [{ accessoryId, characteristicType: 'brightness' }];
    const input = { homeId: home.home.id, series, fromTs: from, toTs: to + 1, resolution: 'raw' };
    ask = (signal) => home.history.query(systemCaller, { ...input, signal });
    const samples = home.historyStore.samples.bind(home.historyStore);
    home.historyStore.samples = (...parameters) => {
      const page = samples(...parameters);
      rowsRead += page.length;
      pageRead();
      return page;
    };
    rowsRead = 0;
  });
  afterEach(() => {
    pageRead = () => undefined;
    home.close();
  });

  it('queries read one slice a turn of the event loop, however many there are', async () => {
    const queries = Promise.all([ask(), ask(), ask()]);
    // The first slice of each is read as it is asked.
    expect(rowsRead).toBe(3 * SLICE_ROWS);
    rowsRead = 0;
    expect(await mostInATurn(queries, () => rowsRead)).toBe(SLICE_ROWS);
    for (const [result] of await queries) {
      expect(result?.points.reduce((sum, { count }) => sum + count, 0)).toBe(SAMPLES);
    }
  });

  it('a query ends when its client leaves', async () => {
    const leaving = new AbortController();
    pageRead = () => {
      if (rowsRead === 3 * SLICE_ROWS) leaving.abort();
    };
    await expect(ask(leaving.signal)).rejects.toThrow('The client has closed');
    expect(rowsRead).toBe(3 * SLICE_ROWS);
  });

  it('purging deletes one slice a turn of the event loop', async () => {
    const left = () => home.historyStore.seriesOf(home.home.id).reduce((sum, { sampleCount }) => sum + sampleCount, 0);
    const all = left();
    const purge = home.history.purge(systemCaller, { homeId: home.home.id });
    const deletedAtOnce = all - left();
    expect(deletedAtOnce).toBeLessThanOrEqual(SLICE_ROWS);
    expect(await mostInATurn(purge, () => all - left() - deletedAtOnce)).toBeLessThanOrEqual(SLICE_ROWS);
    expect((await purge).deleted).toBe(all);
  });
});

describe('the list of a large home’s series', () => {
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

  it('answers those that began first long before the last, however many come at once', async () => {
    const line = new QueryLine();
    const ended: number[] = [];
    let slices = 0;
    let slicesBeforeFirst = 0;
    const all = Array.from({ length: 40 }, async (_, index) => {
      const work = new QueryWork(line, undefined);
      for (let slice = 0; slice < 30; slice += 1) {
        await work.did(SLICE_ROWS);
        slices += 1;
      }
      if (ended.length === 0) slicesBeforeFirst = slices;
      ended.push(index);
      work.end();
    });
    await Promise.all(all);
    expect(ended.slice(0, 4).sort()).toEqual([0, 1, 2, 3]);
    // Ten slices each as short ones, and twenty as long ones in every other turn, four of them at once.
    expect(slicesBeforeFirst).toBeLessThan(4 * 2 * 30);
  });

  it('gives what is long every other turn, however many short ones come', async () => {
    const line = new QueryLine();
    const log: string[] = [];
    const long = async (): Promise<void> => {
      for (let slice = 0; slice < 4; slice += 1) {
        await line.turn();
        log.push('long');
      }
    };
    const short = async (): Promise<void> => {
      const begun = line.begin();
      for (let slice = 0; slice < 4; slice += 1) {
        await line.turn(begun);
        log.push('short');
      }
    };
    await Promise.all([short(), short(), long()]);
    expect(log.slice(0, 8).filter((who) => who === 'long').length).toBeGreaterThanOrEqual(3);
  });

  it('refuses new clients when very many wait', async () => {
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
