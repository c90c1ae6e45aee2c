/**
 * Reads the log from the newest entry to the oldest. Filters can match rarely, so it looks at some entries at a time,
 * and other work runs in between.
 */
import { setImmediate } from 'node:timers/promises';
import type { ActivityRecord } from '../../contract/activity.ts';
import type { ActivityPage, ActivityStore } from './activity-store.ts';

export type Selection = Omit<ActivityPage, 'before' | 'from' | 'limit'>;

/** Some milliseconds of work. */
const ENTRIES_A_SLICE = 5_000;

/** Pages of matching entries, at most `pageSize` each. @param before only entries with smaller ids. */
export async function* pagesOf(
  store: Pick<ActivityStore, 'list' | 'range'>,
  selection: Selection,
  pageSize: number,
  before = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<readonly ActivityRecord[]> {
  const { from, to } = store.range();
  let end = Math.min(before, to);
  while (end > from) {
    // Entries of one accessory have an index.
    const start = selection.accessoryId === undefined ? Math.max(from, end - ENTRIES_A_SLICE) : from;
    const page = store.list({ ...selection, before: end, from: start, limit: pageSize });
    if (page.length > 0) yield page;
    const last = page.at(-1);
    end = last && page.length === pageSize ? Number(last.id) : start;
    await setImmediate();
  }
}
