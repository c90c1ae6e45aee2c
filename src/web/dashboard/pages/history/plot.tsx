/**
 * One plot: the series of one unit over the window. Dragging zooms into a period. A pointer, a finger and the arrow
 * keys move the cursor, whose time and values stand beside it and are announced. uPlot draws it; the table below the
 * plots contains the same data as text.
 */
import 'uplot/dist/uPlot.min.css';
import historyTexts from 'texts:history';
import { Stack, useComputedColorScheme } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import { dateFormat } from '../../../../texts/intl.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { axisWidth, leaveAxis } from './axis-width.ts';
import classes from './history.module.css';
import { type Bounds, type GappedColumns, valueAt } from './plot-data.ts';
import { PlotLegend, type PlotLegendProps, type PlotLine } from './plot-legend.tsx';
import { type PlotMark, placeMarks } from './plot-marks.ts';
import { PointerLabel } from './pointer-label.tsx';
import { colorClass } from './series-colors.ts';
import { leaveGraph, onPointed, pointAt, pointedTime } from './shared-cursor.ts';

interface PlotProps extends PlotLegendProps {
  readonly bounds: Bounds;
  /** Called after a drag over a period, in milliseconds; without it, dragging does nothing. */
  readonly onZoom?: (from: number, to: number) => void;
  /** For screen readers, where the plot stands alone. By default it refers to the table below the plots. */
  readonly label?: string;
  readonly heightPx?: number;
  readonly marks?: readonly PlotMark[];
}

const HEIGHT_PX = 260;
/** Between two lines of an axis: with a quarter, labels of one decimal would be wrong. */
const STEPS = Array.from({ length: 16 }, (_, index) => [1, 2, 5].map((step) => Number(`${step}e${index - 4}`))).flat();
/** Shorter drags count as a click. */
const MIN_DRAG_PX = 8;
/** Of the last time at the right; `.bandArea` has the same. */
const END_PX = 25;

export function Plot({ bounds, onZoom, label, heightPx = HEIGHT_PX, marks, ...legend }: PlotProps) {
  const { lines, columns, formatValue } = legend;
  const t = useTexts(historyTexts);
  const format = useFormat();
  const scheme = useComputedColorScheme();
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const [cursor, setCursor] = useState<PlotCursor | null>(null);
  // uPlot keeps its initial callbacks; they read the current values here.
  const latest = useRef({ onZoom, formatValue, format });
  latest.current = { onZoom, formatValue, format };
  const shape = JSON.stringify([lines.map(({ name, index }) => [name, index]), scheme, heightPx, format.timeZone]);
  const hidden = lines.map(({ isHidden = false }) => isHidden);

  // Recreated only when the series, the colours or the time zone change.
  useEffect(() => {
    const parent = place.current;
    if (!parent) return;
    const made = new uPlot(optionsFor(parent, lines, heightPx, latest, setCursor), dataOf(columns), parent);
    plot.current = made;
    const sizes = new ResizeObserver(() => made.setSize({ width: parent.clientWidth, height: heightPx }));
    sizes.observe(parent);
    const unsubscribe = onPointed(() => showPointed(made));
    return () => {
      unsubscribe();
      leaveGraph(parent);
      sizes.disconnect();
      leaveAxis(made);
      made.destroy();
    };
  }, [shape]);

  // A recreated plot needs its data and its window again.
  useEffect(() => {
    plot.current?.batch(() => {
      plot.current?.setData(dataOf(columns), false);
      plot.current?.setScale('x', { min: bounds.from / 1000, max: bounds.to / 1000 });
    });
    if (plot.current) showPointed(plot.current);
  }, [columns, bounds.from, bounds.to, shape]);

  // The first series of uPlot are the times.
  useEffect(() => {
    plot.current?.batch((made: uPlot) => {
      for (const [column, isHidden] of hidden.entries()) made.setSeries(column + 1, { show: !isHidden });
    });
  }, [hidden.join(), shape]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const next = nextIndex(event.key, cursor?.index ?? null, columns.times.length);
    if (next === undefined) return;
    event.preventDefault();
    pointAt((columns.times[next] ?? 0) * 1000, place.current);
  };

  const names = format.list(lines.map(({ name }) => name));
  const time = cursor === null ? undefined : columns.times[cursor.index];
  return (
    <Stack gap={8} miw={0}>
      <div className={classes.plotArea}>
        <div
          ref={place}
          className={classes.canvas}
          role="img"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move along it
          tabIndex={0}
          style={{ minHeight: heightPx }}
          aria-label={label ?? t.plotOf({ names, from: format.dateTime(bounds.from), to: format.dateTime(bounds.to) })}
          onKeyDown={onKeyDown}
          onBlur={() => leaveGraph(place.current)}
        />
        {marks && <Marks {...{ marks, bounds }} />}
        {cursor !== null && time !== undefined && (
          <PointerLabel share={cursor.share} heading={format.dateTime(time * 1000)}>
            {lines.map(({ name, index, isHidden = false }, column) => {
              const value = isHidden ? undefined : valueAt(columns, column, cursor.index);
              return (
                value !== undefined && (
                  <span key={name}>
                    <span className={`${classes.swatch} ${colorClass(index)}`} /> {formatValue(value)}
                  </span>
                )
              );
            })}
          </PointerLabel>
        )}
      </div>
      <PlotLegend {...legend} at={cursor?.index ?? null} />
    </Stack>
  );
}

/** Lies over the plot, between its axes. */
function Marks({ marks, bounds }: Required<Pick<PlotProps, 'marks' | 'bounds'>>) {
  return (
    <div className={classes.marks} aria-hidden>
      {placeMarks(marks, bounds).map(({ share, isStrong, label, isLate }, index) => (
        <div
          key={`${share} ${index}`}
          className={classes.mark}
          data-strong={isStrong || undefined}
          data-label={label}
          data-late={isLate || undefined}
          style={{ insetInlineStart: `${share * 100}%` }}
        />
      ))}
    </div>
  );
}

interface PlotCursor {
  /** The row of the columns. */
  readonly index: number;
  /** Its place across the whole width, from 0 to 1. */
  readonly share: number;
}

interface Pointer {
  isFinger: boolean;
}

/** A finger that moves sideways reads values, like a mouse; up and down it scrolls the page. */
function followPointer(made: uPlot, pointer: Pointer, graph: HTMLElement): void {
  const { over } = made;
  const follow = (event: PointerEvent): void => {
    pointer.isFinger = event.pointerType !== 'mouse';
    pointAt(made.posToVal(event.clientX - over.getBoundingClientRect().left, 'x') * 1000, graph);
  };
  for (const name of ['pointerenter', 'pointerdown', 'pointermove'] as const) over.addEventListener(name, follow);
  over.addEventListener('pointerleave', ({ pointerType }) => pointerType === 'mouse' && leaveGraph(graph));
}

/** Moves the cursor to the time that is pointed at on this graph or another. */
function showPointed(made: uPlot): void {
  const at = pointedTime();
  const place = at === null ? Number.NaN : made.valToPos(at / 1000, 'x');
  // The last value is drawn at the edge, where it may miss the graph by a fraction.
  const left = Math.min(Math.max(place, 0), made.over.clientWidth);
  made.setCursor(Math.abs(left - place) <= 1 ? { left, top: made.height / 3 } : { left: -10, top: -10 });
}

/** Where a key moves the cursor; nothing for other keys, and where nothing is plotted. */
function nextIndex(key: string, at: number | null, count: number): number | undefined {
  const last = count - 1;
  if (last < 0) return undefined;
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  if (key === 'ArrowLeft') return Math.max((at ?? count) - 1, 0);
  if (key === 'ArrowRight') return Math.min((at ?? -1) + 1, last);
  return undefined;
}

interface Latest {
  readonly current: Pick<PlotProps, 'formatValue'> & {
    readonly onZoom: PlotProps['onZoom'] | undefined;
    readonly format: ReturnType<typeof useFormat>;
  };
}

function optionsFor(
  parent: HTMLElement,
  lines: readonly PlotLine[],
  heightPx: number,
  latest: Latest,
  onMove: (cursor: PlotCursor | null) => void,
): uPlot.Options {
  const ink = colorOf(parent, classes.inkProbe);
  const axis = { stroke: ink, grid: { stroke: colorOf(parent, classes.gridProbe), width: 1 }, ticks: { show: false } };
  const pointer: Pointer = { isFinger: false };
  const { timeZone } = latest.current.format;
  const stepped = uPlot.paths.stepped?.({ align: 1 });
  return {
    width: parent.clientWidth,
    height: heightPx,
    padding: [null, END_PX, null, null],
    legend: { show: false },
    cursor: {
      // Browsers imitate a mouse after a touch, one that leaves at once: the values would vanish.
      bind: { mouseleave: (_, __, handle) => (event) => (pointer.isFinger ? null : handle(event)) },
      drag: { x: latest.current.onZoom !== undefined, y: false, dist: MIN_DRAG_PX, setScale: false },
    },
    // Lines of the time axis are at whole hours and days of the home.
    tzDate: (at) => (timeZone === undefined ? new Date(at * 1000) : uPlot.tzDate(new Date(at * 1000), timeZone)),
    scales: { x: { time: true, auto: false }, y: { range: paddedRange } },
    axes: [
      { ...axis, size: 34, values: (_, ticks) => ticks.map((tick) => tickText(tick, ticks, latest.current.format)) },
      {
        ...axis,
        size: axisWidth,
        incrs: STEPS,
        values: (_, ticks) => ticks.map((tick) => latest.current.formatValue(tick)),
      },
    ],
    series: [
      {},
      ...lines.map(({ index }) => ({
        stroke: colorOf(parent, colorClass(index)),
        width: 2,
        spanGaps: false,
        points: { show: false },
        ...(stepped && { paths: stepped }),
      })),
    ],
    hooks: {
      ready: [(made) => followPointer(made, pointer, parent)],
      setCursor: [
        ({ cursor: { idx, left = 0 }, over }) =>
          onMove(
            idx === null || idx === undefined
              ? null
              : { index: idx, share: (over.offsetLeft + left) / (over.offsetLeft + over.clientWidth) },
          ),
      ],
      setSelect: [
        (made) => {
          const { left, width } = made.select;
          if (width < MIN_DRAG_PX) return;
          latest.current.onZoom?.(made.posToVal(left, 'x') * 1000, made.posToVal(left + width, 'x') * 1000);
          made.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        },
      ],
    },
  };
}

/** A constant line lies in the middle, not on the edge. Where no line is left, the axis stays. */
function paddedRange({ scales }: uPlot, min: number | null, max: number | null): uPlot.Range.MinMax {
  if (min === null || max === null) return [scales.y?.min ?? 0, scales.y?.max ?? 1];
  // Nothing is less than no devices.
  if (min === 0 && max === 0) return [-0.2, 1];
  const room = max > min ? (max - min) * 0.08 : Math.max(Math.abs(max) * 0.1, 1);
  return [min - room, max + room];
}

/** Times for ticks within a day, dates for longer ranges. */
function tickText(tick: number, ticks: readonly number[], format: ReturnType<typeof useFormat>): string {
  const stepS = (ticks[1] ?? tick) - (ticks[0] ?? tick);
  const at = tick * 1000;
  const beginsDay = format.day(at) !== format.day(at - 1);
  if (stepS >= 86_400 || beginsDay) {
    const { locale, timeZone } = format;
    return dateFormat(locale, { day: 'numeric', month: 'short', timeZone }).format(at);
  }
  return format.time(at);
}

function dataOf({ times, values }: GappedColumns): uPlot.AlignedData {
  return [[...times], ...values.map((column) => [...column])] as uPlot.AlignedData;
}

/** A canvas needs a computed colour, not a CSS variable. */
function colorOf(parent: HTMLElement, className = ''): string {
  const probe = document.createElement('span');
  probe.className = className;
  parent.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
