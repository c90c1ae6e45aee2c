/** When the relay makes the next automatic backup: at its first check after the time of the night when one is due. */
import { NIGHTLY_BACKUP } from '../../../../../home/vocabulary/nightly-backup.ts';
import type { BackupRow } from './documents.ts';

const DAY_MS = 24 * 3_600_000;

interface Window {
  readonly from: number;
  readonly to: number;
}

/** `undefined`: one is due already, and the relay makes it with its next check. */
export function nextBackup(backups: readonly Pick<BackupRow, 'kind' | 'madeAt'>[], now: number): Window | undefined {
  const lastNight = Math.floor((now - NIGHTLY_BACKUP.dueMs) / DAY_MS) * DAY_MS + NIGHTLY_BACKUP.dueMs;
  const newest = (kind: string) =>
    Math.max(0, ...backups.map((each) => (each.kind === kind ? Date.parse(each.madeAt) : 0)));
  // The backups before a restore are of another home.
  if (newest('nightly') < Math.max(lastNight, newest('before-restore'))) return undefined;
  const from = lastNight + DAY_MS;
  return { from, to: from + NIGHTLY_BACKUP.checkMs };
}
