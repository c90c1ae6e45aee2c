/** The names of a plot's lines, with their values under the cursor. A name hides its line, and shows it again. */
import '../../ui/unseen.css';
import { Box, Group } from '@mantine/core';
import { useFormat } from '../../texts/format.ts';
import classes from './history.module.css';
import { type GappedColumns, valueAt } from './plot-data.ts';
import { colorClass } from './series-colors.ts';

export interface PlotLine {
  readonly name: string;
  /** Its index among all shown series, which determines its colour. */
  readonly index: number;
  /** Only its name is shown. */
  readonly isHidden?: boolean;
}

export interface PlotLegendProps {
  readonly lines: readonly PlotLine[];
  readonly columns: GappedColumns;
  /** Formats a value of this unit. */
  readonly formatValue: (value: number) => string;
  /** Hides the line of a column, or shows it again; without it, the legend is for screen readers alone. */
  readonly onToggle?: ((column: number) => void) | undefined;
}

interface AtCursor {
  /** The row under the cursor. */
  readonly at: number | null;
}

export function PlotLegend({ lines, columns, formatValue, at, onToggle }: PlotLegendProps & AtCursor) {
  const format = useFormat();
  // The label at the cursor shows it too.
  const isBare = onToggle === undefined;
  return (
    <Group
      component="ul"
      gap="0 20px"
      mih="1.6em"
      className={(isBare ? 'h-unseen' : classes.legend) ?? ''}
      aria-live="polite"
    >
      {at !== null && columns.times[at] !== undefined && (
        <Box component="li" c="dimmed">
          {format.dateTime(columns.times[at] * 1000)}
        </Box>
      )}
      {lines.map(({ name, index, isHidden = false }, column) => {
        if (isBare && at === null) return null;
        const value = at === null || isHidden ? undefined : valueAt(columns, column, at);
        const text = (
          <>
            <span className={`${classes.swatch} ${colorClass(index)}`} aria-hidden />
            <span>{name}</span>
          </>
        );
        return (
          <li key={index} className={classes.legendLine}>
            {isBare ? (
              text
            ) : (
              <button
                type="button"
                className={classes.legendName}
                aria-pressed={!isHidden}
                onClick={() => onToggle(column)}
              >
                {text}
              </button>
            )}
            {value !== undefined && <strong>{formatValue(value)}</strong>}
          </li>
        );
      })}
    </Group>
  );
}
