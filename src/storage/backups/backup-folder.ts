/**
 * `backups/`: copies of the database, whole and closed, mode 0600. It makes them, lists them and lets old ones go; what is in
 * them is `inspect-backup.ts`'s business. Whatever is being written has another name until it is on the disk: half a copy is none.
 */
import {
  chmodSync,
  closeSync,
  createReadStream,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { HearthError } from '../../kernel/errors.ts';
import { BACKUPS_FOLDER, checkDatabase, type Database } from '../database.ts';
import { type BackupKind, backupName, parseBackupName } from './backup-names.ts';

/** Not those of the copies before an upgrade: `relay-schema-8.db.unfinished` is their maker's. */
export const UNFINISHED = '.part';

export interface BackupFile {
  readonly name: string;
  readonly path: string;
  readonly kind: BackupKind;
  /** In milliseconds since the epoch. */
  readonly madeAt: number;
  readonly bytes: number;
  readonly isSealed: boolean;
  /** Another one whenever the file is another. */
  readonly mark: string;
}

export class BackupFolder {
  readonly path: string;
  readonly #database: string;

  /** @param database the path of the database beside which the folder lies. */
  constructor(database: string) {
    this.#database = database;
    this.path = join(dirname(database), BACKUPS_FOLDER);
  }

  /** Newest first. */
  list(): readonly BackupFile[] {
    if (!statSync(this.path, { throwIfNoEntry: false })?.isDirectory()) return [];
    return readdirSync(this.path)
      .flatMap((name) => this.find(name) ?? [])
      .sort((a, b) => b.madeAt - a.madeAt || (a.name < b.name ? 1 : -1));
  }

  find(name: string): BackupFile | undefined {
    const named = parseBackupName(name);
    const path = join(this.path, name);
    const stats = named && statSync(path, { throwIfNoEntry: false });
    if (!named || !stats?.isFile()) return undefined;
    const { ino, size: bytes, mtimeMs } = stats;
    const { kind, isSealed, madeAt } = named;
    return {
      name,
      path,
      kind,
      isSealed,
      bytes,
      madeAt: madeAt ?? Math.floor(mtimeMs),
      mark: `${ino} ${bytes} ${mtimeMs}`,
    };
  }

  /** @returns the path of the backup of that name, else of the file that it is the path of. */
  locate(nameOrPath: string): string | undefined {
    const isFile = statSync(nameOrPath, { throwIfNoEntry: false })?.isFile();
    return this.find(nameOrPath)?.path ?? (isFile ? nameOrPath : undefined);
  }

  /** Its content, as it is on the disk. */
  read({ path }: BackupFile): Readable {
    return createReadStream(path);
  }

  remove(name: string): void {
    if (parseBackupName(name)) rmSync(join(this.path, name), { force: true });
  }

  /** Where something is put together that is none yet: nobody else's, and gone at the next `sweep`. */
  draft(): string {
    this.create();
    return join(this.path, `${process.pid}-${process.hrtime.bigint()}${UNFINISHED}`);
  }

  /** The name that the next backup of this kind gets. */
  nextName(kind: BackupKind, at: number, isSealed = false): string {
    for (let number = 1; ; number += 1) {
      const name = backupName(kind, at, isSealed, number);
      if (!statSync(join(this.path, name), { throwIfNoEntry: false })) return name;
    }
  }

  /** Lets go of a draft, if it is still one. */
  discard(draft: string): void {
    rmSync(draft, { force: true });
  }

  /** A draft that is finished gets its name, on the disk when this returns. */
  keep(draft: string, name: string): BackupFile {
    chmodSync(draft, 0o600);
    syncToDisk(draft);
    renameSync(draft, join(this.path, name));
    syncToDisk(this.path);
    const kept = this.find(name);
    if (!kept) throw new HearthError('internal', 'A backup that was just made is not there.');
    return kept;
  }

  /**
   * Copies a database that is in use. Holds everything up meanwhile: some 65 ms for 5 MB, 180 ms for 20 MB where it was measured. A
   * house with hundreds of accessories has some three.
   * @throws `storage_unavailable` the disk is full · what else went wrong; then no file is left behind.
   */
  snapshot(database: Database, kind: BackupKind, at: number): BackupFile {
    const draft = this.draft();
    try {
      database.prepare('VACUUM INTO ?').run(draft);
      const fault = checkDatabase(draft);
      if (fault) throw new HearthError('internal', fault);
      return this.keep(draft, this.nextName(kind, at));
    } finally {
      this.discard(draft);
    }
  }

  /** Lets go of all but the newest of a kind. */
  prune(kind: BackupKind, keep: number): void {
    for (const { name } of this.list()
      .filter((backup) => backup.kind === kind)
      .slice(keep))
      this.remove(name);
  }

  /**
   * Removes what a process that is gone has left half done: drafts, and a second name of the database in use, which it had for the one
   * that it was about to replace: such a backup would change with the house.
   */
  sweep(): void {
    if (!statSync(this.path, { throwIfNoEntry: false })?.isDirectory()) return;
    for (const name of readdirSync(this.path)) {
      const path = join(this.path, name);
      if (name.includes(UNFINISHED) || isSameFile(path, this.#database)) rmSync(path, { force: true });
    }
  }

  /** Makes the folder, if there is none. */
  create(): void {
    mkdirSync(this.path, { recursive: true, mode: 0o700 });
  }
}

function isSameFile(path: string, other: string): boolean {
  const [one, two] = [path, other].map((each) => statSync(each, { throwIfNoEntry: false }));
  return one !== undefined && one.ino === two?.ino && one.dev === two.dev;
}

/** A file's content, or a folder's names. */
export function syncToDisk(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
