import { expect, it } from 'vitest';
import {
  boundsOfLoad,
  columnsOfLoad,
  type LoadSample,
} from '../../../src/web/dashboard/pages/system/status/load-columns.ts';

const EVERY_MS = 300_000;
const sample = (minutes: number, load: number): LoadSample => ({
  at: new Date(minutes * 60_000).toISOString(),
  load,
  processorPercent: 1,
  memoryBytes: 1,
  databaseBytes: 1,
  connectedDevices: 1,
});
const columns = (samples: readonly LoadSample[], toMinutes: number) => {
  const { times, values } = columnsOfLoad(samples, ({ load }) => load, { everyMs: EVERY_MS, to: toMinutes * 60_000 });
  return { minutes: times.map((seconds) => seconds / 60), loads: values[0] };
};

it('ends the line where the relay did not run, and not at a quick restart', () => {
  expect(columns([sample(0, 1), sample(5, 2), sample(13, 3), sample(60, 4)], 62)).toEqual({
    minutes: [0, 5, 13, 18, 60, 62],
    loads: [1, 2, 3, null, 4, 4],
  });
});

it('holds the last value until now, but not for long', () => {
  expect(columns([sample(0, 1)], 4)).toEqual({ minutes: [0, 4], loads: [1, 1] });
  expect(columns([sample(0, 1)], 0)).toEqual({ minutes: [0], loads: [1] });
  expect(columns([sample(0, 1)], 60)).toEqual({ minutes: [0, 5], loads: [1, null] });
});

it('begins the axis with the relay, within the period, and never spans less than two intervals', () => {
  const time = (minutes: number) => new Date(minutes * 60_000).toISOString();
  const bounds = (startedAt: number, firstAt: number, toMinutes: number) => {
    const starts = [{ at: time(startedAt) }];
    const load = { from: time(toMinutes - 1440), to: time(toMinutes), everyMs: EVERY_MS, starts };
    const { from, to } = boundsOfLoad({ ...load, samples: [sample(firstAt, 1), sample(firstAt + 0.5, 1)] });
    return [from / 60_000, to / 60_000];
  };
  expect(bounds(2000, 2000, 2001)).toEqual([1991, 2001]);
  expect(bounds(2000, 2001, 2090)).toEqual([2000, 2090]);
  expect(bounds(2090, 2000, 2100)).toEqual([2000, 2100]);
  expect(bounds(2000, 2000, 4000)).toEqual([2560, 4000]);
});
