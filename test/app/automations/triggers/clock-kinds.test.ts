import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Trigger } from '../../../../src/app/automations/triggers/index.ts';
import { nextOf } from '../../../../src/app/automations/triggers/index.ts';
import { startReplanning } from '../../../../src/app/automations/triggers/replanning.ts';
import { createTempDirectory } from '../../../support/temp-directory.ts';
import { TestClock } from '../../../support/test-clock.ts';
import { systemCaller } from '../../../support/test-home.ts';
import { createTriggerFixture, GRACE_MS, type TriggerFixture, type Unnamed } from './trigger-fixture.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let fixture: TriggerFixture;
let stopReplanning = (): void => {};

function open(at: string | number, path?: string): void {
  fixture = createTriggerFixture({ ...(path !== undefined && { path }), clock: new TestClock(at) });
  fixture.homes.update(systemCaller, fixture.home.id, { timeZone: 'Europe/Berlin' });
  stopReplanning = startReplanning(fixture.triggerDeps);
}
beforeEach(() => open('2026-03-02T12:00:00Z'));
afterEach(() => {
  stopReplanning();
  if (fixture.database.open) fixture.close();
});

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

function next(unnamed: Unnamed, after = fixture.clock.now()): string | null {
  const trigger = { id: 't', enabled: true, ...unnamed } as Trigger;
  return iso(nextOf(trigger, { homeId: fixture.home.id, state: fixture.state }, after));
}

describe('when the clock fires next', () => {
  it.each<[string, Unnamed, string | null]>([
    ['a time, by the clocks of the home', { type: 'time', at: '14:30' }, '2026-03-02T13:30:00.000Z'],
    ['a time on a weekday, 0 = Sunday', { type: 'time', at: '14:30', weekdays: [0] }, '2026-03-08T13:30:00.000Z'],
    ['a pattern', { type: 'time_pattern', minutes: '/25' }, '2026-03-02T12:25:00.000Z'],
    ['a sunset, while the location of the home is unknown', { type: 'sun', event: 'sunset' }, null],
    [
      'a calendar, 1 = Sunday',
      { type: 'calendar', components: { weekday: 2, hour: 7, minute: 15 } },
      '2026-03-09T06:15:00.000Z',
    ],
    ['a timer', { type: 'timer', fireDate: '2026-03-05T07:00:00Z' }, '2026-03-05T07:00:00.000Z'],
    ['a timer that is over', { type: 'timer', fireDate: '2026-03-01T07:00:00Z' }, null],
    [
      'a timer that recurs, in a zone of its own',
      { type: 'timer', fireDate: '2026-03-01T07:00:00Z', recurrence: { day: 1 }, timeZone: 'America/New_York' },
      '2026-03-03T07:00:00.000Z',
    ],
    ['what no clock fires', { type: 'event', eventType: 'party' }, null],
  ])('%s', (_, trigger, expected) => {
    expect(next(trigger)).toBe(expected);
  });

  it('the sun, where the home stands', () => {
    fixture.homes.update(systemCaller, fixture.home.id, { location: { latitude: 52.52, longitude: 13.405 } });
    const sunset = Date.parse(next({ type: 'sun', event: 'sunset' }) ?? '');
    expect(Math.abs(sunset - Date.parse('2026-03-02T16:49:00Z'))).toBeLessThan(3 * MINUTE);
    expect(next({ type: 'sun', event: 'sunset', offset: { minutes: -30 } })).toBe(iso(sunset - 30 * MINUTE));
  });
});

describe('what the clock fires', () => {
  it('fires at its time, in the transaction that marks its slot', async () => {
    const { fired } = fixture.watch({ type: 'time', at: '14:30' });
    await fixture.clock.advance(2 * DAY);
    expect(fired.map(({ at, durable, data }) => [iso(at), durable, data])).toEqual([
      ['2026-03-02T13:30:00.000Z', true, {}],
      ['2026-03-03T13:30:00.000Z', true, {}],
    ]);
  });

  it.each([
    ['fires once and late where it came due while the daemon was down', 4 * MINUTE, true],
    ['is missed where that was too long ago', GRACE_MS + MINUTE, false],
  ])('%s', async (_, lateMs, isInTime) => {
    using directory = createTempDirectory('clock-kinds');
    const path = directory.file('relay.db');
    const due = Date.parse('2026-03-02T13:30:00Z');
    fixture.close();
    open(due - 10 * MINUTE, path);
    const trigger = { type: 'time', at: '14:30' } as const;
    fixture.watch(trigger);
    await fixture.clock.advance(MINUTE);
    fixture.kill();
    open(due + lateMs, path);
    const { fired, missed } = fixture.watch(trigger);
    expect(fired).toEqual([]);
    await fixture.clock.advance(10 * MINUTE);
    expect([fired.length, missed]).toEqual(isInTime ? [1, []] : [0, [due]]);
    fixture.close();
  });

  it('goes by the zone that the home has been given meanwhile', async () => {
    const { fired } = fixture.watch({ type: 'time', at: '14:30' });
    fixture.homes.update(systemCaller, fixture.home.id, { timeZone: 'America/New_York' });
    await fixture.clock.advance(DAY);
    expect(fired.map(({ at }) => iso(at))).toEqual(['2026-03-02T19:30:00.000Z']);
  });

  it('of the sun is silent until the home has a place, and follows it', async () => {
    const { fired } = fixture.watch({ type: 'sun', event: 'sunset' });
    await fixture.clock.advance(6 * HOUR);
    expect(fired).toEqual([]);
    fixture.homes.update(systemCaller, fixture.home.id, { location: { latitude: 52.52, longitude: 13.405 } });
    await fixture.clock.advance(DAY);
    expect(fired).toHaveLength(1);
    fixture.homes.update(systemCaller, fixture.home.id, { location: null });
    await fixture.clock.advance(DAY);
    expect(fired).toHaveLength(1);
  });

  it('is left alone by every other change of the layout', () => {
    let replans = 0;
    const stop = startReplanning({ bus: fixture.bus, state: fixture.state, slots: { replan: () => (replans += 1) } });
    fixture.homes.update(systemCaller, fixture.home.id, { name: 'Renamed' });
    fixture.rooms.create(systemCaller, { homeId: fixture.home.id, name: 'Attic' });
    expect(replans).toBe(0);
    fixture.homes.update(systemCaller, fixture.home.id, { timeZone: 'Asia/Tokyo' });
    expect(replans).toBe(1);
    stop();
    fixture.homes.update(systemCaller, fixture.home.id, { timeZone: 'UTC' });
    expect(replans).toBe(1);
  });

  it('is not due any more once it is ended', async () => {
    const { fired, stop } = fixture.watch({ type: 'time_pattern', minutes: '*' });
    stop();
    await fixture.clock.advance(HOUR);
    expect(fired).toEqual([]);
  });
});
