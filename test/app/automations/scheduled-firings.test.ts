/** ScheduledFirings fire once each, through any change of the clock, any restart and any disk failure. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ScheduledFirings } from '../../../src/app/automations/scheduled-firings.ts';
import { nextTime } from '../../../src/home/schedule/next-time.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { WallTimers } from '../../../src/kernel/wall-timers.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';
import { TestClock } from '../../support/test-clock.ts';
import {
  DAY_MS,
  every,
  GRACE_MS,
  HOUR_MS,
  MINUTE_MS,
  once,
  openSlots,
  SECOND_MS,
  type SlotsFixture,
} from './slots-fixture.ts';

/** A Thursday, noon. */
const NOON = Date.UTC(2026, 0, 15, 12);

let directory: TempDirectory;
let clock: TestClock;
let fixture: SlotsFixture;

const open = (): SlotsFixture => openSlots({ path: directory.file('relay.db'), clock });

beforeEach(() => {
  directory = createTempDirectory('slots');
  clock = new TestClock(NOON);
  fixture = open();
});

afterEach(() => {
  fixture.close();
  directory.remove();
});

/** Time passes while the daemon is down. */
async function down(ms: number): Promise<void> {
  fixture.kill();
  await clock.advance(ms);
  fixture = open();
}

/** The watcher as every start of the daemon makes it. */
const alarm = (at: string) => (after: number) => nextTime({ at }, 'UTC', after);

describe('a slot', () => {
  it('fires at its moment, and the next one is planned', async () => {
    fixture.watch('a', every(HOUR_MS));
    await clock.advance(HOUR_MS - 1);
    expect(fixture.fired).toEqual([]);
    await clock.advance(1);
    expect(fixture.fired).toEqual([{ key: 'a', slotAt: NOON + HOUR_MS, at: NOON + HOUR_MS }]);
    await clock.advance(2 * HOUR_MS);
    expect(fixture.firedSlots('a')).toEqual([1, 2, 3].map((hours) => NOON + hours * HOUR_MS));
  });

  it('never fires before the watching has begun, even if it is due already', async () => {
    fixture.watch('a', every(MINUTE_MS));
    await clock.advance(SECOND_MS);
    await down(MINUTE_MS);
    fixture.watch('a', every(MINUTE_MS));
    expect(fixture.fired).toEqual([]);
    await clock.advance(0);
    expect(fixture.firedSlots('a')).toEqual([NOON + MINUTE_MS]);
  });

  it('that comes only once does not come again', async () => {
    fixture.watch('a', once(NOON + MINUTE_MS));
    await clock.advance(DAY_MS / 24);
    expect(fixture.firedSlots('a')).toEqual([NOON + MINUTE_MS]);
  });

  it('of many, due together, are fired in one commit, in the order in which they were watched', async () => {
    const other = openDatabase(directory.file('relay.db'));
    const seen = () => other.prepare('SELECT count(last_at) AS marked FROM slots').get();
    for (const key of ['a', 'b', 'c']) fixture.watch(key, every(HOUR_MS), () => expect(seen()).toEqual({ marked: 0 }));
    await clock.advance(HOUR_MS);
    expect(fixture.fired.map(({ key }) => key)).toEqual(['a', 'b', 'c']);
    expect(seen()).toEqual({ marked: 3 });
    other.close();
  });

  it('is marked in the transaction in which it fires: both are stored, or neither', async () => {
    fixture.database.exec('CREATE TABLE begun (slot_at INTEGER) STRICT');
    const begin = (slotAt: number) => fixture.database.prepare('INSERT INTO begun VALUES (?)').run(slotAt);
    let fails = true;
    fixture.watch('a', every(HOUR_MS), (slotAt) => {
      begin(slotAt);
      if (fails) throw new Error('The disk is full');
    });
    fixture.watch('b', every(HOUR_MS), begin);
    await clock.advance(HOUR_MS);
    const begun = () => fixture.database.prepare('SELECT slot_at FROM begun').all();
    // The one that failed left nothing behind, and did no harm to the other.
    expect(begun()).toEqual([{ slot_at: NOON + HOUR_MS }]);
    expect(fixture.rows()).toMatchObject([
      { key: 'a', next_at: NOON + HOUR_MS, last_at: null },
      { key: 'b', next_at: NOON + 2 * HOUR_MS, last_at: NOON + HOUR_MS },
    ]);
    fails = false;
    await clock.advance(10 * SECOND_MS);
    expect(fixture.firedSlots('a')).toEqual([NOON + HOUR_MS]);
    expect(begun()).toHaveLength(2);
  });

  it('that can’t be begun is missed when it is too late for it', async () => {
    fixture.watch('a', every(HOUR_MS), () => {
      throw new Error('The disk is full');
    });
    await clock.advance(HOUR_MS + GRACE_MS + 10 * SECOND_MS);
    expect(fixture.fired).toEqual([]);
    expect(fixture.missed.map(({ slotAt }) => slotAt)).toEqual([NOON + HOUR_MS]);
  });

  it('has fired even if that can’t be stored, and is not fired again for it', async () => {
    fixture.watch('a', every(HOUR_MS));
    await clock.advance(MINUTE_MS);
    fixture.database.exec("CREATE TRIGGER broken BEFORE UPDATE ON slots BEGIN SELECT RAISE(FAIL, 'broken'); END");
    await clock.advance(HOUR_MS);
    expect(fixture.firedSlots('a')).toEqual([NOON + HOUR_MS]);
    fixture.database.exec('DROP TRIGGER broken');
    await clock.advance(HOUR_MS);
    expect(fixture.firedSlots('a')).toEqual([NOON + HOUR_MS, NOON + 2 * HOUR_MS]);
    expect(fixture.rows()).toMatchObject([{ last_at: NOON + 2 * HOUR_MS, highest_at: NOON + 2 * HOUR_MS }]);
  });

  it('whose watch ends while it fires is not planned any more', async () => {
    const end = fixture.watch('a', every(MINUTE_MS), () => end());
    await clock.advance(5 * MINUTE_MS);
    expect(fixture.firedSlots('a')).toHaveLength(1);
    expect(fixture.rows()).toMatchObject([{ key: 'a', next_at: null, last_at: NOON + MINUTE_MS }]);
  });

  it('is not fired again for a watcher under its key while it fires', async () => {
    const again = (): void => {
      fixture.watch('a', every(HOUR_MS));
    };
    fixture.watch('a', every(HOUR_MS), again);
    await clock.advance(HOUR_MS + MINUTE_MS);
    expect(fixture.firedSlots('a')).toEqual([NOON + HOUR_MS]);
  });

  it('that has fired while the disk failed is stored as fired as soon as that works again', async () => {
    fixture.watch('a', once(NOON + HOUR_MS));
    await clock.advance(MINUTE_MS);
    fixture.database.exec("CREATE TRIGGER broken BEFORE UPDATE ON slots BEGIN SELECT RAISE(FAIL, 'broken'); END");
    await clock.advance(HOUR_MS);
    fixture.database.exec('DROP TRIGGER broken');
    await clock.advance(10 * SECOND_MS);
    expect(fixture.firedSlots('a')).toEqual([NOON + HOUR_MS]);
    expect(fixture.rows()).toMatchObject([{ next_at: null, last_at: NOON + HOUR_MS }]);
  });

  it('whose plan fails harms no other', async () => {
    fixture.watch('a', () => {
      throw new RangeError('no such zone');
    });
    fixture.watch('b', every(HOUR_MS));
    await clock.advance(HOUR_MS);
    expect(fixture.fired.map(({ key }) => key)).toEqual(['b']);
  });

  it('is only remembered where there is no database', async () => {
    const dry = openSlots({ clock, isRemembered: true });
    const end = dry.watch('a', every(HOUR_MS));
    await clock.advance(2 * HOUR_MS);
    expect(dry.fired).toHaveLength(2);
    expect(dry.rows()).toEqual([]);
    end();
    await clock.advance(2 * HOUR_MS);
    expect(dry.fired).toHaveLength(2);
    dry.close();
  });
});

describe('what came due while the daemon was down', () => {
  it('fires at once, once, if it is within the grace period, however many slots went by', async () => {
    fixture.watch('a', every(MINUTE_MS));
    await clock.advance(SECOND_MS);
    await down(4 * MINUTE_MS);
    fixture.watch('a', every(MINUTE_MS));
    await clock.advance(0);
    expect(fixture.firedSlots('a')).toEqual([NOON + 4 * MINUTE_MS]);
    await clock.advance(MINUTE_MS);
    expect(fixture.firedSlots('a')).toEqual([NOON + 4 * MINUTE_MS, NOON + 5 * MINUTE_MS]);
    expect(fixture.missed).toEqual([]);
  });

  it('is missed if it is later, the newest of many standing for all, and the next one comes', async () => {
    fixture.watch('a', alarm('13:00'));
    await clock.advance(SECOND_MS);
    await down(3 * DAY_MS + HOUR_MS + 2 * GRACE_MS);
    fixture.watch('a', alarm('13:00'));
    await clock.advance(0);
    const newest = NOON + 3 * DAY_MS + HOUR_MS;
    expect(fixture.missed).toEqual([{ key: 'a', slotAt: newest, at: clock.now() }]);
    expect(fixture.fired).toEqual([]);
    await clock.advance(DAY_MS);
    expect(fixture.firedSlots('a')).toEqual([newest + DAY_MS]);
  });

  it('fires where the newest is within the grace period, although older ones are not', async () => {
    fixture.watch('a', alarm('13:00'));
    await clock.advance(SECOND_MS);
    await down(3 * DAY_MS + HOUR_MS + MINUTE_MS);
    fixture.watch('a', alarm('13:00'));
    await clock.advance(0);
    expect(fixture.firedSlots('a')).toEqual([NOON + 3 * DAY_MS + HOUR_MS]);
    expect(fixture.missed).toEqual([]);
  });

  it('is found among the slots of years without counting them all', async () => {
    fixture.watch('a', every(SECOND_MS));
    await clock.advance(SECOND_MS / 2);
    let plans = 0;
    clock.jumpWallClock(5 * 365 * DAY_MS);
    fixture.watch('a', (after) => {
      plans++;
      return every(SECOND_MS)(after);
    });
    await clock.advance(0);
    expect(fixture.fired).toEqual([{ key: 'a', slotAt: NOON + 5 * 365 * DAY_MS, at: clock.now() }]);
    expect(plans).toBeLessThan(100);
  });

  it('is neither lost nor doubled by kills at any moment', async () => {
    fixture.watch('a', every(MINUTE_MS));
    for (let minute = 0; minute < 20; minute++) {
      await clock.advance((minute * 7_919) % MINUTE_MS);
      const { fired } = fixture;
      await down((minute * 4_099) % (30 * SECOND_MS));
      fixture.fired.push(...fired);
      fixture.watch('a', every(MINUTE_MS));
      await clock.advance(0);
    }
    const slots = fixture.firedSlots('a');
    expect(new Set(slots).size).toBe(slots.length);
    expect(slots).toEqual(slots.map((_, index) => NOON + (index + 1) * MINUTE_MS));
    expect(slots.length).toBe(Math.floor((clock.now() - NOON) / MINUTE_MS));
  });

  it('is still known after an orderly stop, whose ends of watches come afterwards', async () => {
    const end = fixture.watch('a', every(MINUTE_MS));
    await clock.advance(SECOND_MS);
    fixture.slots.stop();
    end();
    await down(MINUTE_MS);
    fixture.watch('a', every(MINUTE_MS));
    await clock.advance(0);
    expect(fixture.firedSlots('a')).toEqual([NOON + MINUTE_MS]);
  });
});

describe('what has no watcher', () => {
  it('is neither fired nor missed when it is watched again: a disabled automation is not late', async () => {
    fixture.watch('a', alarm('13:00'))();
    await clock.advance(HOUR_MS + MINUTE_MS);
    fixture.watch('a', alarm('13:00'));
    await clock.advance(MINUTE_MS);
    expect([...fixture.fired, ...fixture.missed]).toEqual([]);
  });

  it('stays due when the same is watched again in the same turn: saving an automation loses no slot', async () => {
    fixture.watch('a', alarm('13:00'));
    await clock.advance(MINUTE_MS);
    // The loop is late for one o'clock, and saves first.
    clock.jumpWallClock(HOUR_MS);
    fixture.watch('a', alarm('13:00'))();
    fixture.watch('a', alarm('13:00'));
    await clock.advance(SECOND_MS);
    expect(fixture.firedSlots('a')).toEqual([NOON + HOUR_MS]);
  });

  it('is forgotten under every key but those named, where it is not watched', async () => {
    const ends = ['a', 'b', 'c'].map((key) => fixture.watch(key, every(MINUTE_MS)));
    await clock.advance(MINUTE_MS);
    ends[1]?.();
    ends[2]?.();
    fixture.slots.retain(new Set(['b']));
    await clock.advance(0);
    expect(fixture.rows().map(({ key }) => key)).toEqual(['a', 'b']);
  });

  it('and has fired is forgotten after a day, so that waits of runs do not pile up', async () => {
    for (let run = 0; run < 150; run++) {
      const dueAt = clock.now() + 1;
      const end = fixture.watch(`run ${run}`, once(dueAt), () => end());
      await clock.advance(1);
    }
    expect(fixture.fired).toHaveLength(150);
    expect(fixture.rows()).toHaveLength(150);
    clock.jumpWallClock(DAY_MS + 1);
    fixture.watch('a', every(MINUTE_MS));
    await clock.advance(MINUTE_MS);
    expect(fixture.rows().map(({ key }) => key)).toEqual(['a']);
  });

  it('and has never fired leaves no row behind', async () => {
    fixture.watch('a', every(MINUTE_MS))();
    await clock.advance(0);
    expect(fixture.rows()).toEqual([]);
  });
});

describe('when the clock is set', () => {
  it.each([
    ['forward an hour', HOUR_MS],
    ['back an hour', -HOUR_MS],
    ['forward a day', DAY_MS],
    ['back five years', -5 * 365 * DAY_MS],
    ['forward five years', 5 * 365 * DAY_MS],
  ])('%s, everything is rescheduled within a second, and nothing fires twice', async (_, byMs) => {
    fixture.watch('alarm', alarm('11:00'));
    fixture.watch('quarters', every(15 * MINUTE_MS));
    fixture.watch('minutes', every(MINUTE_MS));
    await clock.advance(20 * MINUTE_MS + SECOND_MS);
    clock.jumpWallClock(byMs);
    await clock.advance(SECOND_MS);
    const nextAt = Object.fromEntries(fixture.rows().map(({ key, next_at }) => [key, Number(next_at)]));
    for (const at of Object.values(nextAt)) expect(at).toBeGreaterThan(clock.now());
    expect(nextAt.alarm).toBe(alarm('11:00')(clock.now()));
    await clock.advance(75 * MINUTE_MS);
    for (const key of ['quarters', 'minutes']) {
      const slots = fixture.firedSlots(key);
      expect(new Set(slots).size).toBe(slots.length);
      // They go on at any time of the clock.
      expect(slots.length).toBeGreaterThan(1);
    }
  });

  it('back, a slot that has fired does not come again, and the next one does', async () => {
    fixture.watch('a', alarm('13:00'));
    await clock.advance(HOUR_MS);
    expect(fixture.firedSlots('a')).toEqual([NOON + HOUR_MS]);
    clock.jumpWallClock(-HOUR_MS);
    await clock.advance(DAY_MS / 8);
    expect(fixture.firedSlots('a')).toEqual([NOON + HOUR_MS]);
    expect(fixture.rows()).toMatchObject([{ next_at: NOON + HOUR_MS + DAY_MS }]);
  });

  it('back, a slot that has fired does not come again after a restart either', async () => {
    fixture.watch('a', alarm('13:00'));
    await clock.advance(HOUR_MS + SECOND_MS);
    fixture.kill();
    clock.jumpWallClock(-HOUR_MS);
    fixture = open();
    fixture.watch('a', alarm('13:00'));
    await clock.advance(2 * HOUR_MS);
    expect(fixture.fired).toEqual([]);
  });

  it('years back, its slots come by that clock, and none twice once it is right again', async () => {
    const years = 5 * 365 * DAY_MS;
    fixture.watch('a', every(MINUTE_MS));
    await clock.advance(2 * MINUTE_MS + SECOND_MS);
    clock.jumpWallClock(-years);
    await clock.advance(2 * MINUTE_MS);
    expect(fixture.firedSlots('a').filter((slot) => slot < NOON)).toHaveLength(2);
    clock.jumpWallClock(years - 3 * MINUTE_MS);
    await clock.advance(5 * MINUTE_MS);
    const slots = fixture.firedSlots('a');
    expect(new Set(slots).size).toBe(slots.length);
    expect(slots.at(-1)).toBe(NOON + 6 * MINUTE_MS);
  });

  it('forward over a slot by less than the grace period, it fires at once; by more, it is missed', async () => {
    fixture.watch('soon', alarm('12:01'));
    fixture.watch('later', alarm('13:00'));
    await clock.advance(SECOND_MS);
    clock.jumpWallClock(4 * MINUTE_MS);
    await clock.advance(SECOND_MS);
    expect(fixture.firedSlots('soon')).toEqual([NOON + MINUTE_MS]);
    clock.jumpWallClock(2 * HOUR_MS);
    await clock.advance(SECOND_MS);
    expect(fixture.missed.map(({ key, slotAt }) => ({ key, slotAt }))).toEqual([
      { key: 'later', slotAt: NOON + HOUR_MS },
    ]);
  });

  it('back, a moment that was past comes again if it has not fired', async () => {
    fixture.watch('a', once(NOON - MINUTE_MS));
    await clock.advance(SECOND_MS);
    clock.jumpWallClock(-2 * MINUTE_MS);
    await clock.advance(2 * MINUTE_MS);
    expect(fixture.firedSlots('a')).toEqual([NOON - MINUTE_MS]);
  });

  it('in any way, no slot ever fires twice, and none before its time', async () => {
    const jumps = fc.array(
      fc.record({
        pass: fc.integer({ min: 0, max: 10 * MINUTE_MS }),
        jump: fc.integer({ min: -12 * HOUR_MS, max: 12 * HOUR_MS }),
        isRestarted: fc.boolean(),
      }),
      { minLength: 1, maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(jumps, async (steps) => {
        const time = new TestClock(NOON);
        const files = createTempDirectory('slots');
        let home = openSlots({ path: files.file('relay.db'), clock: time });
        home.watch('a', every(7 * MINUTE_MS));
        for (const { pass, jump, isRestarted } of steps) {
          await time.advance(pass);
          time.jumpWallClock(jump);
          if (!isRestarted) continue;
          const { fired } = home;
          home.kill();
          home = openSlots({ path: files.file('relay.db'), clock: time });
          home.fired.push(...fired);
          home.watch('a', every(7 * MINUTE_MS));
        }
        await time.advance(8 * MINUTE_MS);
        const slots = home.firedSlots('a');
        home.close();
        files.remove();
        expect(new Set(slots).size).toBe(slots.length);
        for (const { slotAt, at } of home.fired) {
          expect(at).toBeGreaterThanOrEqual(slotAt);
          expect(at - slotAt).toBeLessThanOrEqual(GRACE_MS);
        }
      }),
      { numRuns: 15 },
    );
  });
});

describe('when the computer sleeps or stalls', () => {
  it('for an hour, what came due meanwhile is settled within a second of its waking, once', async () => {
    fixture.watch('minutes', every(MINUTE_MS));
    fixture.watch('alarm', alarm('12:30'));
    await clock.advance(SECOND_MS);
    // Monotonic time stands still while it sleeps.
    clock.jumpWallClock(HOUR_MS);
    await clock.advance(SECOND_MS);
    expect(fixture.fired.map(({ key, slotAt }) => ({ key, slotAt }))).toEqual([
      { key: 'minutes', slotAt: NOON + HOUR_MS },
    ]);
    expect(fixture.missed.map(({ key, slotAt }) => ({ key, slotAt }))).toEqual([
      { key: 'alarm', slotAt: NOON + 30 * MINUTE_MS },
    ]);
  });

  it('for five seconds, each job that was due runs once', async () => {
    const stalled = new StallingClock(NOON, 5 * SECOND_MS);
    const home = openSlots({ clock: stalled });
    home.watch('seconds', every(SECOND_MS));
    home.watch('half', every(500));
    home.watch('once', once(NOON + 2 * SECOND_MS));
    await stalled.stall();
    expect(home.fired.map(({ key }) => key).sort()).toEqual(['half', 'once', 'seconds']);
    home.close();
  });
});

describe('on the computer’s own clock', () => {
  it('a slot comes, and so does the next one', async () => {
    const database = openDatabase(':memory:');
    const timers = new WallTimers({ clock: systemClock });
    const slots = new ScheduledFirings({ database, timers, graceMs: () => GRACE_MS });
    const came: number[] = [];
    const end = await new Promise<() => void>((resolve) => {
      const stop = slots.watch('a', {
        plan: every(50),
        fire(slotAt) {
          expect(Date.now()).toBeGreaterThanOrEqual(slotAt);
          if (came.push(slotAt) === 3) resolve(stop);
        },
        missed: (slotAt) => expect.fail(`missed ${slotAt}`),
      });
    });
    end();
    slots.stop();
    timers.stop();
    database.close();
    expect(came).toEqual([...new Set(came)].sort((a, b) => a - b));
  });
});

describe('a moment far away', () => {
  it.each([30, 400])('comes once in %i days, by timers that are never set for long', async (days) => {
    // Looks come an hour apart, so that there are few enough of them; the delays asked for are as ever.
    const coarse = new StallingClock(NOON, HOUR_MS);
    const home = openSlots({ clock: coarse });
    const dueAt = NOON + days * DAY_MS + 12 * MINUTE_MS + 34 * SECOND_MS;
    const hours = days * 24;
    home.watch('a', once(dueAt));
    for (let hour = 0; hour < hours; hour++) await coarse.stall();
    expect(home.fired).toEqual([]);
    await coarse.advance(12 * MINUTE_MS + 34 * SECOND_MS);
    expect(home.fired).toEqual([{ key: 'a', slotAt: dueAt, at: dueAt }]);
    expect(coarse.longestDelayMs).toBeLessThanOrEqual(SECOND_MS);
    home.close();
  });
});

/** A clock whose event loop stands still at times: what comes due meanwhile is called when it goes on. */
class StallingClock extends TestClock {
  longestDelayMs = 0;
  readonly #stallMs: number;
  readonly #waiting = new Set<() => void>();
  #stalled = 0;

  constructor(start: number, stallMs: number) {
    super(start);
    this.#stallMs = stallMs;
  }

  override now(): number {
    return super.now() + this.#stalled;
  }

  override monotonic(): number {
    return super.monotonic() + this.#stalled;
  }

  override after(delayMs: number, callback: () => void): () => void {
    this.longestDelayMs = Math.max(this.longestDelayMs, delayMs);
    const run = (): void => {
      cancel();
      callback();
    };
    const cancelTimer = super.after(delayMs, run);
    const cancel = (): void => {
      cancelTimer();
      this.#waiting.delete(run);
    };
    this.#waiting.add(run);
    return cancel;
  }

  /** The loop stands still for so long, and then calls what has come due. */
  async stall(): Promise<void> {
    this.#stalled += this.#stallMs;
    for (const run of [...this.#waiting]) run();
    await Promise.resolve();
  }
}
