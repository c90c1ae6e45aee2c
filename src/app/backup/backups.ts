/**
 * Operations on backups. A backup contains everything: the keys of every device and all credentials. So they are only
 * for the command line, and for signed-in users who own every home of the relay. Tokens and apps never have access,
 * in any scope.
 */
import type { Readable } from 'node:stream';
import type * as contract from '../../contract/backups.ts';
import type { InMilliseconds } from '../../contract/parse.ts';
import { HearthError } from '../../kernel/errors.ts';
import { isoTime } from '../../kernel/iso-time.ts';
import type { BackupFile, BackupFolder } from '../../storage/backups/backup-folder.ts';
import type { BackupKind } from '../../storage/backups/backup-names.ts';
import {
  type BackupFault,
  FAULT_REASONS,
  FAULT_SENTENCES,
  type Inspection,
  inspectBackup,
  startOf,
} from '../../storage/backups/inspect-backup.ts';
import { MAX_UPLOAD_BYTES, receiveBackup, tooLarge } from '../../storage/backups/receive-backup.ts';
import {
  faultOfSealed,
  isSealedFile,
  sealedLength,
  sealedStream,
  UnsealError,
} from '../../storage/backups/sealed-file.ts';
import type { Database } from '../../storage/database.ts';
import type { AppDeps } from '../access/app-deps.ts';
import { insufficientPermissions, notFound } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { type BackupContents, instanceOf, readContents } from './backup-contents-store.ts';
import type { RestorePort, RestoreReport } from './restorer.ts';

/** Created by hand and uploaded, together: these are deleted only by users. */
const MAX_KEPT_BY_HAND = 20;
const BY_HAND: readonly BackupKind[] = ['manual', 'uploaded'];
/**
 * In characters. The password protects the keys of every lock in the home, so it must resist guessing from a stolen
 * file.
 */
export const MIN_BACKUP_PASSWORD = 8;
const MAX_BACKUP_PASSWORD = 1_000;

export type Backup = InMilliseconds<contract.Backup, 'madeAt'>;

/** A backup to download. */
export interface BackupDownload {
  /** The file name for browsers; that of an unencrypted backup states that it contains keys. */
  readonly fileName: string;
  readonly bytes: number;
  readonly content: Readable;
}

interface BackupsDeps extends AppDeps<'state' | 'access' | 'clock' | 'logger'> {
  readonly database: Database;
  /** `null` for a database in memory, which has no folder. */
  readonly backupFolder: BackupFolder | null;
  readonly restorer: RestorePort;
}

export class Backups {
  readonly #deps: BackupsDeps;
  /** The result of inspecting a file, by its name and its mark. */
  readonly #inspections = new Map<string, { readonly mark: string; readonly found: Inspection<BackupContents> }>();
  #isBusy = false;

  constructor(deps: BackupsDeps) {
    this.#deps = deps;
  }

  /**
   * Lists all backups, newest first. For the system and owners of every home. Reads each file once: 20 ms for 5 MB.
   * @throws `insufficient_permissions`
   */
  async list(caller: Caller): Promise<readonly Backup[]> {
    this.#authorize(caller);
    const backups: Backup[] = [];
    const files = this.#deps.backupFolder?.list() ?? [];
    for (const file of files) {
      backups.push(this.#present(caller, file));
      // Yield to other work between two files.
      await new Promise((resolve) => setImmediate(resolve));
    }
    const there = new Set(files.map(({ name }) => name));
    for (const name of this.#inspections.keys()) if (!there.has(name)) this.#inspections.delete(name);
    return backups;
  }

  /**
   * The result of the last restore; `null` if there was none since the daemon started. For the same callers.
   * @throws `insufficient_permissions`
   */
  lastRestore(caller: Caller): RestoreReport | null {
    this.#authorize(caller);
    return this.#deps.restorer.last;
  }

  /**
   * Creates a backup, which stays until it is deleted. For the same callers.
   * @throws `insufficient_permissions` · `conflict` there are 20 already, or another one is in progress ·
   *         `storage_unavailable`
   */
  create(caller: Caller): Backup {
    this.#authorize(caller);
    const folder = this.#folder();
    this.#refuseWhileBusy();
    this.#requireRoom(folder);
    return this.#present(caller, folder.snapshot(this.#deps.database, 'manual', this.#deps.clock.now()));
  }

  /**
   * Deletes a backup permanently. For the same callers.
   * @throws `insufficient_permissions` · `not_found` · `conflict` it is a folder that is not empty
   */
  delete(caller: Caller, name: string): { readonly name: string } {
    this.#authorize(caller);
    const file = this.#find(name);
    this.#folder().remove(file.name);
    this.#note(caller, file, 'Deleted a backup');
    return { name: file.name };
  }

  /**
   * Reads a backup for download. For the same callers.
   * @param password encrypts it, at least 8 characters; `null` leaves it as it is.
   * @throws `insufficient_permissions` · `not_found` · `invalid_value` the password · `conflict` it is encrypted
   *         already, or can't be read
   */
  async read(caller: Caller, name: string, password: unknown = null): Promise<BackupDownload> {
    this.#authorize(caller);
    const file = this.#find(name);
    const stem = `hearthd-backup-${isoTime(file.madeAt).slice(0, 16).replaceAll(/[:T]/g, '-')}`;
    const secret = parsePassword(password);
    requireReadable(file);
    this.#note(
      caller,
      file,
      secret === null && !file.isSealed ? 'Downloaded a backup without encryption' : 'Downloaded a backup',
    );
    if (file.isSealed) {
      if (secret !== null)
        throw new HearthError('conflict', 'This backup is encrypted already: download it as it is.', {
          reason: 'encrypted_already',
        });
      return { fileName: `${stem}.hearthd`, bytes: file.bytes, content: this.#folder().read(file) };
    }
    if (secret === null) {
      return { fileName: `${stem}-contains-keys.db`, bytes: file.bytes, content: this.#folder().read(file) };
    }
    const content = await sealedStream(file.path, secret);
    return { fileName: `${stem}.hearthd`, bytes: sealedLength(file.bytes), content };
  }

  /**
   * Uploads a backup for a later restore: a database, or an encrypted one, which stays encrypted. For the same callers.
   * @param announced its size in bytes, if known.
   * @throws `insufficient_permissions` before a byte is read · `payload_too_large` · `invalid_request` the upload broke
   *         off · `invalid_value` it is no sound backup of a version up to this one · `conflict` as `create` ·
   *         `storage_unavailable`
   */
  async upload(caller: Caller, body: AsyncIterable<Uint8Array>, announced = 0): Promise<Backup> {
    this.#authorize(caller);
    if (announced > MAX_UPLOAD_BYTES) throw tooLarge();
    const folder = this.#folder();
    this.#requireRoom(folder);
    return this.#alone(async () => {
      const draft = await receiveBackup(folder, body);
      try {
        const isSealed = isSealedFile(draft);
        // Read everything that a list shows before keeping the file.
        const found = isSealed ? inspectSealed(draft) : inspectBackup(draft, readContents);
        if (found.fault !== null) throw faultError('invalid_value', found.fault);
        const name = folder.nextName('uploaded', this.#deps.clock.now(), isSealed);
        const kept = folder.keep(draft, name);
        this.#inspections.set(name, { mark: kept.mark, found });
        return this.#present(caller, kept);
      } finally {
        folder.discard(draft);
      }
    });
  }

  /**
   * Replaces the home with that of a backup, and restarts the relay. `carry-over-store.ts` describes what stays.
   * Returns when all checks have passed and the restart is about to begin. For the same callers.
   * @returns the backup of the current home, which exists once the restart is complete.
   * @throws `insufficient_permissions` · `not_found` · `invalid_value` the password, which an encrypted one needs ·
   *         `conflict` it is damaged, or another one is in progress · `storage_unavailable`
   */
  async restore(caller: Caller, name: string, password: unknown = null): Promise<{ readonly undo: string }> {
    this.#authorize(caller);
    const file = this.#find(name);
    const secret = file.isSealed ? parsePassword(password) : null;
    if (file.isSealed && secret === null)
      throw invalidPassword('backup_password', 'This backup is encrypted: give its password.');
    return this.#alone(async () => {
      await this.#stage(file, secret);
      this.#note(caller, file, 'A caller restores a backup');
      return { undo: this.#deps.restorer.begin(file.name) };
    });
  }

  async #stage(file: BackupFile, secret: string | null): Promise<void> {
    try {
      await this.#deps.restorer.stage(file.path, secret);
    } catch (error) {
      if (error instanceof UnsealError) throw invalidPassword('backup_wrong_password', error.message);
      throw error;
    }
  }

  #authorize(caller: Caller): void {
    const { access, state } = this.#deps;
    const { kind } = caller.principal;
    if (kind !== 'user' && kind !== 'system') throw insufficientPermissions();
    access.authorizeRelay(caller, state.homes());
  }

  /** Logs the caller, so that it can be traced who exported or replaced the keys of the home. */
  #note({ principal, requestId }: Caller, { name }: BackupFile, what: string): void {
    const userId = principal.kind === 'user' ? principal.userId : null;
    this.#deps.logger.info({ backup: name, by: principal.kind, userId, requestId }, what);
  }

  #folder(): BackupFolder {
    if (this.#deps.backupFolder) return this.#deps.backupFolder;
    throw new HearthError('conflict', 'This relay keeps its home in memory only: there is nothing to back up.');
  }

  #find(name: string): BackupFile {
    const file = this.#deps.backupFolder?.find(name);
    if (!file) throw notFound('not_found');
    return file;
  }

  #requireRoom(folder: BackupFolder): void {
    if (folder.list().filter(({ kind }) => BY_HAND.includes(kind)).length < MAX_KEPT_BY_HAND) return;
    throw new HearthError(
      'conflict',
      `There are ${MAX_KEPT_BY_HAND} backups already that were made by hand or uploaded: delete one first.`,
      { reason: 'limit_reached' },
    );
  }

  #refuseWhileBusy(): void {
    if (!this.#isBusy && !this.#deps.restorer.isUnderWay) return;
    throw new HearthError('conflict', 'Another backup is being uploaded or restored: wait for that to finish.', {
      reason: 'in_progress',
    });
  }

  async #alone<T>(work: () => Promise<T>): Promise<T> {
    this.#refuseWhileBusy();
    this.#isBusy = true;
    try {
      return await work();
    } finally {
      this.#isBusy = false;
    }
  }

  #present({ principal }: Caller, file: BackupFile): Backup {
    const { name, kind, madeAt, bytes, isSealed } = file;
    const { schema, fault, read } = this.#inspect(file);
    const userId = principal.kind === 'user' ? principal.userId : null;
    const { instanceId = null, userIds, ...contents } = read ?? {};
    return {
      ...{ name, kind, madeAt, bytes, isEncrypted: isSealed, schema, fault },
      isSound: isSealed && fault === null ? null : fault === null,
      isOfThisRelay: instanceId === null ? null : instanceId === instanceOf(this.#deps.database),
      hasYourAccount: userIds === undefined || userId === null ? null : userIds.has(userId),
      contents: read === null ? null : (contents as Omit<BackupContents, 'instanceId' | 'userIds'>),
    };
  }

  #inspect({ name, path, mark, isSealed }: BackupFile): Inspection<BackupContents> {
    const known = this.#inspections.get(name);
    if (known?.mark === mark) return known.found;
    const found = isSealed ? inspectSealed(path) : inspectBackup(path, readContents);
    // An unreadable file may become readable without a change, so the result is not cached.
    if (found.fault !== 'unreadable') this.#inspections.set(name, { mark, found });
    return found;
  }
}

function inspectSealed(path: string): Inspection<BackupContents> {
  return { schema: null, fault: faultOfSealed(path), read: null };
}

function faultError(code: 'invalid_value' | 'conflict', fault: BackupFault): HearthError {
  return new HearthError(code, FAULT_SENTENCES[fault], { reason: FAULT_REASONS[fault] });
}

/** Checks before the response begins: an aborted download can't report an error. @throws `conflict` */
function requireReadable({ path, isFile }: BackupFile): void {
  if (!isFile) throw faultError('conflict', 'foreign');
  try {
    startOf(path, 1);
  } catch {
    throw faultError('conflict', 'unreadable');
  }
}

/** @throws `invalid_value` */
function parsePassword(input: unknown): string | null {
  if (input === null || input === undefined || input === '') return null;
  const length = typeof input === 'string' ? [...input.normalize('NFC')].length : 0;
  if (typeof input === 'string' && length >= MIN_BACKUP_PASSWORD && length <= MAX_BACKUP_PASSWORD) return input;
  const sentence = `The password must have ${MIN_BACKUP_PASSWORD} to ${MAX_BACKUP_PASSWORD} characters.`;
  throw invalidPassword('password_length', sentence);
}

function invalidPassword(
  reason: 'backup_password' | 'backup_wrong_password' | 'password_length',
  sentence: string,
): HearthError {
  return new HearthError('invalid_value', sentence, { reason, field: 'password' });
}
