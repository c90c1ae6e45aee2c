/** Groups entries by day, and folds those that repeat. */
import type { Format } from '../../texts/format.ts';
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
  /** In days since 1970-01-01. */
  readonly day: number;
  readonly lines: readonly Line[];
}

type DayOf = Format['day'];

/** @param entries newest first */
export function foldByDay(entries: readonly ActivityItem[], dayOf: DayOf): readonly Day[] {
  const days: { readonly day: number; readonly lines: Line[] }[] = [];
  for (const entry of entries) {
    const at = Date.parse(entry.at);
    const day = dayOf(at);
    let last = days.at(-1);
    if (last?.day !== day) {
      last = { day, lines: [] };
      days.push(last);
    }
    const { lines } = last;
    const known = lines.findLastIndex((line, index) => isRepeated(line, entry, index === lines.length - 1));
    const line = lines[known];
    if (line) lines[known] = { ...line, count: line.count + 1, since: at };
    else lines.push({ entry, count: 1, since: at });
  }
  return days;
}

/** @returns the newest lines of all days */
export function latestLines(entries: readonly ActivityItem[], count: number, dayOf: DayOf): readonly Line[] {
  return foldByDay(entries, dayOf)
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
