/**
 * One plot: the series of one unit over the window. Dragging zooms into a period; the arrow keys move the cursor and
 * announce its values. uPlot draws it; the table below the plots contains the same data as text.
 */
import 'uplot/dist/uPlot.min.css';
import historyTexts from 'texts:history';
import { Box, Group, Stack, useComputedColorScheme } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import classes from './history.module.css';
import type { Bounds, Columns } from './plot-data.ts';
import { colorClass } from './series-colors.ts';

export interface PlotLine {
  readonly name: string;
  /** Its index among all shown series, which determines its colour. */
  readonly index: number;
}

interface PlotProps {
  readonly lines: readonly PlotLine[];
  readonly columns: Columns;
  readonly bounds: Bounds;
  /** Formats a value of this unit. */
  readonly formatValue: (value: number) => string;
  /** Called after a drag over a period, in milliseconds; without it, dragging does nothing. */
  readonly onZoom?: (from: number, to: number) => void;
  /**
   * For screen readers, where the plot stands alone: then it has no legend but the value under the cursor. By default
   * it refers to the table below the plots.
   */
  readonly label?: string;
  readonly heightPx?: number;
}

const HEIGHT_PX = 260;
/** Shorter drags count as a click. */
const MIN_DRAG_PX = 8;
/** All plots of the page share the cursor time. */
const SYNC = uPlot.sync('history');

export function Plot({ lines, columns, bounds, formatValue, onZoom, label, heightPx = HEIGHT_PX }: PlotProps) {
  const t = useTexts(historyTexts);
  const format = useFormat();
  const scheme = useComputedColorScheme();
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const [at, setAt] = useState<number | null>(null);
  // uPlot keeps its initial callbacks; they read the current values here.
  const latest = useRef({ onZoom, formatValue, format });
  latest.current = { onZoom, formatValue, format };
  const shape = JSON.stringify([lines, scheme, heightPx]);

  // Recreated only when the series or the colours change.
  useEffect(() => {
    const parent = place.current;
    if (!parent) return;
    const made = new uPlot(optionsFor(parent, lines, heightPx, latest, setAt), dataOf(columns), parent);
    plot.current = made;
    const sizes = new ResizeObserver(() => made.setSize({ width: parent.clientWidth, height: heightPx }));
    sizes.observe(parent);
    return () => {
      sizes.disconnect();
      made.destroy();
    };
  }, [shape]);

  // A recreated plot needs its data and its window again.
  useEffect(() => {
    plot.current?.batch(() => {
      plot.current?.setData(dataOf(columns), false);
      plot.current?.setScale('x', { min: bounds.from / 1000, max: bounds.to / 1000 });
    });
  }, [columns, bounds.from, bounds.to, shape]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const made = plot.current;
    if (step === 0 || !made || columns.times.length === 0) return;
    event.preventDefault();
    const next = Math.min(Math.max((at ?? (step > 0 ? -1 : columns.times.length)) + step, 0), columns.times.length - 1);
    const time = columns.times[next] ?? 0;
    made.setCursor({ left: made.valToPos(time, 'x'), top: made.height / 3 });
    setAt(next);
  };

  const names = format.list(lines.map(({ name }) => name));
  return (
    <Stack gap={8} miw={0}>
      <div
        ref={place}
        className={classes.canvas}
        role="img"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move along it
        tabIndex={0}
        style={{ minHeight: heightPx }}
        aria-label={label ?? t.plotOf({ names, from: format.dateTime(bounds.from), to: format.dateTime(bounds.to) })}
        onKeyDown={onKeyDown}
      />
      <Legend {...{ lines, columns, formatValue, at }} isBare={label !== undefined} />
    </Stack>
  );
}

interface LegendProps extends Pick<PlotProps, 'lines' | 'columns' | 'formatValue'> {
  /** The row under the cursor. */
  readonly at: number | null;
  readonly isBare: boolean;
}

function Legend({ lines, columns, formatValue, at, isBare }: LegendProps) {
  const format = useFormat();
  return (
    <Group component="ul" gap="4px 20px" align="stretch" mih="1.6em" className="h-bare" aria-live="polite">
      {at !== null && columns.times[at] !== undefined && (
        <Box component="li" c="dimmed">
          {format.dateTime(columns.times[at] * 1000)}
        </Box>
      )}
      {lines.map(({ name, index }, column) => {
        if (isBare && at === null) return null;
        const value = at === null ? undefined : valueAt(columns, column, at);
        return (
          <li key={name}>
            <span className={`${classes.swatch} ${colorClass(index)}`} aria-hidden /> {name}
            {value !== undefined && <strong> {formatValue(value)}</strong>}
          </li>
        );
      })}
    </Group>
  );
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
  onMove: (index: number | null) => void,
): uPlot.Options {
  const ink = colorOf(parent, classes.inkProbe);
  const axis = { stroke: ink, grid: { stroke: colorOf(parent, classes.gridProbe), width: 1 }, ticks: { show: false } };
  const stepped = uPlot.paths.stepped?.({ align: 1 });
  return {
    width: parent.clientWidth,
    height: heightPx,
    legend: { show: false },
    cursor: {
      sync: { key: SYNC.key },
      drag: { x: latest.current.onZoom !== undefined, y: false, dist: MIN_DRAG_PX, setScale: false },
    },
    scales: { x: { time: true, auto: false }, y: { range: paddedRange } },
    axes: [
      { ...axis, size: 34, values: (_, ticks) => ticks.map((tick) => tickText(tick, ticks, latest.current.format)) },
      { ...axis, size: 68, values: (_, ticks) => ticks.map((tick) => latest.current.formatValue(tick)) },
    ],
    series: [
      {},
      ...lines.map(({ index }) => ({
        stroke: colorOf(parent, colorClass(index)),
        width: 2,
        spanGaps: true,
        points: { show: false },
        ...(stepped && { paths: stepped }),
      })),
    ],
    hooks: {
      setCursor: [({ cursor }) => onMove(cursor.idx ?? null)],
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

/** A constant line lies in the middle, not on the edge. */
function paddedRange(_: uPlot, min: number | null, max: number | null): uPlot.Range.MinMax {
  if (min === null || max === null) return [0, 1];
  const room = max > min ? (max - min) * 0.08 : Math.max(Math.abs(max) * 0.1, 1);
  return [min - room, max + room];
}

/** Times for ticks within a day, dates for longer ranges. */
function tickText(tick: number, ticks: readonly number[], format: ReturnType<typeof useFormat>): string {
  const stepS = (ticks[1] ?? tick) - (ticks[0] ?? tick);
  const at = new Date(tick * 1000);
  const isMidnight = at.getHours() === 0 && at.getMinutes() === 0;
  if (stepS >= 86_400 || isMidnight) {
    return new Intl.DateTimeFormat(format.locale, { day: 'numeric', month: 'short' }).format(at);
  }
  return format.time(at);
}

/** The value at a time: the last one at or before it. */
function valueAt({ values }: Columns, column: number, at: number): number | undefined {
  return values[column]?.slice(0, at + 1).findLast((value) => value !== undefined);
}

function dataOf({ times, values }: Columns): uPlot.AlignedData {
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
