/** Deadlines on the wall clock, by one real timer. */
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { Deadlines } from '../../src/kernel/deadlines.ts';
import { type WallTimer, WallTimers } from '../../src/kernel/wall-timers.ts';
import { TestClock } from '../support/test-clock.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

let clock: TestClock;
let timers: WallTimers;
let calls: [name: string, at: number][];

beforeEach(() => {
  clock = new TestClock();
  timers = new WallTimers({ clock });
  calls = [];
});

/** A moment, or with `lasting` the end of something that lasts. */
function timer(name: string, { lasting = false } = {}): WallTimer {
  const due = (now: number): void => void calls.push([name, now]);
  return lasting ? { due, moved: (dueAt) => void calls.push([`${name} moved`, dueAt]) } : { due };
}

describe('a deadline', () => {
  it('is due at its time, once', async () => {
    const dueAt = clock.now() + 90 * SECOND_MS;
    timers.set(dueAt, timer('a'));
    await clock.advance(90 * SECOND_MS - 1);
    expect(calls).toEqual([]);
    await clock.advance(HOUR_MS);
    expect(calls).toEqual([['a', dueAt]]);
  });

  it('that is due already is dealt with soon, and never before the call that sets it has returned', async () => {
    timers.set(clock.now() - HOUR_MS, timer('a'));
    expect(calls).toEqual([]);
    await clock.advance(0);
    expect(calls).toHaveLength(1);
  });

  it('can be cancelled, also by another one that is due with it', async () => {
    timers.set(clock.now() + SECOND_MS, timer('a'))();
    timers.set(clock.now() + SECOND_MS, { due: () => cancel() });
    const cancel = timers.set(clock.now() + SECOND_MS, timer('b'));
    await clock.advance(MINUTE_MS);
    expect(calls).toEqual([]);
  });

  it('that throws harms no other', async () => {
    timers.set(clock.now() + SECOND_MS, {
      due() {
        throw new Error('no');
      },
    });
    timers.set(clock.now() + SECOND_MS, timer('b'));
    await clock.advance(SECOND_MS);
    expect(calls.map(([name]) => name)).toEqual(['b']);
  });

  it('may set the next one, which waits for its own time', async () => {
    const start = clock.now();
    const again = (): void => {
      timers.set(clock.now() + MINUTE_MS, {
        due: (now) => {
          calls.push(['a', now]);
          again();
        },
      });
    };
    again();
    await clock.advance(3 * MINUTE_MS);
    expect(calls.map(([, at]) => at - start)).toEqual([MINUTE_MS, 2 * MINUTE_MS, 3 * MINUTE_MS]);
  });

  it('is dealt with before anything else by who looks first', () => {
    timers.set(clock.now() + SECOND_MS, timer('a'));
    clock.jumpWallClock(SECOND_MS);
    expect(timers.look()).toBe(clock.now());
    expect(calls).toHaveLength(1);
  });
});

describe('however many deadlines there are', () => {
  it('one real timer runs, and none where there is nothing to wait for', async () => {
    expect(clock.pendingTimers).toBe(0);
    const cancels = Array.from({ length: 100 }, (_, n) => timers.set(clock.now() + n * MINUTE_MS, timer('a')));
    expect(clock.pendingTimers).toBe(1);
    await clock.advance(30 * MINUTE_MS);
    expect(clock.pendingTimers).toBe(1);
    for (const cancel of cancels) cancel();
    expect(clock.pendingTimers).toBe(0);
    const end = timers.onJump(() => {});
    expect(clock.pendingTimers).toBe(1);
    end();
    expect(clock.pendingTimers).toBe(0);
    timers.set(clock.now() + HOUR_MS, timer('a'));
    timers.stop();
    expect(clock.pendingTimers).toBe(0);
  });

  it('they come in the order in which they are due, those due together in the order in which they were set', async () => {
    const start = clock.now();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(20), { maxLength: 60 }), async (delays) => {
        const time = new TestClock(start);
        const many = new WallTimers({ clock: time });
        const seen: { delay: number; index: number }[] = [];
        delays.forEach((delay, index) => {
          many.set(start + delay * 100, { due: () => void seen.push({ delay, index }) });
        });
        await time.advance(2_000);
        expect(seen).toEqual([...seen].sort((a, b) => a.delay - b.delay || a.index - b.index));
        expect(seen).toHaveLength(delays.length);
      }),
      { numRuns: 50 },
    );
  });
});

describe('when the wall clock is set forward, or the computer slept', () => {
  it('what has come due is dealt with within a second, each once', async () => {
    timers.set(clock.now() + HOUR_MS, timer('moment'));
    timers.set(clock.now() + HOUR_MS, timer('duration', { lasting: true }));
    timers.set(clock.now() + 3 * HOUR_MS, timer('later'));
    clock.jumpWallClock(2 * HOUR_MS);
    await clock.advance(SECOND_MS);
    expect(calls.map(([name]) => name)).toEqual(['moment', 'duration']);
  });

  it('listeners get the difference, before what is due by the new time is dealt with', async () => {
    timers.onJump((byMs) => calls.push(['jump', byMs]));
    timers.set(clock.now() + MINUTE_MS, timer('a'));
    await clock.advance(SECOND_MS / 2);
    clock.jumpWallClock(HOUR_MS);
    await clock.advance(SECOND_MS);
    expect(calls.map(([name]) => name)).toEqual(['jump', 'a']);
    expect(calls[0]?.[1]).toBe(HOUR_MS);
  });
});

describe('when the wall clock is set back', () => {
  it('moments stay where they are, and what lasts a while takes no longer', async () => {
    const start = clock.now();
    timers.set(start + MINUTE_MS, timer('moment'));
    timers.set(start + MINUTE_MS, timer('duration', { lasting: true }));
    await clock.advance(10 * SECOND_MS);
    clock.jumpWallClock(-HOUR_MS);
    await clock.advance(50 * SECOND_MS);
    expect(calls).toEqual([
      ['duration moved', start + MINUTE_MS - HOUR_MS],
      ['duration', start + MINUTE_MS - HOUR_MS],
    ]);
    await clock.advance(HOUR_MS);
    expect(calls.at(-1)).toEqual(['moment', start + MINUTE_MS]);
  });

  it('what was set after it is not moved by it', async () => {
    timers.set(clock.now() + HOUR_MS, timer('first', { lasting: true }));
    clock.jumpWallClock(-HOUR_MS);
    timers.set(clock.now() + MINUTE_MS, timer('second', { lasting: true }));
    await clock.advance(MINUTE_MS);
    expect(calls.map(([name]) => name)).toEqual(['first moved', 'second']);
  });

  it('while nothing was waiting, nothing that is set later is moved by it', async () => {
    timers.set(clock.now() + SECOND_MS, timer('a'));
    await clock.advance(HOUR_MS);
    clock.jumpWallClock(-MINUTE_MS);
    timers.set(clock.now() + MINUTE_MS, timer('b', { lasting: true }));
    await clock.advance(MINUTE_MS);
    expect(calls.map(([name]) => name)).toEqual(['a', 'b']);
  });

  it('listeners are called within a second, also while no deadline is set, and none once they have ended', async () => {
    const jumps: number[] = [];
    const end = timers.onJump((byMs) => jumps.push(byMs));
    clock.jumpWallClock(-HOUR_MS);
    await clock.advance(SECOND_MS);
    expect(jumps).toEqual([-HOUR_MS]);
    end();
    clock.jumpWallClock(-HOUR_MS);
    await clock.advance(MINUTE_MS);
    expect(jumps).toHaveLength(1);
  });

  it('by what NTP slews, no listener is called', async () => {
    timers.onJump((byMs) => calls.push(['jump', byMs]));
    for (let minute = 0; minute < 10; minute++) {
      await clock.advance(MINUTE_MS);
      clock.jumpWallClock(minute % 2 ? 300 : -300);
    }
    expect(calls).toEqual([]);
  });
});

describe('deadlines in a heap', () => {
  it('come out in order, for all that is added, taken out and moved in between', () => {
    const act = fc.oneof(
      fc.record({ add: fc.nat(50) }),
      fc.record({ remove: fc.nat(50) }),
      fc.record({ move: fc.integer({ min: -20, max: 20 }) }),
      fc.record({ take: fc.nat(50) }),
    );
    fc.assert(
      fc.property(fc.array(act, { maxLength: 80 }), (acts) => {
        const heap = new Deadlines<{ dueAt: number; turn: number; place: number }>();
        let model: { dueAt: number; turn: number; place: number }[] = [];
        const sorted = () => [...model].sort((a, b) => a.dueAt - b.dueAt || a.turn - b.turn);
        acts.forEach((one, turn) => {
          if ('add' in one) {
            const entry = { dueAt: one.add, turn, place: -1 };
            heap.add(entry);
            model.push(entry);
          } else if ('remove' in one) {
            const entry = model[one.remove % Math.max(model.length, 1)];
            model = model.filter((other) => other !== entry);
            if (entry) heap.delete(entry);
          } else if ('move' in one) {
            heap.move((entry) => {
              if (entry.turn % 2) return false;
              entry.dueAt += one.move;
              return true;
            });
          } else {
            const due = sorted().filter(({ dueAt }) => dueAt <= one.take);
            expect(heap.takeDue(one.take)).toEqual(due);
            model = model.filter((entry) => !due.includes(entry));
          }
          expect(heap.next).toBe(sorted()[0]);
          expect(heap.size).toBe(model.length);
        });
      }),
      { numRuns: 200 },
    );
  });
});
