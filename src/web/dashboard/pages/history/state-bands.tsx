/** The states over time: a stripe of colours along the window, and below it how long each state held. */

import historyTexts from 'texts:history';
import { Group, Stack } from '@mantine/core';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import classes from './history.module.css';
import type { Band, Bounds, StateShare } from './plot-data.ts';
import { isRestingState } from './resting-states.ts';
import { colorClass } from './series-colors.ts';

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
  const titleOf = ({ value, from, to, transitions }: Band): string => {
    const state =
      transitions > 1
        ? t.mostly({ state: formatValue(value), changes: t.changes({ count: transitions }) })
        : formatValue(value);
    return `${format.dateTime(from)} – ${format.time(to)}: ${state}`;
  };
  return (
    <Stack gap={8} miw={0}>
      <strong>{name}</strong>
      <div className={classes.bands} aria-hidden>
        {bands.map((band) => (
          <div
            key={band.from}
            className={`${classes.band} ${colorClass(index + Math.max(others.indexOf(band.value), 0))}`}
            data-rest={isResting(bands, band.value) || undefined}
            data-mixed={band.transitions > 1 || undefined}
            title={titleOf(band)}
            style={{
              insetInlineStart: `${((band.from - bounds.from) / spanMs) * 100}%`,
              width: `${((band.to - band.from) / spanMs) * 100}%`,
            }}
          />
        ))}
      </div>
      <Group gap={0} align="stretch" wrap="nowrap" justify="space-between" c="dimmed" fz="0.8rem" aria-hidden>
        <span>{format.dateTime(bounds.from)}</span>
        <span>{format.dateTime(bounds.to)}</span>
      </Group>
      <Group component="ul" gap="4px 20px" align="stretch" mih="1.6em" className="h-bare">
        {shares.map(({ value, ms }) => (
          <li key={value}>
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

function isResting(bands: readonly Band[], value: number | string): boolean {
  return isRestingState(bands.find((band) => band.value === value)?.word ?? '');
}
