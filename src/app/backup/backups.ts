/**
 * Backups as operations. A backup holds everything: the keys of every device and whatever lets anybody in. So they are for the command
 * line, and for people who own every home of the relay and are signed in; tokens and apps never reach them, whatever their scope.
 */
import type { Readable } from 'node:stream';
import type { HomeState } from '../../home/home-state.ts';
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { BackupFile, BackupFolder } from '../../storage/backups/backup-folder.ts';
import type { BackupKind } from '../../storage/backups/backup-names.ts';
import {
  type BackupFault,
  FAULT_REASONS,
  FAULT_SENTENCES,
  type Inspection,
  inspectBackup,
} from '../../storage/backups/inspect-backup.ts';
import { MAX_UPLOAD_BYTES, receiveBackup, tooLarge } from '../../storage/backups/receive-backup.ts';
import { isSealedFile, sealedLength, sealedStream, UnsealError } from '../../storage/backups/sealed-file.ts';
import type { Database } from '../../storage/database.ts';
import { type Access, insufficientPermissions, notFound } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { type BackupContents, instanceOf, readContents } from './backup-contents-store.ts';
import type { RestorePort, RestoreReport } from './restorer.ts';

/** Made by hand and uploaded together: these go only when somebody deletes them. */
const MAX_KEPT_BY_HAND = 20;
const BY_HAND: readonly BackupKind[] = ['manual', 'uploaded'];
/** In characters. What opens every lock in the house should not be guessed from a stolen file. */
export const MIN_BACKUP_PASSWORD = 8;
const MAX_BACKUP_PASSWORD = 1_000;

export interface Backup {
  readonly name: string;
  readonly kind: BackupKind;
  readonly madeAt: number;
  readonly bytes: number;
  /** Whether a password is needed to restore it. */
  readonly isEncrypted: boolean;
  /** Of its database; `null` where that can't be told. */
  readonly schema: number | null;
  /** `null` for an encrypted one: that is seen when it is restored. */
  readonly isSound: boolean | null;
  readonly fault: BackupFault | null;
  /** Whether it is of this installation; `null` where that can't be told. */
  readonly isOfThisRelay: boolean | null;
  /** Whether the account of whoever asks is in it; `null` where that can't be told, or nobody has one. */
  readonly hasYourAccount: boolean | null;
  readonly contents: Omit<BackupContents, 'instanceId' | 'userIds'> | null;
}

/** A backup on its way out. */
export interface BackupDownload {
  /** What a browser should call it: one that is not encrypted says that there are keys in it. */
  readonly fileName: string;
  readonly bytes: number;
  readonly content: Readable;
}

interface BackupsParts {
  readonly state: HomeState;
  readonly access: Access;
  readonly database: Database;
  /** `null` for a database in memory, which has no place beside it. */
  readonly backupFolder: BackupFolder | null;
  readonly restorer: RestorePort;
  readonly clock: Clock;
  readonly logger: Logger;
}

export class Backups {
  readonly #parts: BackupsParts;
  /** What was found in a file, by its name and its mark. */
  readonly #inspections = new Map<string, { readonly mark: string; readonly found: Inspection<BackupContents> }>();
  #isBusy = false;

  constructor(parts: BackupsParts) {
    this.#parts = parts;
  }

  /**
   * All there are, newest first. For the system, and whoever owns every home. Each is read through once: 20 ms for 5 MB.
   * @throws `insufficient_permissions`
   */
  async list(caller: Caller): Promise<readonly Backup[]> {
    this.#authorize(caller);
    const backups: Backup[] = [];
    const files = this.#parts.backupFolder?.list() ?? [];
    for (const file of files) {
      backups.push(this.#present(caller, file));
      // Others have their turn between two files.
      await new Promise((resolve) => setImmediate(resolve));
    }
    const there = new Set(files.map(({ name }) => name));
    for (const name of this.#inspections.keys()) if (!there.has(name)) this.#inspections.delete(name);
    return backups;
  }

  /** How the last restore went; `null` if there was none since the daemon began. For the same. @throws `insufficient_permissions` */
  lastRestore(caller: Caller): RestoreReport | null {
    this.#authorize(caller);
    return this.#parts.restorer.last;
  }

  /**
   * Makes one now, which stays until it is deleted. For the same.
   * @throws `insufficient_permissions` · `conflict` there are 20 already, or another is under way · `storage_unavailable`
   */
  create(caller: Caller): Backup {
    this.#authorize(caller);
    const folder = this.#folder();
    this.#refuseWhileBusy();
    this.#requireRoom(folder);
    return this.#present(caller, folder.snapshot(this.#parts.database, 'manual', this.#parts.clock.now()));
  }

  /** Deletes one for good. For the same. @throws `insufficient_permissions` · `not_found` */
  delete(caller: Caller, name: string): { readonly name: string } {
    this.#authorize(caller);
    const file = this.#find(name);
    this.#folder().remove(file.name);
    this.#note(caller, file, 'A backup is deleted');
    return { name: file.name };
  }

  /**
   * Its content, to be kept elsewhere. For the same.
   * @param password encrypts it, 8 characters at least; `null` gives it as it is.
   * @throws `insufficient_permissions` · `not_found` · `invalid_value` the password · `conflict` it is encrypted already
   */
  async read(caller: Caller, name: string, password: unknown = null): Promise<BackupDownload> {
    this.#authorize(caller);
    const file = this.#find(name);
    const stem = `hearthd-backup-${new Date(file.madeAt).toISOString().slice(0, 16).replaceAll(/[:T]/g, '-')}`;
    const secret = parsePassword(password);
    this.#note(
      caller,
      file,
      secret === null && !file.isSealed ? 'A backup is downloaded as it is' : 'A backup is downloaded',
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
   * Takes in a backup from elsewhere, to be restored: a database, or an encrypted one, which stays encrypted. For the same.
   * @param announced how many bytes it will have, where that is known.
   * @throws `insufficient_permissions` before a byte is read · `payload_too_large` · `invalid_request` it broke off ·
   *         `invalid_value` it is no sound backup of a version up to this one · `conflict` as `create` · `storage_unavailable`
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
        const fault = isSealed ? null : inspectBackup(draft, () => null).fault;
        if (fault !== null)
          throw new HearthError('invalid_value', FAULT_SENTENCES[fault], { reason: FAULT_REASONS[fault] });
        const name = folder.nextName('uploaded', this.#parts.clock.now(), isSealed);
        return this.#present(caller, folder.keep(draft, name));
      } finally {
        folder.discard(draft);
      }
    });
  }

  /**
   * Replaces the house with that of a backup, and restarts the relay: what stays as it is is told in `carry-over-store.ts`. Answers when
   * everything is checked and the restart is about to begin. For the same.
   * @returns the backup of the house as it is now, which is there once the restart is over.
   * @throws `insufficient_permissions` · `not_found` · `invalid_value` the password, which an encrypted one needs ·
   *         `conflict` it is damaged, foreign or newer, or another is under way · `storage_unavailable`
   */
  async restore(caller: Caller, name: string, password: unknown = null): Promise<{ readonly undo: string }> {
    this.#authorize(caller);
    const file = this.#find(name);
    const secret = file.isSealed ? parsePassword(password) : null;
    if (file.isSealed && secret === null)
      throw invalidPassword('backup_password', 'This backup is encrypted: give its password.');
    return this.#alone(async () => {
      await this.#stage(file, secret);
      this.#note(caller, file, 'A backup is about to be restored');
      return { undo: this.#parts.restorer.begin(file.name) };
    });
  }

  async #stage(file: BackupFile, secret: string | null): Promise<void> {
    try {
      await this.#parts.restorer.stage(file.path, secret);
    } catch (error) {
      if (error instanceof UnsealError) throw invalidPassword('backup_wrong_password', error.message);
      throw error;
    }
  }

  #authorize(caller: Caller): void {
    const { access, state } = this.#parts;
    const { kind } = caller.principal;
    if (kind !== 'user' && kind !== 'system') throw insufficientPermissions();
    access.authorizeRelay(caller, state.homes());
  }

  /** Who took the keys of the house out of it, or put others in, is to be found afterwards. */
  #note({ principal, requestId }: Caller, { name }: BackupFile, what: string): void {
    const userId = principal.kind === 'user' ? principal.userId : null;
    this.#parts.logger.info({ backup: name, by: principal.kind, userId, requestId }, what);
  }

  #folder(): BackupFolder {
    if (this.#parts.backupFolder) return this.#parts.backupFolder;
    throw new HearthError('conflict', 'This relay keeps its home in memory only: there is nothing to back up.');
  }

  #find(name: string): BackupFile {
    const file = this.#parts.backupFolder?.find(name);
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
    if (!this.#isBusy && !this.#parts.restorer.isUnderWay) return;
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
    const { schema, fault, read } = isSealed ? SEALED : this.#inspect(file);
    const userId = principal.kind === 'user' ? principal.userId : null;
    const { instanceId = null, userIds, ...contents } = read ?? {};
    return {
      ...{ name, kind, madeAt, bytes, isEncrypted: isSealed, schema, fault },
      isSound: isSealed ? null : fault === null,
      isOfThisRelay: instanceId === null ? null : instanceId === instanceOf(this.#parts.database),
      hasYourAccount: userIds === undefined || userId === null ? null : userIds.has(userId),
      contents: read === null ? null : (contents as Omit<BackupContents, 'instanceId' | 'userIds'>),
    };
  }

  #inspect({ name, path, mark }: BackupFile): Inspection<BackupContents> {
    const known = this.#inspections.get(name);
    if (known?.mark === mark) return known.found;
    const found = inspectBackup(path, readContents);
    this.#inspections.set(name, { mark, found });
    return found;
  }
}

const SEALED: Inspection<BackupContents> = { schema: null, fault: null, read: null };

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
