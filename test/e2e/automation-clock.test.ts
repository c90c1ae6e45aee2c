/** A wall clock that is set, forward and back, by an hour and by years, under everything of automations that looks at it. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TestClock } from '../support/test-clock.ts';
import { AutomationLab } from './automation-lab.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 365 * DAY_MS;
/** How late a clock that was set is noticed at most. */
const NOTICED_MS = 1_000;

let lab: AutomationLab;
let clock: TestClock;
let mark = 1;
beforeAll(async () => {
  clock = new TestClock();
  lab = await AutomationLab.start({ clock });
});
afterAll(() => lab[Symbol.asyncDispose]());
afterEach(async () => {
  await lab.forgetAll();
  clock.jumpWallClock(Date.UTC(2026, 0, 15, 12) - clock.now());
  await lab.pass(MINUTE_MS);
});

async function at(trigger: object): Promise<{ id: string; mark: number }> {
  mark += 1;
  const { id } = await lab.save({ name: `Flow ${mark}`, triggers: [trigger], actions: [lab.dim('Echo', mark)] });
  return { id, mark };
}
const timesWritten = (value: number): number => lab.house.written('Echo').filter((one) => one === value).length;
const timeOfDay = (ms: number): string => new Date(ms).toISOString().slice(11, 19);
const nextOf = async (id: string): Promise<number> => Date.parse((await lab.next(id))[0] ?? '');

describe('a clock set forward', () => {
  it('by an hour: what came due lately fires once, what is long past is reported, the rest is as planned', async () => {
    const late = await at({ type: 'time', at: timeOfDay(clock.now() + 58 * MINUTE_MS) });
    const missed = await at({ type: 'time', at: timeOfDay(clock.now() + 30 * MINUTE_MS) });
    const still = await at({ type: 'time', at: timeOfDay(clock.now() + HOUR_MS + 10_000) });
    const often = await at({ type: 'time_pattern', minutes: '/1' });
    clock.jumpWallClock(HOUR_MS);
    await lab.pass(2 * NOTICED_MS);
    expect((await lab.untilEnded(late.id)).map(({ status }) => status)).toEqual(['success']);
    expect((await lab.untilEnded(missed.id)).map(({ blockedReason }) => blockedReason)).toEqual(['missed']);
    expect(await lab.untilEnded(often.id), 'sixty moments went by').toHaveLength(1);
    await lab.pass(10_000);
    expect((await lab.untilEnded(still.id)).map(({ status }) => status)).toEqual(['success']);
    expect([late, missed, still].map((flow) => timesWritten(flow.mark))).toEqual([1, 0, 1]);
  });

  it('by an hour: what the settings let be that late fires, from when they do', async () => {
    const late = await at({ type: 'time', at: timeOfDay(clock.now() + 30 * MINUTE_MS) });
    const settings = (minutes: number | null) =>
      lab.relay.asSystem('PATCH', '/rest/relay/settings', { automation_late_minutes: minutes });
    expect((await settings(45)).status).toBe(200);
    clock.jumpWallClock(HOUR_MS);
    await lab.pass(2 * NOTICED_MS);
    expect((await lab.untilEnded(late.id)).map(({ status }) => status)).toEqual(['success']);
    await settings(null);
  });

  it('by a day: the sun is planned anew within a second', async () => {
    const sun = await at({ type: 'sun', event: 'sunset' });
    const before = await nextOf(sun.id);
    clock.jumpWallClock(DAY_MS);
    await lab.pass(NOTICED_MS);
    const after = await nextOf(sun.id);
    expect(after).toBeGreaterThan(clock.now());
    expect(Math.abs(after - before - DAY_MS)).toBeLessThan(5 * MINUTE_MS);
    await lab.passTo(after);
    await lab.untilEnded(sun.id);
    expect(timesWritten(sun.mark)).toBe(1);
  });
});

describe('a clock set back', () => {
  it('by an hour: what has fired does not fire again when its time comes again', async () => {
    const flow = await at({ type: 'time', at: timeOfDay(clock.now() + 10_000) });
    await lab.pass(12_000);
    await lab.untilEnded(flow.id);
    clock.jumpWallClock(-HOUR_MS);
    await lab.passTo(clock.now() + HOUR_MS - 5_000);
    await lab.pass(10_000);
    expect(timesWritten(flow.mark)).toBe(1);
    await lab.passTo(await nextOf(flow.id));
    await lab.untilEnded(flow.id, 2);
    expect(timesWritten(flow.mark)).toBe(2);
  });

  it('by an hour: delays, holds and virtual timers take no longer for it', async () => {
    await lab.virtual('Lever', 'switch');
    await lab.virtual('Egg', 'timer', { duration: 60 });
    const pause = { type: 'delay', duration: { seconds: 60 } };
    const delayed = await lab.save({ name: 'Delayed', actions: [pause, lab.dim('Spare', 61)] });
    const lever = { accessoryId: lab.id('Lever'), characteristicType: 'on' };
    const held = await at({ type: 'state', ...lever, to: true, for: { seconds: 60 } });
    const egg = await at({ type: 'event', eventType: 'timer.finished', eventData: { accessoryId: lab.id('Egg') } });
    await lab.run(delayed.id);
    await lab.operate('Lever', 'turn_on');
    await lab.operate('Egg', 'start');
    await lab.pass(20_000);
    clock.jumpWallClock(-HOUR_MS);
    await lab.pass(36_000);
    expect([timesWritten(held.mark), timesWritten(egg.mark)]).toEqual([0, 0]);
    await lab.pass(10_000);
    for (const { id } of [delayed, held, egg]) await lab.untilEnded(id);
    expect([timesWritten(held.mark), timesWritten(egg.mark)]).toEqual([1, 1]);
    expect(lab.house.written('Spare')).toEqual([61]);
  });

  it('by five years: as a machine without a clock of its own has it before it asks the network', async () => {
    const [sun, time] = [await at({ type: 'sun', event: 'sunset' }), await at({ type: 'time', at: '07:00' })];
    const right = clock.now();
    clock.jumpWallClock(-5 * YEAR_MS);
    await lab.pass(NOTICED_MS);
    for (const { id } of [sun, time]) {
      const next = await nextOf(id);
      expect(next - clock.now()).toBeGreaterThan(0);
      expect(next - clock.now()).toBeLessThanOrEqual(DAY_MS + 5 * MINUTE_MS);
    }
    await lab.passTo(await nextOf(time.id));
    await lab.untilEnded(time.id);
    clock.jumpWallClock(right - clock.now());
    await lab.pass(2 * NOTICED_MS);
    expect(timesWritten(sun.mark), 'five years of sunsets').toBe(0);
    await lab.passTo(await nextOf(time.id));
    await lab.untilEnded(time.id, 2);
    expect(timesWritten(time.mark)).toBe(2);
  });
});

describe('a moment far away', () => {
  it.each([30, 400])('in %i days comes then, and not before', async (days) => {
    const fireDate = new Date(clock.now() + days * DAY_MS).toISOString();
    const flow = await at({ type: 'timer', fireDate });
    await lab.pass(MINUTE_MS);
    await lab.passTo(Date.parse(fireDate) - HOUR_MS);
    expect([await lab.traces(flow.id), timesWritten(flow.mark)]).toEqual([[], 0]);
    await lab.passTo(fireDate);
    await lab.untilEnded(flow.id);
    await lab.pass(MINUTE_MS);
    expect([(await lab.traces(flow.id)).length, timesWritten(flow.mark)]).toEqual([1, 1]);
    expect(await lab.next(flow.id)).toEqual([]);
  });
});
