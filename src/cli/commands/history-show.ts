/** Shows history in a terminal: a line of blocks as a time axis, with the numbers beside it. */
import type { HistoryReport, SeriesHistory, StateHistory } from '../../contract/history.ts';
import type { Cell, CommandOutput } from '../output.ts';

const COLUMNS = 48;
/** From the lowest value to the highest. */
const BLOCKS = '▁▂▃▄▅▆▇█';
/** For unknown values. */
const UNKNOWN = ' ';

/** Idle states: drawn low, all other states high. */
const RESTING = new Set([
  'off',
  'closed',
  'clear',
  'inactive',
  'idle',
  'locked',
  'normal',
  'not_in_use',
  'not_charging',
  'fixed',
]);

/** One line per series. */
export function showOverview({ series, from, to }: HistoryReport, output: CommandOutput): void {
  const rows = series.map((one): Cell[] => {
    const { characteristic, unit } = one;
    if (one.kind !== 'numeric') {
      const state = one.transitions.at(-1)?.[1] ?? one.openingValue;
      return [characteristic, stateLine(one, from, to), undefined, undefined, undefined, state, unit];
    }
    const { min, avg, max, latest } = one.summary ?? {};
    return [characteristic, numberLine(one.values, from, to), min, avg, max, latest, unit];
  });
  output.table(['Series', 'Course', 'Min', 'Avg', 'Max', 'Latest', 'Unit'], rows, 'No history is recorded.');
}

/** One series with all of its values. */
export function showValues(series: SeriesHistory, zone: string | null, output: CommandOutput): void {
  const { unit } = series;
  const pairs = series.kind === 'numeric' ? series.values : series.transitions;
  const rows = pairs.map(([at, value]) => [output.when(at, zone), value]);
  output.table(['Time', unit === null ? 'Value' : `Value (${unit})`], rows, 'No values in this period.');
}

export function numberLine(
  values: readonly (readonly [at: string, value: number])[],
  from: string,
  to: string,
): string {
  const numbers = values.map(([, value]) => value);
  const min = Math.min(...numbers);
  const span = Math.max(...numbers) - min;
  return draw(values, undefined, from, to, (value) => {
    const level = span === 0 ? 0 : Math.round(((value - min) / span) * (BLOCKS.length - 1));
    return BLOCKS[level] ?? UNKNOWN;
  });
}

export function stateLine(
  { transitions, openingValue }: Pick<StateHistory, 'transitions' | 'openingValue'>,
  from: string,
  to: string,
): string {
  return draw(transitions, openingValue ?? undefined, from, to, (state) => (RESTING.has(state) ? '▁' : '█'));
}

/** One character per column of time: the value at its end. */
function draw<T>(
  pairs: readonly (readonly [at: string, value: T])[],
  opening: T | undefined,
  from: string,
  to: string,
  sign: (value: T) => string,
): string {
  const start = Date.parse(from);
  const width = (Date.parse(to) - start) / COLUMNS;
  let next = 0;
  let held = opening;
  let line = '';
  for (let column = 1; column <= COLUMNS; column += 1) {
    const end = start + column * width;
    for (let pair = pairs[next]; pair && Date.parse(pair[0]) < end; pair = pairs[next]) {
      held = pair[1];
      next += 1;
    }
    line += held === undefined ? UNKNOWN : sign(held);
  }
  return line;
}
