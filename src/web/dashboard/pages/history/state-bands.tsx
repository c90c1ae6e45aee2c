/**
 * The states over time: a stripe of colours along the window, and below it how long each state held. A pointer, a
 * finger and the arrow keys read the stripe.
 */

import historyTexts from 'texts:history';
import { Group, Stack, VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, type PointerEvent, useEffect, useId } from 'react';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { boundWords } from './bound-words.ts';
import classes from './history.module.css';
import type { Band, Bounds, StateShare } from './plot-data.ts';
import { PointerLabel } from './pointer-label.tsx';
import { isRestingState } from './resting-states.ts';
import { colorClass } from './series-colors.ts';
import { isPointedBy, leaveGraph, pointAt, usePointedTime } from './shared-cursor.ts';

interface StateBandsProps {
  readonly name: string;
  readonly index: number;
  readonly bands: readonly Band[];
  /** How long each state held, the longest first. */
  readonly shares: readonly StateShare[];
  readonly bounds: Bounds;
  /** A formatted state. */
  readonly formatValue: (value: number | string) => string;
}

export function StateBands({ name, index, bands, shares, bounds, formatValue }: StateBandsProps) {
  const t = useTexts(historyTexts);
  const format = useFormat();
  const spanMs = bounds.to - bounds.from;
  const knownMs = shares.reduce((sum, { ms }) => sum + ms, 0);
  const others = shares.map(({ value }) => value).filter((value) => !isResting(bands, value));
  const cursor = usePointedTime();
  const id = useId();
  useEffect(() => () => leaveGraph(id), [id]);
  const under = cursor === null ? undefined : bands.find(({ from, to }) => from <= cursor && cursor <= to);
  const timesOf = ({ from, to }: Band): string => `${format.dateTime(from)} – ${format.time(to)}`;
  const stateOf = ({ value, transitions }: Band): string =>
    transitions > 1
      ? t.mostly({ state: formatValue(value), changes: t.changes({ count: transitions }) })
      : formatValue(value);
  const onPointer = (event: PointerEvent<HTMLElement>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    pointAt(bounds.from + ((event.clientX - left) / width) * spanMs, id);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = bandAfterKey(event.key, bands, cursor);
    if (!next) return;
    event.preventDefault();
    pointAt((next.from + next.to) / 2, id);
  };
  const share = cursor === null ? 0 : (cursor - bounds.from) / spanMs;
  return (
    <Stack gap={8} miw={0}>
      <strong>{name}</strong>
      <div className={`${classes.plotArea} ${classes.bandArea}`}>
        <div
          className={classes.bands}
          data-zoom-area
          role="img"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move along it
          tabIndex={0}
          aria-label={t.bandOf({ name })}
          onKeyDown={onKeyDown}
          onBlur={() => leaveGraph(id)}
          onPointerDown={onPointer}
          onPointerMove={onPointer}
          onPointerLeave={({ pointerType }) => pointerType === 'mouse' && leaveGraph(id)}
        >
          {bands.map((band) => (
            <div
              key={band.from}
              className={`${classes.band} ${colorClass(index + Math.max(others.indexOf(band.value), 0))}`}
              data-rest={isResting(bands, band.value) || undefined}
              data-mixed={band.transitions > 1 || undefined}
              style={{
                insetInlineStart: `${((band.from - bounds.from) / spanMs) * 100}%`,
                width: `${((band.to - band.from) / spanMs) * 100}%`,
              }}
            />
          ))}
          {under && <div className={classes.bandCursor} style={{ insetInlineStart: `${share * 100}%` }} />}
        </div>
        {under && (
          <PointerLabel share={share} heading={timesOf(under)}>
            <strong>{stateOf(under)}</strong>
          </PointerLabel>
        )}
        <VisuallyHidden aria-live="polite">
          {isPointedBy(id) && under && `${timesOf(under)}: ${stateOf(under)}`}
        </VisuallyHidden>
      </div>
      <Group
        gap={0}
        align="stretch"
        wrap="nowrap"
        justify="space-between"
        c="dimmed"
        fz="0.8rem"
        className={classes.bandArea ?? ''}
        aria-hidden
      >
        <span>{boundWords(bounds.from, spanMs, format)}</span>
        <span>{boundWords(bounds.to, spanMs, format)}</span>
      </Group>
      <Group component="ul" gap="4px 20px" align="stretch" mih="1.6em" className="h-bare">
        {shares.map(({ value, ms }) => (
          <li key={value} className={classes.held}>
            {t.held({
              state: formatValue(value),
              duration: format.duration(ms),
              share: format.percent((ms / knownMs) * 100),
            })}
          </li>
        ))}
        {shares.length === 0 && <li>{t.empty}</li>}
      </Group>
    </Stack>
  );
}

/** Where a key moves from the band under the cursor; nothing for other keys, and where nothing is known. */
function bandAfterKey(key: string, bands: readonly Band[], cursor: number | null): Band | undefined {
  if (key === 'Home') return bands[0];
  if (key === 'End') return bands.at(-1);
  if (key === 'ArrowLeft') {
    return cursor === null ? bands.at(-1) : (bands.findLast(({ to }) => to < cursor) ?? bands[0]);
  }
  if (key === 'ArrowRight') {
    return cursor === null ? bands[0] : (bands.find(({ from }) => from > cursor) ?? bands.at(-1));
  }
  return undefined;
}

function isResting(bands: readonly Band[], value: number | string): boolean {
  return isRestingState(bands.find((band) => band.value === value)?.word ?? '');
}
