import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConnectAttempt } from '../../../../src/drivers/hap/session/attempt.ts';
import { AttemptWait } from '../../../../src/drivers/hap/session/attempt-wait.ts';
import { Backoff } from '../../../../src/drivers/hap/session/backoff.ts';
import { ConnectGate } from '../../../../src/drivers/hap/session/connect-gate.ts';
import { Signal } from '../../../../src/drivers/hap/session/signal.ts';
import { EventGuard } from '../../../../src/drivers/hap/values/event-guard.ts';
import { Reachability } from '../../../../src/drivers/hap/values/reachability.ts';
import { DEFAULT_LIMITS, type Limits, RequestLimits } from '../../../../src/drivers/hap/wire/limits.ts';
import { TestClock } from '../../../support/test-clock.ts';

describe('the back-off', () => {
  it('grows from half a second by half to a minute', () => {
    const backoff = new Backoff(() => 1);
    const waits = Array.from({ length: 16 }, () => backoff.next());
    expect(waits.slice(0, 4)).toEqual([500, 750, 1125, 1687.5]);
    expect(waits.at(-1)).toBe(60_000);
  });

  it('jitters over the whole wait, but never to nothing', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        fc.integer({ min: 1, max: 40 }),
        (random, failures) => {
          const backoff = new Backoff(() => random);
          for (let n = 1; n < failures; n += 1) backoff.next();
          const wait = backoff.next();
          expect(wait).toBeGreaterThanOrEqual(50);
          expect(wait).toBeLessThanOrEqual(60_000);
        },
      ),
    );
  });

  it('restarts after a connection that lasted, and stays short for one that is there but breaks', () => {
    const backoff = new Backoff(() => 1);
    for (let n = 0; n < 20; n += 1) backoff.next();
    backoff.succeeded(false);
    expect(backoff.next()).toBeLessThan(3_000);
    backoff.succeeded(true);
    expect(backoff.next()).toBe(500);
  });
});

describe('the wait between attempts', () => {
  const waiting = () => {
    const clock = new TestClock();
    const pause = new AttemptWait(clock);
    pause.attempt();
    let over = false;
    void pause.wait(60_000).then(() => {
      over = true;
    });
    return { clock, pause, isOver: () => over };
  };

  it('ends by itself', async () => {
    const { clock, pause, isOver } = waiting();
    await clock.advance(59_999);
    expect([isOver(), pause.isShortened]).toEqual([false, false]);
    await clock.advance(1);
    expect(isOver()).toBe(true);
  });

  it('is cut short, but never so that attempts begin closer together than they should', async () => {
    const { clock, pause, isOver } = waiting();
    await clock.advance(400);
    for (let n = 0; n < 50; n += 1) pause.retrySoon(1_000);
    expect(pause.isShortened).toBe(true);
    await clock.advance(599);
    expect(isOver()).toBe(false);
    await clock.advance(1);
    expect(isOver()).toBe(true);
    expect(clock.pendingTimers).toBe(0);
  });

  it('forgets with the next attempt that it was shortened', async () => {
    const { clock, pause } = waiting();
    pause.retrySoon(1_000);
    pause.attempt();
    expect(pause.isShortened).toBe(false);
    await clock.advance(2_000);
    expect(pause.isShortened).toBe(false);
    pause.end();
    await pause.wait();
  });
});

describe('an attempt to connect for which a command waits', () => {
  const begun = () => {
    const clock = new TestClock();
    return { clock, attempt: new ConnectAttempt(clock, [{ host: '127.0.0.1', port: 1 }]) };
  };

  it('is given up once it has made no progress for long enough', async () => {
    const { clock, attempt } = begun();
    attempt.hasten(1_500, 2_800);
    await clock.advance(1_499);
    expect(attempt.signal.aborted).toBe(false);
    await clock.advance(1);
    expect([attempt.signal.aborted, attempt.ending.kind]).toEqual([true, 'replaced']);
  });

  it('goes on when the device answers, and when the command would wait no longer', async () => {
    const { clock, attempt } = begun();
    attempt.hasten(3_000, 2_800);
    await clock.advance(1_000);
    attempt.hasten(1_500, 2_800);
    attempt.progressed();
    await clock.advance(60_000);
    expect(attempt.signal.aborted).toBe(false);
  });

  it('goes on while it waits for its turn to verify', async () => {
    const { clock, attempt } = begun();
    attempt.hasten(1_500, 2_800);
    let begin = (): void => {};
    const turn = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const verified = attempt.queue({ run: (work) => turn.then(work) }, () => Promise.resolve('verified'));
    attempt.hasten(1_500, 2_800);
    await clock.advance(60_000);
    expect(attempt.signal.aborted).toBe(false);
    begin();
    expect(await verified).toBe('verified');
    attempt.hasten(1_500, 2_800);
    await clock.advance(1_500);
    expect(attempt.signal.aborted).toBe(true);
  });
});

describe('limits of a request', () => {
  const memory = (stored?: Limits) => {
    const saved: Limits[] = [];
    return { saved, load: () => stored, save: (limits: Limits) => saved.push(limits) };
  };

  it('are halved when a request is met with silence, and remembered once a smaller one is answered', () => {
    const store = memory();
    const limits = new RequestLimits(store);
    limits.unanswered(40, 'silence');
    expect(limits.current).toEqual({ ...DEFAULT_LIMITS, maxIds: 20, maxBytes: 450 });
    expect(store.saved).toEqual([]);
    limits.answered(1);
    expect(store.saved, 'one alone proves nothing').toEqual([]);
    limits.answered(20);
    expect(store.saved).toEqual([{ ...DEFAULT_LIMITS, maxIds: 20, maxBytes: 450 }]);
    expect(new RequestLimits(memory(store.saved[0])).current).toEqual(store.saved[0]);
  });

  it('stay as they are when the device turns out to have been away', () => {
    const limits = new RequestLimits(memory());
    limits.unanswered(40, 'silence');
    limits.unanswered(20, 'silence');
    limits.acquit();
    expect(limits.current).toEqual(DEFAULT_LIMITS);
  });

  it('take two hang-ups in a row, and none for a single characteristic', () => {
    const limits = new RequestLimits(memory());
    limits.unanswered(1, 'silence');
    limits.unanswered(30, 'hang_up');
    limits.answered(30);
    limits.unanswered(30, 'hang_up');
    expect(limits.current).toEqual(DEFAULT_LIMITS);
    limits.unanswered(30, 'hang_up');
    expect(limits.current.maxIds).toBe(15);
  });

  it('never fall below one characteristic', () => {
    const limits = new RequestLimits(memory());
    for (let n = 0; n < 20; n += 1) limits.unanswered(49, 'silence');
    expect(limits.current).toEqual({ ...DEFAULT_LIMITS, maxIds: 1, maxBytes: 256 });
  });

  it('remember at once what is certain, and not with it what is assumed', () => {
    const store = memory();
    const limits = new RequestLimits(store);
    limits.unanswered(40, 'silence');
    limits.requireOneAccessory();
    expect(store.saved).toEqual([{ ...DEFAULT_LIMITS, oneAccessory: true }]);
    expect(limits.current).toMatchObject({ maxIds: 20, oneAccessory: true });
    limits.acquit();
    expect(limits.current).toEqual({ ...DEFAULT_LIMITS, oneAccessory: true });
    limits.forbidPolling();
    expect(store.saved.at(-1)).toEqual({ ...DEFAULT_LIMITS, oneAccessory: true, noPolling: true });
  });
});

describe('the event guard', () => {
  it('lets a burst and 200 a second of one accessory through, and holds a flood back', () => {
    const clock = new TestClock();
    const guard = new EventGuard(clock);
    const burst = Array.from({ length: 600 }, () => guard.admit(100, ['2']));
    expect(Math.max(...burst)).toBe(0);
    expect(guard.admit(100, ['2'])).toBe(5);
    const flood = Array.from({ length: 1_000 }, () => guard.admit(100, ['2']));
    expect(flood.at(-1)).toBeGreaterThan(4_900);
    expect(guard.admit(100, ['3'])).toBe(0);
  });

  it('lets the accessories of a bridge share a thousand a second', () => {
    const guard = new EventGuard(new TestClock());
    const burst = Array.from({ length: 3_000 }, (_, n) => guard.admit(100, [String(n % 150)]));
    expect(Math.max(...burst)).toBe(0);
    expect(guard.admit(100, ['4'])).toBe(1);
  });

  it('holds a device back that invents accessories', () => {
    const guard = new EventGuard(new TestClock());
    const flood = Array.from({ length: 10_000 }, (_, n) => guard.admit(100, [String(n)]));
    expect(flood.at(-1)).toBeGreaterThan(6_000);
  });

  it('recovers at 200 a second', async () => {
    const clock = new TestClock();
    const guard = new EventGuard(clock);
    for (let n = 0; n < 800; n += 1) guard.admit(100, ['2']);
    await clock.advance(2_000);
    expect(guard.admit(100, ['2'])).toBe(0);
  });

  it('counts large notifications by their size', () => {
    const guard = new EventGuard(new TestClock());
    expect(guard.admit(1024 * 1024, ['2'])).toBe(0);
    expect(guard.admit(2 * 1024 * 1024, ['2'])).toBeGreaterThan(0);
  });
});

describe('the gate', () => {
  it('lets only so many at once, and everyone in turn', async () => {
    const gate = new ConnectGate(new TestClock(), 2);
    let inside = 0;
    let most = 0;
    const order: number[] = [];
    const work = async (n: number): Promise<void> => {
      inside += 1;
      most = Math.max(most, inside);
      await Promise.resolve();
      inside -= 1;
      order.push(n);
    };
    await Promise.all(Array.from({ length: 10 }, (_, n) => gate.run(() => work(n))));
    expect(most).toBe(2);
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });

  it('does not let stuck devices keep others out', async () => {
    const clock = new TestClock();
    const gate = new ConnectGate(clock, 2);
    const never = (): Promise<void> => new Promise(() => {});
    void gate.run(never);
    void gate.run(never);
    let done = false;
    void gate.run(async () => {
      done = true;
    });
    await clock.advance(999);
    expect(done).toBe(false);
    await clock.advance(1);
    expect(done).toBe(true);
  });

  it('gives the place of one that fails to the next', async () => {
    const gate = new ConnectGate(new TestClock(), 1);
    await expect(gate.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(gate.run(async () => 'yes')).resolves.toBe('yes');
  });
});

describe('reachability', () => {
  const fixture = () => {
    const clock = new TestClock();
    const reported: string[] = [];
    const reachability = new Reachability(clock, (reachable, aid, away = new Set()) =>
      reported.push(away.size > 0 ? `all but ${[...away]} ${reachable}` : `${aid ?? 'all'} ${reachable}`),
    );
    return { clock, reported, reachability };
  };

  it('forgives a server that is soon back', async () => {
    const { clock, reported, reachability } = fixture();
    reachability.serverUp();
    for (let n = 0; n < 50; n += 1) {
      reachability.serverDown();
      await clock.advance(5_000);
      reachability.serverUp();
    }
    expect(reported).toEqual(['all true']);
  });

  it('reports a server that stays away, once', async () => {
    const { clock, reported, reachability } = fixture();
    reachability.serverUp();
    for (let n = 0; n < 10; n += 1) {
      reachability.serverDown();
      await clock.advance(4_000);
    }
    expect(reported).toEqual(['all true', 'all false']);
    reachability.serverUp();
    expect(reported.at(-1)).toBe('all true');
    reachability.serverGone();
    expect(reported.at(-1)).toBe('all false');
  });

  it('reports at once a child that never answered, and others after a while', async () => {
    const { clock, reported, reachability } = fixture();
    reachability.serverUp();
    reachability.childFailed('2');
    reachability.childAnswered('3');
    reachability.childFailed('3');
    expect(reported).toEqual(['all true', '2 false']);
    await clock.advance(9_000);
    reachability.childFailed('3');
    expect(reported).toHaveLength(2);
    await clock.advance(1_000);
    reachability.childFailed('3');
    expect(reported.at(-1)).toBe('3 false');
    reachability.childAnswered('3');
    expect(reported.at(-1)).toBe('3 true');
  });

  it('does not make children flicker that are away when their server returns', async () => {
    const { clock, reported, reachability } = fixture();
    reachability.childFailed('2');
    reachability.serverUp();
    expect(reported).toEqual(['all but 2 true']);
    reachability.serverDown();
    await clock.advance(20_000);
    reachability.serverUp();
    expect(reported.slice(1)).toEqual(['all false', 'all but 2 true']);
  });

  it('stops flapping with a child that answers five minutes of every hour', async () => {
    const { clock, reported, reachability } = fixture();
    reachability.serverUp();
    reachability.childAnswered('2');
    const hour = async (): Promise<void> => {
      for (let minute = 0; minute < 60; minute += 1) {
        if (minute < 55) reachability.childFailed('2');
        else reachability.childAnswered('2');
        await clock.advance(60_000);
      }
    };
    for (let n = 0; n < 6; n += 1) await hour();
    const settled = reported.length;
    for (let n = 0; n < 12; n += 1) await hour();
    expect(reported).toHaveLength(settled);
    expect(reported.at(-1)).toBe('2 true');
  });

  it('forgets children that are gone', () => {
    const { reachability } = fixture();
    reachability.childFailed('2');
    reachability.keepOnly(new Set(['1']));
    expect(reachability.failing).toEqual([]);
  });
});

describe('a signal', () => {
  it('wakes those who wait, and those who come while it is raised', async () => {
    const clock = new TestClock();
    const signal = new Signal(clock);
    const waiting = signal.wait(60_000);
    signal.raise();
    await waiting;
    await signal.wait();
    expect(clock.pendingTimers).toBe(0);
    signal.lower();
    let woken = false;
    void signal.wait(1_000).then(() => {
      woken = true;
    });
    await clock.advance(999);
    expect(woken).toBe(false);
    await clock.advance(1);
    expect(woken).toBe(true);
  });
});
