/** How history looks in a terminal: a line of blocks as wide as the time it stands for, and the numbers beside it. */
import type { HistoryResource, HistorySeriesResource } from '../api-resources.ts';
import { type Cell, type Output, whenText } from '../output.ts';

const COLUMNS = 48;
/** From the least value to the greatest. */
const BLOCKS = '▁▂▃▄▅▆▇█';
/** Where nothing is known. */
const UNKNOWN = ' ';

/** States in which nothing goes on: drawn low, every other one high. */
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

/** Every series on a line of its own. */
export function showOverview({ series, from, to }: HistoryResource, output: Output): void {
  const rows = series.map((one): Cell[] => {
    const course = one.values ? numberLine(one.values, from, to) : stateLine(one, from, to);
    const { min, avg, max, latest } = one.summary ?? {};
    const state = one.transitions?.at(-1)?.[1] ?? one.openingValue;
    return [one.characteristic, course, min, avg, max, latest ?? state, one.unit];
  });
  output.table(['Series', 'Course', 'Min', 'Avg', 'Max', 'Latest', 'Unit'], rows, 'Nothing is recorded.');
}

/** One series with all of its values. */
export function showValues({ values, transitions, unit }: HistorySeriesResource, output: Output): void {
  const rows = (values ?? transitions ?? []).map(([at, value]) => [whenText(at), value]);
  output.table(['Time', unit === null ? 'Value' : `Value (${unit})`], rows, 'Nothing was recorded in this time.');
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
  { transitions = [], openingValue }: Pick<HistorySeriesResource, 'transitions' | 'openingValue'>,
  from: string,
  to: string,
): string {
  return draw(transitions, openingValue ?? undefined, from, to, (state) => (RESTING.has(state) ? '▁' : '█'));
}

/** One sign a column of time: what held at its end. */
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
