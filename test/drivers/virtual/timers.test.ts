/** Timers on the wall clock: they run, wait, outlive restarts and kills, and notice that the clock was set. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AccessoryAddress } from '../../../src/home/model.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';
import { TestClock } from '../../support/test-clock.ts';
import { openFixture, type VirtualFixture } from './virtual-fixture.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let directory: TempDirectory;
let clock: TestClock;
let fixture: VirtualFixture;
let tea: AccessoryAddress;

const open = (): VirtualFixture => openFixture({ path: directory.file('relay.db'), clock });

beforeEach(() => {
  directory = createTempDirectory('timers');
  clock = new TestClock();
  fixture = open();
  tea = fixture.create({ type: 'timer', duration: '4m' }, 'Tea');
});

afterEach(() => {
  fixture.close();
  directory.remove();
});

/** As SIGKILL leaves it: no part is asked to stop. */
function kill(): void {
  fixture.database.close();
}

/** Time that passes for all parts, also while the daemon is down. */
async function pass(ms: number): Promise<void> {
  await clock.advance(ms);
}

const state = () => fixture.driver.timerOf(tea);

describe('a timer', () => {
  it('is idle at first and shows how long it would run', () => {
    expect(fixture.valueOf(tea)).toBe('idle');
    expect(state()).toEqual({
      status: 'idle',
      durationMs: 4 * MINUTE_MS,
      startedAt: null,
      endsAt: null,
      remainingMs: null,
      finishedAt: null,
    });
  });

  it('runs for its duration, and is finished once when that is over', async () => {
    const startedAt = clock.now();
    expect(fixture.driver.operate(tea, 'start')).toBe('active');
    await pass(MINUTE_MS);
    const endsAt = startedAt + 4 * MINUTE_MS;
    expect(state()).toMatchObject({ status: 'active', startedAt, endsAt, remainingMs: 3 * MINUTE_MS });
    await pass(3 * MINUTE_MS - 1);
    expect(fixture.valueOf(tea)).toBe('active');
    await pass(1);
    expect(state()).toMatchObject({ status: 'idle', endsAt: null, remainingMs: null, finishedAt: endsAt });
    await pass(HOUR_MS);
    expect(fixture.reportsOf(tea)).toEqual(['active', 'idle']);
  });

  it('runs for the given time once', async () => {
    fixture.driver.operate(tea, 'start', '10s');
    expect(state()).toMatchObject({ durationMs: 10 * SECOND_MS, remainingMs: 10 * SECOND_MS });
    await pass(10 * SECOND_MS);
    expect(state()).toMatchObject({ status: 'idle', durationMs: 4 * MINUTE_MS });
  });

  it('waits while it is paused and goes on with what was left', async () => {
    fixture.driver.operate(tea, 'start');
    await pass(MINUTE_MS);
    expect(fixture.driver.operate(tea, 'pause')).toBe('paused');
    expect(fixture.driver.operate(tea, 'pause')).toBe('paused');
    await pass(HOUR_MS);
    expect(state()).toMatchObject({ status: 'paused', endsAt: null, remainingMs: 3 * MINUTE_MS });
    expect(fixture.driver.operate(tea, 'resume')).toBe('active');
    expect(fixture.driver.operate(tea, 'resume')).toBe('active');
    await pass(3 * MINUTE_MS - 1);
    expect(fixture.valueOf(tea)).toBe('active');
    await pass(1);
    expect(fixture.reportsOf(tea)).toEqual(['active', 'paused', 'active', 'idle']);
  });

  it('starts from the beginning when it is started again', async () => {
    fixture.driver.operate(tea, 'start');
    await pass(3 * MINUTE_MS);
    fixture.driver.operate(tea, 'start');
    await pass(3 * MINUTE_MS);
    expect(state()).toMatchObject({ status: 'active', remainingMs: MINUTE_MS });
  });

  it('is cancelled without having finished, and finished before its time', async () => {
    fixture.driver.operate(tea, 'start');
    expect(fixture.driver.operate(tea, 'cancel')).toBe('idle');
    expect(fixture.driver.operate(tea, 'cancel')).toBe('idle');
    expect(state()?.finishedAt).toBeNull();
    fixture.driver.operate(tea, 'start');
    await pass(SECOND_MS);
    expect(fixture.driver.operate(tea, 'finish')).toBe('idle');
    expect(state()?.finishedAt).toBe(clock.now());
    fixture.driver.operate(tea, 'start');
    fixture.driver.operate(tea, 'pause');
    expect(fixture.driver.operate(tea, 'finish')).toBe('idle');
    await pass(HOUR_MS);
    expect(fixture.valueOf(tea)).toBe('idle');
  });

  it.each(['pause', 'resume', 'finish'])('that is idle reports it when it should %s', (operation) => {
    expect(() => fixture.driver.operate(tea, operation)).toThrow(`The timer is idle: ${operation} needs one that is`);
  });

  it('is started by writing active, and stopped by writing anything else', async () => {
    expect(await fixture.write(tea, 'active')).toEqual({ ok: true, value: 'active' });
    await pass(MINUTE_MS);
    // It runs already: that changes nothing, and does not restart it.
    expect(await fixture.write(tea, 'active')).toEqual({ ok: true, value: 'active' });
    expect(state()?.remainingMs).toBe(3 * MINUTE_MS);
    expect(await fixture.write(tea, 'idle')).toEqual({ ok: true, value: 'idle' });
    expect(await fixture.write(tea, 'idle')).toEqual({ ok: true, value: 'idle' });
    expect(fixture.reportsOf(tea)).toEqual(['active', 'idle']);
    fixture.driver.operate(tea, 'start');
    fixture.driver.operate(tea, 'pause');
    expect(await fixture.write(tea, 'active')).toEqual({ ok: true, value: 'active' });
    expect(state()?.remainingMs).toBe(4 * MINUTE_MS);
  });

  it('reports nothing of what is no timer', () => {
    expect(fixture.driver.timerOf(fixture.create({ type: 'mode' }))).toBeUndefined();
  });
});

describe('a restart', () => {
  it.each(['stop', 'kill'])('after a %s leaves a timer running to the time that it was to end at', async (how) => {
    fixture.driver.operate(tea, 'start');
    const endsAt = state()?.endsAt;
    await pass(MINUTE_MS);
    if (how === 'stop') fixture.close();
    else kill();
    await pass(MINUTE_MS);
    fixture = open();
    expect(state()).toMatchObject({ status: 'active', endsAt, remainingMs: 2 * MINUTE_MS });
    expect(fixture.sink.reports).toEqual([]);
    await pass(2 * MINUTE_MS);
    expect([fixture.reportsOf(tea), state()?.finishedAt]).toEqual([['idle'], endsAt]);
  });

  it('finishes what came due while it was down, once, with the time at which it was due', async () => {
    fixture.driver.operate(tea, 'start');
    const endsAt = state()?.endsAt;
    kill();
    await pass(HOUR_MS);
    fixture = open();
    expect(fixture.reportsOf(tea)).toEqual(['idle']);
    expect(fixture.sink.described.get(tea.source)?.services[0]?.characteristics[0]?.value).toBe('active');
    expect(state()?.finishedAt).toBe(endsAt);
    kill();
    fixture = open();
    expect([fixture.reportsOf(tea), fixture.valueOf(tea)]).toEqual([[], 'idle']);
  });

  it('keeps what is left of a paused one, and when it finished last', async () => {
    fixture.driver.operate(tea, 'start', 1);
    await pass(SECOND_MS);
    const finishedAt = state()?.finishedAt;
    fixture.driver.operate(tea, 'start');
    await pass(MINUTE_MS);
    fixture.driver.operate(tea, 'pause');
    kill();
    await pass(HOUR_MS);
    fixture = open();
    expect(state()).toMatchObject({ status: 'paused', remainingMs: 3 * MINUTE_MS, finishedAt });
    fixture.driver.operate(tea, 'resume');
    await pass(3 * MINUTE_MS);
    expect(fixture.reportsOf(tea)).toEqual(['active', 'idle']);
  });

  it('by a clock that was set back meanwhile makes no timer run longer than it takes', async () => {
    fixture.driver.operate(tea, 'start');
    kill();
    clock.jumpWallClock(-24 * HOUR_MS);
    fixture = open();
    expect(state()).toMatchObject({ status: 'active', remainingMs: 4 * MINUTE_MS });
    await pass(4 * MINUTE_MS);
    expect(fixture.reportsOf(tea)).toEqual(['idle']);
  });

  it('stops the timers of a driver that has been stopped', async () => {
    fixture.driver.operate(tea, 'start');
    fixture.driver.stop();
    const { sink } = fixture;
    await pass(HOUR_MS);
    expect(sink.reports.map(({ value }) => value)).toEqual(['active']);
    expect(clock.pendingTimers).toBe(0);
    fixture.database.close();
    fixture = open();
  });
});

describe('a wall clock that is set', () => {
  it('back lengthens no timer, for every reader', async () => {
    fixture.driver.operate(tea, 'start');
    await pass(MINUTE_MS);
    clock.jumpWallClock(-HOUR_MS);
    expect(state()).toMatchObject({ remainingMs: 3 * MINUTE_MS, endsAt: clock.now() + 3 * MINUTE_MS });
  });

  it('forward ends what is due by it within a second', async () => {
    fixture.driver.operate(tea, 'start');
    await pass(10 * SECOND_MS);
    clock.jumpWallClock(HOUR_MS);
    await pass(SECOND_MS);
    expect(fixture.valueOf(tea)).toBe('idle');
  });

  it('forward past the end ends it before anything else is done with it', async () => {
    const end = clock.now() + 4 * MINUTE_MS;
    const late = [
      () => expect(() => fixture.driver.operate(tea, 'pause')).toThrow('The timer is idle'),
      () => fixture.driver.operate(tea, 'cancel'),
      () => fixture.write(tea, 'idle'),
      () => fixture.driver.operate(tea, 'start'),
    ];
    for (const [index, act] of late.entries()) {
      fixture.driver.operate(tea, 'start');
      clock.jumpWallClock(HOUR_MS);
      await act();
      expect(state()?.finishedAt).toBe(end + index * HOUR_MS);
    }
    expect(fixture.reportsOf(tea)).toEqual([
      'active',
      'idle',
      'active',
      'idle',
      'active',
      'idle',
      'active',
      'idle',
      'active',
    ]);
  });

  it('forward but not past the end leaves less to wait', async () => {
    fixture.driver.operate(tea, 'start');
    clock.jumpWallClock(3 * MINUTE_MS);
    await pass(59 * SECOND_MS);
    expect(fixture.valueOf(tea)).toBe('active');
    await pass(SECOND_MS);
    expect(fixture.valueOf(tea)).toBe('idle');
  });

  it('back makes no one wait longer, and what is left of it is right after a kill too', async () => {
    fixture.driver.operate(tea, 'start');
    await pass(MINUTE_MS);
    clock.jumpWallClock(-HOUR_MS);
    await pass(MINUTE_MS);
    expect(state()).toMatchObject({ status: 'active', remainingMs: 2 * MINUTE_MS });
    kill();
    fixture = open();
    expect(state()).toMatchObject({ status: 'active', remainingMs: 2 * MINUTE_MS });
    await pass(2 * MINUTE_MS - 1);
    expect(fixture.valueOf(tea)).toBe('active');
    await pass(1);
    expect(fixture.valueOf(tea)).toBe('idle');
  });

  it('back just before a timer starts does not touch the new one', async () => {
    const eggs = fixture.create({ type: 'timer', duration: '10m' }, 'Eggs');
    fixture.driver.operate(eggs, 'start');
    clock.jumpWallClock(-HOUR_MS);
    fixture.driver.operate(tea, 'start');
    expect(state()).toMatchObject({ remainingMs: 4 * MINUTE_MS, endsAt: clock.now() + 4 * MINUTE_MS });
    await pass(4 * MINUTE_MS);
    expect([fixture.valueOf(tea), fixture.valueOf(eggs)]).toEqual(['idle', 'active']);
    await pass(6 * MINUTE_MS);
    expect(fixture.valueOf(eggs)).toBe('idle');
  });

  it('by a little, as NTP does, moves nothing', async () => {
    fixture.driver.operate(tea, 'start');
    const endsAt = state()?.endsAt;
    for (let n = 0; n < 10; n += 1) {
      clock.jumpWallClock(-20);
      await pass(SECOND_MS);
    }
    expect(state()?.endsAt).toBe(endsAt);
  });
});

describe('deadlines of others', () => {
  it('are left alone by a driver that is stopped', async () => {
    const due: number[] = [];
    fixture.timers.set(clock.now() + MINUTE_MS, { due: (now) => due.push(now) });
    fixture.driver.operate(tea, 'start');
    fixture.driver.stop();
    await pass(MINUTE_MS);
    expect(due).toEqual([clock.now()]);
    expect(clock.pendingTimers).toBe(0);
  });
});

describe('many timers', () => {
  it('a thousand at once are each finished once, and nothing is left to run', async () => {
    fixture.close();
    fixture = openFixture({ clock });
    const all = Array.from({ length: 1_000 }, (_, n) => fixture.create({ type: 'timer', duration: 1 + (n % 10) }));
    for (const address of all) fixture.driver.operate(address, 'start');
    expect(clock.pendingTimers).toBe(1);
    await pass(5 * SECOND_MS);
    expect(all.filter((address) => fixture.valueOf(address) === 'idle')).toHaveLength(500);
    await pass(5 * SECOND_MS);
    for (const address of all) expect(fixture.reportsOf(address)).toEqual(['active', 'idle']);
    expect(clock.pendingTimers).toBe(0);
  });
});

it('a timer that is through is finished although nothing can be stored', async () => {
  fixture.driver.operate(tea, 'start');
  fixture.database.pragma('query_only = ON');
  await pass(4 * MINUTE_MS);
  expect(fixture.valueOf(tea)).toBe('idle');
  fixture.database.pragma('query_only = OFF');
});
