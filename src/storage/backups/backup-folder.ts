/**
 * `backups/`: complete, closed copies of the database, mode 0600. This file creates, lists and deletes them;
 * `inspect-backup.ts` checks their content. A file has a temporary name until it is complete on the disk.
 */
import {
  chmodSync,
  closeSync,
  createReadStream,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { HearthError } from '../../kernel/errors.ts';
import { BACKUPS_FOLDER, checkDatabase, type Database } from '../database.ts';
import { type BackupKind, backupName, parseBackupName } from './backup-names.ts';
import { COMPANION_SUFFIXES } from './log-beside.ts';

/**
 * Not the suffix of the copies before an upgrade: `relay-schema-8.db.unfinished` belongs to the code that makes them.
 */
export const UNFINISHED = '.part';

export interface BackupFile {
  readonly name: string;
  readonly path: string;
  readonly kind: BackupKind;
  /** In milliseconds since the epoch. */
  readonly madeAt: number;
  readonly bytes: number;
  readonly isSealed: boolean;
  /** Whether it is a file, or a link to one. Folders, pipes and broken links may also have a backup’s name. */
  readonly isFile: boolean;
  /** A value that changes whenever the file changes. */
  readonly mark: string;
}

export class BackupFolder {
  readonly path: string;
  readonly #database: string;

  /** @param database the path of the database beside the folder. */
  constructor(database: string) {
    this.#database = database;
    this.path = join(dirname(database), BACKUPS_FOLDER);
  }

  /** All files with a backup’s name, newest first. */
  list(): readonly BackupFile[] {
    if (!statSync(this.path, { throwIfNoEntry: false })?.isDirectory()) return [];
    return readdirSync(this.path)
      .flatMap((name) => this.find(name) ?? [])
      .sort((a, b) => b.madeAt - a.madeAt || (a.name < b.name ? 1 : -1));
  }

  find(name: string): BackupFile | undefined {
    const named = parseBackupName(name);
    const path = join(this.path, name);
    const entry = named && lstatSync(path, { throwIfNoEntry: false });
    if (!named || !entry) return undefined;
    const target = entry.isSymbolicLink() ? statsOf(path) : entry;
    const { ino, size: bytes, mtimeMs } = target ?? entry;
    const { kind, isSealed, madeAt } = named;
    return {
      name,
      path,
      kind,
      isSealed,
      isFile: target?.isFile() === true,
      bytes,
      madeAt: madeAt ?? Math.floor(mtimeMs),
      mark: `${ino} ${bytes} ${mtimeMs}`,
    };
  }

  /** @returns the path of the backup with that name, otherwise of the file at that path. */
  locate(nameOrPath: string): string | undefined {
    const isFile = statSync(nameOrPath, { throwIfNoEntry: false })?.isFile();
    const found = this.find(nameOrPath);
    return (found?.isFile ? found.path : undefined) ?? (isFile ? nameOrPath : undefined);
  }

  /** The content of the file on the disk. */
  read({ path }: BackupFile): Readable {
    return createReadStream(path);
  }

  /** Deletes a backup and its companion files. @throws `conflict` it is a folder that is not empty */
  remove(name: string): void {
    if (!parseBackupName(name)) return;
    const path = join(this.path, name);
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) removeFolder(path);
    else for (const suffix of ['', ...COMPANION_SUFFIXES]) rmSync(path + suffix, { force: true });
  }

  /** A path for an incomplete file: private to its creator, and deleted by the next `sweep`. */
  draft(): string {
    this.create();
    return join(this.path, `${process.pid}-${process.hrtime.bigint()}${UNFINISHED}`);
  }

  /** The name of the next backup of this kind. */
  nextName(kind: BackupKind, at: number, isSealed = false): string {
    for (let number = 1; ; number += 1) {
      const name = backupName(kind, at, isSealed, number);
      if (!lstatSync(join(this.path, name), { throwIfNoEntry: false })) return name;
    }
  }

  /** Deletes a draft, if it still exists. */
  discard(draft: string): void {
    rmSync(draft, { force: true });
  }

  /** Gives a complete draft its final name; the change is on the disk when this returns. */
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
   * Copies a database in use. It blocks the process meanwhile: about 65 ms for 5 MB and 180 ms for 20 MB, as measured.
   * A home with hundreds of accessories has about 3 MB.
   * @throws `storage_unavailable` the disk is full · any other error; then no file remains.
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

  /** Deletes all but the newest of a kind. */
  prune(kind: BackupKind, keep: number): void {
    for (const { name } of this.list()
      .filter((backup) => backup.kind === kind && backup.isFile)
      .slice(keep))
      this.remove(name);
  }

  /**
   * Removes what an ended process left incomplete: drafts, and a second name of the database in use. A process links
   * that name before it replaces the database; as a backup it would change with the home.
   */
  sweep(): void {
    if (!statSync(this.path, { throwIfNoEntry: false })?.isDirectory()) return;
    for (const name of readdirSync(this.path)) {
      const path = join(this.path, name);
      if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) continue;
      if (name.includes(UNFINISHED) || isSameFile(path, this.#database)) rmSync(path, { force: true });
    }
  }

  /** Creates the folder, if it does not exist. */
  create(): void {
    mkdirSync(this.path, { recursive: true, mode: 0o700 });
  }
}

/** Stats of a path's target; `undefined` for a broken or circular link. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function removeFolder(path: string): void {
  try {
    rmdirSync(path);
  } catch (error) {
    const sentence = 'It is a folder with something in it, and no backup: delete it on the computer itself.';
    throw new HearthError('conflict', sentence, {}, { cause: error });
  }
}

function isSameFile(path: string, other: string): boolean {
  const [one, two] = [path, other].map(statsOf);
  return one !== undefined && one.ino === two?.ino && one.dev === two.dev;
}

/** Flushes a file's content, or a folder's entries, to the disk. */
export function syncToDisk(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
