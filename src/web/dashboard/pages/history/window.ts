/** The period on the screen, and its representation in the URL. */
import { MAX_SERIES } from '../../../../home/vocabulary/limits.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The lengths with a button. */
export const SPANS = {
  '1h': HOUR_MS,
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
  '1y': 365 * DAY_MS,
} as const;
export type WindowSpan = keyof typeof SPANS;

/** The minimum period; the maximum is ten years of daily values. */
const MIN_DURATION_MS = 60_000;
const MAX_DURATION_MS = 3_660 * DAY_MS;

/** The refresh interval of a window that ends now. */
const LIVE_MS = 15_000;
const SLOW_LIVE_MS = 120_000;

export interface PlotWindow {
  readonly spanMs: number;
  /** The end of the window; `undefined`: it follows the current time. */
  readonly to: number | undefined;
}

/** Which characteristics of which accessories. */
export interface SeriesRef {
  readonly accessoryId: string;
  readonly characteristicType: string;
}

export interface HistoryView {
  readonly series: readonly SeriesRef[];
  readonly window: PlotWindow;
  /** Set by links from other pages: all series of this accessory. */
  readonly accessoryId: string | undefined;
}

export function parseView(search: string): HistoryView {
  const query = new URLSearchParams(search);
  const series = query
    .getAll('series')
    .map(parseSeries)
    .filter((ref) => ref !== undefined)
    .slice(0, MAX_SERIES);
  const to = Number(query.get('to') ?? Number.NaN);
  return {
    series,
    accessoryId: query.get('accessory') ?? undefined,
    window: { spanMs: parseSpan(query.get('span') ?? '24h'), to: Number.isFinite(to) ? to : undefined },
  };
}

export function presentView({ series, window: { spanMs, to } }: Omit<HistoryView, 'accessoryId'>): string {
  const query = new URLSearchParams();
  for (const ref of series) query.append('series', seriesKey(ref));
  const named = Object.entries(SPANS).find(([, ms]) => ms === spanMs)?.[0];
  query.set('span', named ?? `${Math.round(spanMs / 1000)}s`);
  if (to !== undefined) query.set('to', String(Math.round(to)));
  return `?${query}`;
}

export function seriesKey({ accessoryId, characteristicType }: SeriesRef): string {
  return `${accessoryId}~${characteristicType}`;
}

export function boundsOf({ spanMs, to }: PlotWindow, now: number): { readonly from: number; readonly to: number } {
  const end = to ?? now;
  return { from: end - spanMs, to: end };
}

/** Shifts the window by its own length; a window that would end in the future ends now. */
export function moved(window: PlotWindow, direction: -1 | 1, now: number): PlotWindow {
  const to = boundsOf(window, now).to + direction * window.spanMs;
  return { spanMs: window.spanMs, to: to >= now ? undefined : to };
}

/** The period that the user selected in a plot. */
export function zoomed(from: number, to: number): PlotWindow {
  return { spanMs: clampSpan(to - from), to };
}

interface ZoomStep {
  /** The place across the window that is looked at, from 0 to 1. */
  readonly share: number;
  /** Where it is to be; by default it stays. */
  readonly toShare?: number;
  /** Below 1 the window gets shorter. */
  readonly factor: number;
}

/** A window around a place of it; it does not go beyond now. */
export function zoomedAbout(window: PlotWindow, { share, toShare = share, factor }: ZoomStep, now: number): PlotWindow {
  const { from } = boundsOf(window, now);
  // The URL has whole seconds.
  const spanMs = clampSpan(Math.round((window.spanMs * factor) / 1000) * 1000);
  const to = Math.round(from + share * window.spanMs + (1 - toShare) * spanMs);
  return { spanMs, to: to >= now ? undefined : to };
}

/** It has a length without a button. */
export function isZoomed({ spanMs }: PlotWindow): boolean {
  return !Object.values<number>(SPANS).includes(spanMs);
}

/** Twice the length, with the same centre. */
export function widened(window: PlotWindow, now: number): PlotWindow {
  const { to } = boundsOf(window, now);
  const spanMs = clampSpan(window.spanMs * 2);
  const end = to + window.spanMs / 2;
  return { spanMs, to: window.to === undefined || end >= now ? undefined : end };
}

/** `undefined`: the window lies in the past and needs no refresh. */
export function refreshEveryMs({ spanMs, to }: PlotWindow): number | undefined {
  if (to !== undefined) return undefined;
  return spanMs <= 2 * DAY_MS ? LIVE_MS : SLOW_LIVE_MS;
}

function parseSeries(text: string): SeriesRef | undefined {
  const [accessoryId, characteristicType] = text.split('~');
  return accessoryId && characteristicType ? { accessoryId, characteristicType } : undefined;
}

function parseSpan(text: string): number {
  const named = SPANS[text as WindowSpan] as number | undefined;
  return named ?? clampSpan(Number(text.replace(/s$/, '')) * 1000);
}

function clampSpan(ms: number): number {
  return Number.isFinite(ms) ? Math.min(Math.max(ms, MIN_DURATION_MS), MAX_DURATION_MS) : SPANS['24h'];
}
