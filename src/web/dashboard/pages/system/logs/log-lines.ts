/** The lines of the log in the page's format. */
import { graphql, type ResultOf } from '../../../api/graphql.ts';

export const LogsQuery = graphql(`
  query RelayLogs($after: Int, $level: String, $limit: Int) {
    relayLogs(after: $after, level: $level, limit: $limit) {
      seq
      at
      level
      message
      fields
    }
  }
`);

export type LogLine = NonNullable<NonNullable<ResultOf<typeof LogsQuery>['relayLogs']>[number]>;

export const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LEVELS)[number];

/** The page's maximum; the relay keeps more. */
const MAX_LINES = 1_000;

/** @param more the lines that follow, or the first lines after a restart: their numbers then begin at 1. */
export function appendLines(lines: readonly LogLine[], more: readonly LogLine[]): readonly LogLine[] {
  const last = lines.at(-1)?.seq ?? 0;
  const isRestarted = more.some(({ seq }) => seq <= last && !lines.some((line) => line.seq === seq));
  if (isRestarted) return more.slice(-MAX_LINES);
  return [...lines, ...more.filter(({ seq }) => seq > last)].slice(-MAX_LINES);
}

export function linesShown(lines: readonly LogLine[], level: LogLevel, search: string): readonly LogLine[] {
  const least = LEVELS.indexOf(level);
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return lines.filter((line) => {
    const text = `${line.message} ${fieldsText(line.fields)}`.toLowerCase();
    return LEVELS.indexOf(line.level as LogLevel) >= least && words.every((word) => text.includes(word));
  });
}

/** A device that fails and recovers logs several messages in turn; more than these in between are another story. */
const MAX_BETWEEN = 4;

/** A message, and its repeats that follow soon, the oldest first. */
export type LogEntry = readonly [LogLine, ...LogLine[]];

/**
 * A repeat has the same level, message and fields; only numbers may differ, such as those of attempts.
 * @param lines the oldest first
 */
export function foldRepeats(lines: readonly LogLine[]): readonly LogEntry[] {
  const entries: { readonly key: string; readonly lines: [LogLine, ...LogLine[]] }[] = [];
  for (const line of lines) {
    const key = [line.level, line.message, JSON.stringify(line.fields, withoutNumbers)].join('\n');
    const known = entries.slice(-1 - MAX_BETWEEN).find((entry) => entry.key === key);
    if (known) known.lines.push(line);
    else entries.push({ key, lines: [line] });
  }
  return entries.map((entry) => entry.lines);
}

function withoutNumbers(_name: string, value: unknown): unknown {
  return typeof value === 'number' ? 0 : value;
}

/** `device=AA:BB:… why="It does not answer."` */
export function fieldsText(fields: unknown): string {
  if (typeof fields !== 'object' || fields === null) return '';
  return Object.entries(fields)
    .map(
      ([name, value]) => `${name}=${typeof value === 'string' && /^\S+$/.test(value) ? value : JSON.stringify(value)}`,
    )
    .join(' ');
}

/** As text, for a file or a message: one entry a line. */
export function asText(lines: readonly LogLine[]): string {
  return lines
    .map(({ at, level, message, fields }) => [at, level.toUpperCase(), message, fieldsText(fields)].join(' ').trim())
    .join('\n');
}
