/** Names of backups. The name contains the origin and the time; nothing else is stored about a backup. */
import { isoTime } from '../../kernel/iso-time.ts';

/**
 * The origin of a backup: the schedule, a user, an upgrade before it changes the schema, a restore before it replaces
 * the home, a browser upload.
 */
export type BackupKind = 'nightly' | 'manual' | 'before-upgrade' | 'before-restore' | 'uploaded';

export interface NamedBackup {
  readonly kind: BackupKind;
  /** In milliseconds since the epoch, to the second; `null` if the name does not contain it. */
  readonly madeAt: number | null;
  /** Whether it is encrypted (`sealed-file.ts`). */
  readonly isSealed: boolean;
}

const STEM = 'relay';
const PLAIN = 'db';
const SEALED = 'sealed';

const STAMPED =
  /^relay-(nightly|manual|before-upgrade|before-restore|uploaded)-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z(?:-\d+)?\.(db|sealed)$/;

/** Names without a time: copies before a schema change, and daily copies of earlier versions. */
const UNSTAMPED: readonly (readonly [name: RegExp, kind: BackupKind])[] = [
  [/^relay-schema-\d+\.db$/, 'before-upgrade'],
  [/^relay-daily(-before)?\.db$/, 'nightly'],
];

/** Parses a file name; `undefined` if it is not a backup's. An accepted name cannot lead out of the folder. */
export function parseBackupName(name: string): NamedBackup | undefined {
  const stamped = STAMPED.exec(name);
  if (stamped) {
    const [, kind, year, month, day, hour, minute, second, extension] = stamped;
    return {
      kind: kind as BackupKind,
      madeAt: Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)),
      isSealed: extension === SEALED,
    };
  }
  const [, kind] = UNSTAMPED.find(([pattern]) => pattern.test(name)) ?? [];
  return kind && { kind, madeAt: null, isSealed: false };
}

/** @param number for several backups within one second, from the second one on. */
export function backupName(kind: BackupKind, madeAt: number, isSealed = false, number = 1): string {
  const again = number > 1 ? `-${number}` : '';
  return `${STEM}-${kind}-${timeStamp(madeAt)}${again}.${isSealed ? SEALED : PLAIN}`;
}

/** `20300131T120000Z`: sorts by time and is valid anywhere in a file name. */
export function timeStamp(at: number): string {
  return isoTime(at).replaceAll(/[-:]|\.\d+/g, '');
}
