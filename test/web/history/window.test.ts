import { describe, expect, it } from 'vitest';
import { MAX_SERIES } from '../../../src/home/vocabulary/limits.ts';
import {
  boundsOf,
  isZoomed,
  moved,
  parseView,
  presentView,
  refreshEveryMs,
  SPANS,
  widened,
  zoomed,
  zoomedAbout,
} from '../../../src/web/dashboard/pages/history/window.ts';

const NOW = Date.parse('2026-03-10T12:00:00Z');
const DAY_MS = SPANS['24h'];

describe('the window of the history page', () => {
  it.each([
    { search: '', spanMs: DAY_MS, to: undefined },
    { search: '?span=7d&to=1773100000000', spanMs: SPANS['7d'], to: 1_773_100_000_000 },
    { search: '?span=5400s', spanMs: 5_400_000, to: undefined },
    { search: '?span=nonsense&to=never', spanMs: DAY_MS, to: undefined },
    { search: '?span=1s', spanMs: 60_000, to: undefined },
    { search: '?span=99999999999s', spanMs: 3_660 * DAY_MS, to: undefined },
  ])('is read from "$search"', ({ search, ...window }) => {
    expect(parseView(search).window).toEqual(window);
  });

  it('comes back from the address that it was written to', () => {
    const series = [{ accessoryId: 'a', characteristicType: 'power_state_2' }];
    for (const window of [
      { spanMs: SPANS['30d'], to: undefined },
      { spanMs: 5_400_000, to: NOW },
    ]) {
      expect(parseView(presentView({ series, window }))).toEqual({ series, window, accessoryId: undefined });
    }
  });

  it('shows six series at most, and none that is half a name', () => {
    const query = new URLSearchParams();
    for (let index = 0; index < 9; index += 1) query.append('series', `accessory-${index}~brightness`);
    query.append('series', 'nothing');
    expect(parseView(`?${query}`).series).toHaveLength(MAX_SERIES);
    expect(parseView('?series=nothing').series).toEqual([]);
  });

  it('moves by its own length, and ends now rather than in the future', () => {
    const window = { spanMs: DAY_MS, to: NOW - 1.5 * DAY_MS };
    expect(boundsOf(moved(window, -1, NOW), NOW)).toEqual({ from: NOW - 3.5 * DAY_MS, to: NOW - 2.5 * DAY_MS });
    expect(moved(window, 1, NOW).to).toBe(NOW - 0.5 * DAY_MS);
    expect(moved(moved(window, 1, NOW), 1, NOW).to).toBeUndefined();
  });

  it('is what a person marked, and twice as long after that', () => {
    const marked = zoomed(NOW - 3_600_000, NOW - 1_800_000);
    expect(marked).toEqual({ spanMs: 1_800_000, to: NOW - 1_800_000 });
    expect(widened(marked, NOW)).toEqual({ spanMs: 3_600_000, to: NOW - 900_000 });
    expect(widened({ spanMs: DAY_MS, to: undefined }, NOW)).toEqual({ spanMs: 2 * DAY_MS, to: undefined });
  });

  it('is zoomed about the place that is looked at, which stays or moves along with the fingers', () => {
    const past = { spanMs: DAY_MS, to: NOW - DAY_MS };
    expect(boundsOf(zoomedAbout(past, { share: 0.25, factor: 0.5 }, NOW), NOW)).toEqual({
      from: NOW - 1.875 * DAY_MS,
      to: NOW - 1.375 * DAY_MS,
    });
    expect(zoomedAbout(past, { share: 0.25, toShare: 0.75, factor: 0.5 }, NOW).to).toBe(NOW - 1.625 * DAY_MS);
    expect(zoomedAbout(past, { share: 0.25, factor: 1 }, NOW)).toEqual(past);
  });

  it('is zoomed to a minute at least, and never beyond now', () => {
    const live = { spanMs: DAY_MS, to: undefined };
    expect(zoomedAbout(live, { share: 0.5, factor: 2 }, NOW)).toEqual({ spanMs: 2 * DAY_MS, to: undefined });
    expect(zoomedAbout(live, { share: 0.5, factor: 1e-9 }, NOW)).toEqual({
      ...{ spanMs: 60_000, to: NOW - DAY_MS / 2 + 30_000 },
    });
    expect([live, zoomed(NOW - 1_800_000, NOW)].map(isZoomed)).toEqual([false, true]);
  });

  it('is asked for again only while it ends now', () => {
    expect(refreshEveryMs({ spanMs: DAY_MS, to: undefined })).toBeGreaterThan(0);
    expect(refreshEveryMs({ spanMs: DAY_MS, to: NOW })).toBeUndefined();
  });
});
