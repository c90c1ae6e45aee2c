/** Decisions §10 on time, and faults A5 as far as automations show them, through REST. One `it` a sentence. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import { TestClock } from '../support/test-clock.ts';
import { SAMPLE_DEVICES, systemCaller } from '../support/test-home.ts';
import { type AutomationClient, BERLIN, openAutomationClient } from './automation-client.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

let directory: TempDirectory;
let door: AutomationClient;

beforeEach(() => {
  directory = createTempDirectory('automation-clock');
});
afterEach(async () => {
  await door.close();
  directory.remove();
});

function open(at: number | string, timeZone = 'Europe/Berlin'): void {
  door = openAutomationClient({
    path: directory.file('relay.db'),
    clock: new TestClock(at),
    runsPerMinute: 1_000,
    sample: false,
    prepare: ({ home, driver, homes }) => {
      for (const device of SAMPLE_DEVICES) driver.attach(home.id, device);
      homes.update(systemCaller, home.id, { timeZone, location: BERLIN });
    },
  });
}
/** The process is killed, and comes back so much later. */
async function killAndReopen(downMs: number): Promise<void> {
  const at = door.home.clock.now() + downMs;
  door.home.kill();
  open(at);
  await door.home.settle();
}
const setLamp = (value: unknown) => ({
  type: 'set_characteristic',
  accessoryId: door.id('Lamp'),
  characteristicType: 'power_state',
  value,
});
const timed = async (at: string): Promise<string> => (await door.save({ triggers: [{ type: 'time', at }] })).id;
const next = async (flowId: string, count: number): Promise<readonly string[]> =>
  (await door.rest.get(`/rest/flows/${flowId}/next?count=${count}`)).body;
const begun = (flowId: string): Promise<number> => door.runsOf(flowId);

describe('time is IANA time zones and the home’s own latitude and longitude', () => {
  it('a wall-clock time that does not exist fires at the first moment after the gap', async () => {
    // In Berlin clocks go from 2:00 to 3:00 on 29 March.
    open('2026-03-29T00:00:00Z');
    const flow = await timed('02:30');
    expect(await next(flow, 2)).toEqual(['2026-03-29T01:00:00.000Z', '2026-03-30T00:30:00.000Z']);
    await door.advance(3 * HOUR);
    expect(await begun(flow)).toBe(1);
  });

  it('one that occurs twice fires once', async () => {
    // From 3:00 back to 2:00 on 25 October.
    open('2026-10-25T00:00:00Z');
    const flow = await timed('02:30');
    expect(await next(flow, 2)).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z']);
    await door.advance(3 * HOUR);
    expect(await begun(flow)).toBe(1);
  });

  it('sunrise and sunset follow the home', async () => {
    open('2026-06-21T12:00:00Z');
    const { id } = await door.save({ triggers: [{ type: 'sun', event: 'sunset' }] });
    const [inBerlin = ''] = await next(id, 1);
    door.home.homes.update(systemCaller, door.homeId, { location: { latitude: 37.98, longitude: 23.73, radius: 100 } });
    const [inAthens = ''] = await next(id, 1);
    expect(Math.abs(Date.parse(inBerlin) - Date.parse('2026-06-21T19:33:00Z'))).toBeLessThan(2 * MINUTE);
    expect(Math.abs(Date.parse(inAthens) - Date.parse('2026-06-21T17:51:00Z'))).toBeLessThan(2 * MINUTE);
    await door.advance(Date.parse(inAthens) - door.home.clock.now() + SECOND);
    expect(await begun(id)).toBe(1);
  });

  it('a day without one fires nothing', async () => {
    open('2026-06-21T12:00:00Z');
    door.home.homes.update(systemCaller, door.homeId, { location: { latitude: 78.22, longitude: 15.65, radius: 100 } });
    const { id } = await door.save({ triggers: [{ type: 'sun', event: 'sunset' }] });
    await door.advance(14 * HOUR);
    expect(await begun(id)).toBe(0);
    // On Svalbard the sun next sets in the last week of August.
    expect((await next(id, 1))[0]).toMatch(/^2026-08-2\d/);
  });

  it('one-shots years ahead come', async () => {
    open('2026-01-15T12:00:00Z');
    const { id } = await door.save({ triggers: [{ type: 'timer', fireDate: '2027-02-20T12:00:00Z' }] });
    await door.advance(MINUTE);
    expect(await begun(id)).toBe(0);
    await killAndReopen(401 * DAY - MINUTE - SECOND);
    expect(await begun(id)).toBe(0);
    await door.advance(2 * SECOND);
    expect(await begun(id)).toBe(1);
    expect(await next(id, 1)).toEqual([]);
  });
});

describe('running timers, delays and waits survive a restart', () => {
  it('what came due while down fires at once if no older than 5 minutes', async () => {
    open('2026-01-15T12:00:00Z');
    const flow = await timed('13:10');
    const { flowId: waiting } = await door.runOf([{ type: 'delay', duration: { minutes: 11 } }, setLamp(true)]);
    await killAndReopen(14 * MINUTE);
    await door.advance(2 * SECOND);
    expect(await begun(flow)).toBe(1);
    expect((await door.traces(waiting))[0].status).toBe('success');
    expect(door.valueOf('Lamp')).toBe(true);
  });

  it('else is reported as missed', async () => {
    open('2026-01-15T12:00:00Z');
    const flow = await timed('13:10');
    const { flowId: waiting } = await door.runOf([{ type: 'delay', duration: { minutes: 11 } }, setLamp(true)]);
    const failed: string[] = [];
    await killAndReopen(20 * MINUTE);
    door.home.bus.on('automation.failed', ({ automationId }) => failed.push(automationId));
    await door.advance(2 * SECOND);
    expect((await door.traces(flow))[0]).toMatchObject({ blockedReason: 'missed', status: 'stopped' });
    expect((await door.traces(waiting))[0].blockedReason).toBe('missed');
    expect(door.valueOf('Lamp')).toBe(false);
    expect(await next(flow, 1)).toEqual(['2026-01-16T12:10:00.000Z']);
  });

  it('a "for" goes on counting', async () => {
    open('2026-01-15T12:00:00Z');
    const motion = { accessoryId: door.id('Motion'), characteristicType: 'motion_detected' };
    const { id } = await door.save({ triggers: [{ type: 'state', ...motion, to: true, for: { minutes: 10 } }] });
    await door.device('Motion', true);
    await door.advance(4 * MINUTE);
    await killAndReopen(MINUTE);
    await door.device('Motion', true);
    await door.advance(5 * MINUTE - 2 * SECOND);
    expect(await begun(id)).toBe(0);
    await door.advance(4 * SECOND);
    expect(await begun(id)).toBe(1);
  });

  it('a wait is there again, and ends by what it waits for', async () => {
    open('2026-01-15T12:00:00Z');
    const motion = { accessoryId: door.id('Motion'), characteristicType: 'motion_detected' };
    const { runId } = await door.runOf([
      { type: 'wait_for_trigger', triggers: [{ type: 'state', ...motion, to: true }] },
      setLamp(true),
    ]);
    await killAndReopen(MINUTE);
    await door.device('Motion', true);
    expect((await door.trace(runId)).status).toBe('success');
    expect(door.valueOf('Lamp')).toBe(true);
  });

  it('a timer goes on', async () => {
    open('2026-01-15T12:00:00Z');
    door.home.virtuals.create(systemCaller, { homeId: door.homeId, name: 'Tea', type: 'timer', duration: 180 });
    const { id } = await door.save({ triggers: [{ type: 'event', eventType: 'timer.finished' }] });
    const tea = door.home.named('Tea').id;
    await door.rest.post(`/rest/virtual-accessories/${tea}/operate`, { operation: 'start' });
    await door.advance(MINUTE);
    await killAndReopen(MINUTE);
    await door.advance(MINUTE - 2 * SECOND);
    expect(await begun(id)).toBe(0);
    await door.advance(4 * SECOND);
    expect(await begun(id)).toBe(1);
  });
});

describe('clock jumps are noticed within a second and re-planned (faults 66)', () => {
  it.each([
    ['five years back', -5 * YEAR, 1],
    ['an hour forward', HOUR, 1],
    ['an hour back', -HOUR, 1],
    // By then the one of the next day is late by a second.
    ['a day forward', DAY, 2],
  ])('%s: the next one is planned by the new clock, and none fires twice', async (_, jumpMs, times) => {
    open('2026-01-15T12:00:00Z');
    const flow = await timed('13:30');
    const soon = await timed('13:00:05');
    await door.advance(6 * SECOND);
    expect(await begun(soon)).toBe(1);
    door.home.clock.jumpWallClock(jumpMs);
    await door.advance(SECOND);
    expect(await begun(soon)).toBe(times);
    const [due = ''] = await next(flow, 1);
    await door.advance(Date.parse(due) - door.home.clock.now() + SECOND);
    expect(await begun(flow)).toBe(1);
  });
});
