/**
 * A wall clock that is set, forward and back, by an hour and by years, under everything of automations that looks at
 * it.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TestClock } from '../support/test-clock.ts';
import { AutomationFixture } from './automation-fixture.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 365 * DAY_MS;
/** How late a clock that was set is noticed at most. */
const NOTICED_MS = 1_000;

let fixture: AutomationFixture;
let clock: TestClock;
let mark = 1;
beforeAll(async () => {
  clock = new TestClock();
  fixture = await AutomationFixture.start({ clock });
});
afterAll(() => fixture[Symbol.asyncDispose]());
afterEach(async () => {
  await fixture.forgetAll();
  clock.jumpWallClock(Date.UTC(2026, 0, 15, 12) - clock.now());
  await fixture.pass(MINUTE_MS);
});

async function at(trigger: object): Promise<{ id: string; mark: number }> {
  mark += 1;
  const { id } = await fixture.save({
    name: `Flow ${mark}`,
    triggers: [trigger],
    actions: [fixture.dim('Echo', mark)],
  });
  return { id, mark };
}
const timesWritten = (value: number): number => fixture.demoHome.written('Echo').filter((one) => one === value).length;
const timeOfDay = (ms: number): string => new Date(ms).toISOString().slice(11, 19);
const nextOf = async (id: string): Promise<number> => Date.parse((await fixture.next(id))[0] ?? '');

describe('a clock set forward', () => {
  it('by an hour: what came due lately fires once, what is long past is reported, the rest is as planned', async () => {
    const late = await at({ type: 'time', at: timeOfDay(clock.now() + 58 * MINUTE_MS) });
    const missed = await at({ type: 'time', at: timeOfDay(clock.now() + 30 * MINUTE_MS) });
    const still = await at({ type: 'time', at: timeOfDay(clock.now() + HOUR_MS + 10_000) });
    const often = await at({ type: 'time_pattern', minutes: '/1' });
    clock.jumpWallClock(HOUR_MS);
    await fixture.pass(2 * NOTICED_MS);
    expect((await fixture.untilEnded(late.id)).map(({ status }) => status)).toEqual(['success']);
    expect((await fixture.untilEnded(missed.id)).map(({ blockedReason }) => blockedReason)).toEqual(['missed']);
    expect(await fixture.untilEnded(often.id), 'sixty moments went by').toHaveLength(1);
    await fixture.pass(10_000);
    expect((await fixture.untilEnded(still.id)).map(({ status }) => status)).toEqual(['success']);
    expect([late, missed, still].map((flow) => timesWritten(flow.mark))).toEqual([1, 0, 1]);
  });

  it('by an hour: what the settings let be that late fires, from when they do', async () => {
    const late = await at({ type: 'time', at: timeOfDay(clock.now() + 30 * MINUTE_MS) });
    const settings = (minutes: number | null) =>
      fixture.relay.asSystem('PATCH', '/rest/relay/settings', { automation_late_minutes: minutes });
    expect((await settings(45)).status).toBe(200);
    clock.jumpWallClock(HOUR_MS);
    await fixture.pass(2 * NOTICED_MS);
    expect((await fixture.untilEnded(late.id)).map(({ status }) => status)).toEqual(['success']);
    await settings(null);
  });

  it('by a day: the sun is rescheduled within a second', async () => {
    const sun = await at({ type: 'sun', event: 'sunset' });
    const before = await nextOf(sun.id);
    clock.jumpWallClock(DAY_MS);
    await fixture.pass(NOTICED_MS);
    const after = await nextOf(sun.id);
    expect(after).toBeGreaterThan(clock.now());
    expect(Math.abs(after - before - DAY_MS)).toBeLessThan(5 * MINUTE_MS);
    await fixture.passTo(after);
    await fixture.untilEnded(sun.id);
    expect(timesWritten(sun.mark)).toBe(1);
  });
});

describe('a clock set back', () => {
  it('by an hour: what has fired does not fire again when its time comes again', async () => {
    const flow = await at({ type: 'time', at: timeOfDay(clock.now() + 10_000) });
    await fixture.pass(12_000);
    await fixture.untilEnded(flow.id);
    clock.jumpWallClock(-HOUR_MS);
    await fixture.passTo(clock.now() + HOUR_MS - 5_000);
    await fixture.pass(10_000);
    expect(timesWritten(flow.mark)).toBe(1);
    await fixture.passTo(await nextOf(flow.id));
    await fixture.untilEnded(flow.id, 2);
    expect(timesWritten(flow.mark)).toBe(2);
  });

  it('by an hour: delays, holds and virtual timers take no longer for it', async () => {
    await fixture.virtual('Lever', 'switch');
    await fixture.virtual('Egg', 'timer', { duration: 60 });
    const pause = { type: 'delay', duration: { seconds: 60 } };
    const delayed = await fixture.save({ name: 'Delayed', actions: [pause, fixture.dim('Spare', 61)] });
    const lever = { accessoryId: fixture.id('Lever'), characteristicType: 'on' };
    const held = await at({ type: 'state', ...lever, to: true, for: { seconds: 60 } });
    const egg = await at({ type: 'event', eventType: 'timer.finished', eventData: { accessoryId: fixture.id('Egg') } });
    await fixture.run(delayed.id);
    await fixture.operate('Lever', 'turn_on');
    await fixture.operate('Egg', 'start');
    await fixture.pass(20_000);
    clock.jumpWallClock(-HOUR_MS);
    await fixture.pass(36_000);
    expect([timesWritten(held.mark), timesWritten(egg.mark)]).toEqual([0, 0]);
    await fixture.pass(10_000);
    for (const { id } of [delayed, held, egg]) await fixture.untilEnded(id);
    expect([timesWritten(held.mark), timesWritten(egg.mark)]).toEqual([1, 1]);
    expect(fixture.demoHome.written('Spare')).toEqual([61]);
  });

  it('by five years: as a machine without a clock of its own has it before it asks the network', async () => {
    const [sun, time] = [await at({ type: 'sun', event: 'sunset' }), await at({ type: 'time', at: '07:00' })];
    const right = clock.now();
    clock.jumpWallClock(-5 * YEAR_MS);
    await fixture.pass(NOTICED_MS);
    for (const { id } of [sun, time]) {
      const next = await nextOf(id);
      expect(next - clock.now()).toBeGreaterThan(0);
      expect(next - clock.now()).toBeLessThanOrEqual(DAY_MS + 5 * MINUTE_MS);
    }
    await fixture.passTo(await nextOf(time.id));
    await fixture.untilEnded(time.id);
    clock.jumpWallClock(right - clock.now());
    await fixture.pass(2 * NOTICED_MS);
    expect(timesWritten(sun.mark), 'five years of sunsets').toBe(0);
    await fixture.passTo(await nextOf(time.id));
    await fixture.untilEnded(time.id, 2);
    expect(timesWritten(time.mark)).toBe(2);
  });
});

describe('a moment far away', () => {
  it.each([30, 400])('in %i days comes then, and not before', async (days) => {
    const fireDate = new Date(clock.now() + days * DAY_MS).toISOString();
    const flow = await at({ type: 'timer', fireDate });
    await fixture.pass(MINUTE_MS);
    await fixture.passTo(Date.parse(fireDate) - HOUR_MS);
    expect([await fixture.traces(flow.id), timesWritten(flow.mark)]).toEqual([[], 0]);
    await fixture.passTo(fireDate);
    await fixture.untilEnded(flow.id);
    await fixture.pass(MINUTE_MS);
    expect([(await fixture.traces(flow.id)).length, timesWritten(flow.mark)]).toEqual([1, 1]);
    expect(await fixture.next(flow.id)).toEqual([]);
  });
});
