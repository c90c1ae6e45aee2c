import { describe, expect, it } from 'vitest';
import type { ActivityItem } from '../../../src/web/dashboard/pages/activity/documents.ts';
import { foldByDay, latestLines } from '../../../src/web/dashboard/pages/activity/fold.ts';
import {
  actorKey,
  isFiltered,
  parseActivityView,
  presentActivityView,
  variablesOf,
} from '../../../src/web/dashboard/pages/activity/view.ts';
import { createFormat } from '../../../src/web/dashboard/texts/format.ts';

const { day } = createFormat('en', 'celsius', 'en-GB');
const MINUTE_MS = 60_000;
/** Local noon, so that no zone puts entries of minutes into two days. */
const NOON = new Date(2026, 0, 15, 12).getTime();

/** @param minutesAgo before noon */
function entry(minutesAgo: number, name: string, value: string, more: Partial<ActivityItem> = {}): ActivityItem {
  return {
    id: `${name} ${minutesAgo}`,
    at: new Date(NOON - minutesAgo * MINUTE_MS).toISOString(),
    kind: 'power',
    subject: { type: 'accessory', id: name, name },
    roomName: null,
    characteristic: 'power_state',
    value,
    actor: { kind: 'device', id: null, name: null },
    runId: null,
    ...more,
  };
}

const motion = (minutesAgo: number, name: string) =>
  entry(minutesAgo, name, 'detected', { kind: 'motion', characteristic: 'motion_detected' });

const linesOf = (entries: readonly ActivityItem[]) =>
  foldByDay(entries, day).map(({ lines }) =>
    lines.map(({ entry: { subject, value }, count }) => [subject.name, value, count]),
  );

describe('entries', () => {
  it('of a sheet are the newest lines, also across days', () => {
    const entries = [
      entry(1, 'Lamp', 'on'),
      entry(2, 'Lamp', 'on'),
      entry(24 * 60, 'Lamp', 'off'),
      entry(25 * 60, 'Lamp', 'on'),
    ];
    const lines = latestLines(entries, 2, day).map(({ entry: { value }, count }) => [value, count]);
    expect(lines).toEqual([
      ['on', 2],
      ['off', 1],
    ]);
  });

  it('are grouped by day', () => {
    const today = entry(1, 'Lamp', 'on');
    const yesterday = entry(24 * 60, 'Lamp', 'on');
    const noon = day(NOON);
    expect(foldByDay([today, yesterday], day).map((one) => one.day)).toEqual([noon, noon - 1]);
    expect(linesOf([today, yesterday])).toEqual([[['Lamp', 'on', 1]], [['Lamp', 'on', 1]]]);
  });

  it('are grouped by the days of the home, wherever the device is', () => {
    const entries = ['2026-01-15T11:00:00Z', '2026-01-15T09:00:00Z'].map((at) => entry(1, 'Lamp', 'on', { at }));
    const daysIn = (zone: string) => foldByDay(entries, createFormat('en', 'celsius', 'en-GB', zone).day).length;
    // Midnight is at 10:00 UTC.
    expect(daysIn('Pacific/Kiritimati')).toBe(2);
    expect(daysIn('Europe/Berlin')).toBe(1);
  });

  it('that repeat are one line with their number and the time of the first', () => {
    const [only] = foldByDay([entry(1, 'Bell', 'single'), entry(2, 'Bell', 'single'), entry(9, 'Bell', 'single')], day);
    expect(only?.lines).toMatchObject([{ count: 3, since: NOON - 9 * MINUTE_MS, entry: { id: 'Bell 1' } }]);
  });

  it('are not one line if anything of them differs', () => {
    const ann = { actor: { kind: 'user', id: 'ann', name: 'Ann' } };
    expect(
      linesOf([
        entry(1, 'Lamp', 'on'),
        entry(2, 'Lamp', 'off'),
        entry(3, 'Lamp', 'off', ann),
        entry(4, 'Fan', 'off', ann),
      ]),
    ).toEqual([
      [
        ['Lamp', 'on', 1],
        ['Lamp', 'off', 1],
        ['Lamp', 'off', 1],
        ['Fan', 'off', 1],
      ],
    ]);
  });

  it('of motion are one line across others, within half an hour', () => {
    expect(linesOf([motion(1, 'Hall'), motion(5, 'Stairs'), motion(20, 'Hall'), motion(60, 'Hall')])).toEqual([
      [
        ['Hall', 'detected', 2],
        ['Stairs', 'detected', 1],
        ['Hall', 'detected', 1],
      ],
    ]);
  });
});

describe('the filters', () => {
  it('are in the address of the page', () => {
    const view = { roomId: 'hall', accessoryId: 'lamp', actor: 'user~ann' };
    expect(presentActivityView(view)).toBe('?room=hall&accessory=lamp&by=user%7Eann');
    expect(parseActivityView(presentActivityView(view))).toEqual(view);
    expect(isFiltered(parseActivityView(''))).toBe(false);
  });

  it('select an actor by its kind, and by its id if it has one', () => {
    const actorOf = (kind: string, id: string | null) =>
      variablesOf({ roomId: '', accessoryId: '', actor: actorKey({ kind, id }) });
    expect(actorOf('device', null)).toEqual({ actorKind: 'device' });
    expect(actorOf('user', 'ann')).toEqual({ actorKind: 'user', actorId: 'ann' });
  });
});
