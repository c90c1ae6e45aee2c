import type { Backup as KeptBackup } from '../../app/backup/backups.ts';
import type { RestoreReport } from '../../app/backup/restorer.ts';
import type { Backup, LastRestore } from '../../contract/backups.ts';
import { presentTime } from './time.ts';

export function presentBackup({ madeAt, ...backup }: KeptBackup): Backup {
  return { ...backup, madeAt: presentTime(madeAt) };
}

export function presentRestore(report: RestoreReport | null): LastRestore | null {
  return report && { ...report, finishedAt: presentTime(report.finishedAt) };
}
