/** How backups are called. The name says what made it and when: nothing else is kept about them. */

/** What made a backup: the clock, a person, an upgrade about to change the schema, a restore about to replace the house, a browser. */
export type BackupKind = 'nightly' | 'manual' | 'before-upgrade' | 'before-restore' | 'uploaded';

export interface NamedBackup {
  readonly kind: BackupKind;
  /** In milliseconds since the epoch, to the second; `null` where the name does not say it. */
  readonly madeAt: number | null;
  /** Whether it is encrypted (`sealed-file.ts`). */
  readonly isSealed: boolean;
}

const STEM = 'relay';
const PLAIN = 'db';
const SEALED = 'sealed';

const STAMPED =
  /^relay-(nightly|manual|before-upgrade|before-restore|uploaded)-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z(?:-\d+)?\.(db|sealed)$/;

/** Names without a time: those of copies before a change of schema, and of earlier versions' daily copies. */
const UNSTAMPED: readonly (readonly [name: RegExp, kind: BackupKind])[] = [
  [/^relay-schema-\d+\.db$/, 'before-upgrade'],
  [/^relay-daily(-before)?\.db$/, 'nightly'],
];

/** What a file's name says; `undefined` if it is no backup's. Nothing that passes here can lead out of the folder. */
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

/** @param number from the second one of the same second on. */
export function backupName(kind: BackupKind, madeAt: number, isSealed = false, number = 1): string {
  const again = number > 1 ? `-${number}` : '';
  return `${STEM}-${kind}-${timeStamp(madeAt)}${again}.${isSealed ? SEALED : PLAIN}`;
}

/** `20300131T120000Z`: sorts by time and may stand in a file's name anywhere. */
export function timeStamp(at: number): string {
  return new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, '');
}
