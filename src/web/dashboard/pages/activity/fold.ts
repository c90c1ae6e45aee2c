/** Groups entries by day, and folds those that repeat. */
import type { ActivityItem } from './documents.ts';

/** Motion that is detected again and again, with other things in between, is one line. */
const SAME_MOTION_MS = 30 * 60_000;

/** One line: an entry, and how often it was repeated. */
export interface Line {
  /** The newest. */
  readonly entry: ActivityItem;
  readonly count: number;
  /** When the oldest happened. */
  readonly since: number;
}

export interface Day {
  /** Its beginning, milliseconds since the epoch. */
  readonly start: number;
  readonly lines: readonly Line[];
}

/** @param entries newest first */
export function foldByDay(entries: readonly ActivityItem[]): readonly Day[] {
  const days: { readonly start: number; readonly lines: Line[] }[] = [];
  for (const entry of entries) {
    const at = Date.parse(entry.at);
    const start = new Date(at).setHours(0, 0, 0, 0);
    let day = days.at(-1);
    if (day?.start !== start) {
      day = { start, lines: [] };
      days.push(day);
    }
    const known = day.lines.findLastIndex((line, index) =>
      isRepeated(line, entry, index === (day?.lines.length ?? 0) - 1),
    );
    const line = day.lines[known];
    if (line) day.lines[known] = { ...line, count: line.count + 1, since: at };
    else day.lines.push({ entry, count: 1, since: at });
  }
  return days;
}

/** @returns the newest lines of all days */
export function latestLines(entries: readonly ActivityItem[], count: number): readonly Line[] {
  return foldByDay(entries)
    .flatMap(({ lines }) => lines)
    .slice(0, count);
}

function isRepeated({ entry, since }: Line, older: ActivityItem, isLast: boolean): boolean {
  if (entry.subject.id !== older.subject.id || entry.characteristic !== older.characteristic) return false;
  if (entry.value !== older.value || entry.actor.kind !== older.actor.kind || entry.actor.id !== older.actor.id) {
    return false;
  }
  return isLast || (entry.kind === 'motion' && since - Date.parse(older.at) <= SAME_MOTION_MS);
}
