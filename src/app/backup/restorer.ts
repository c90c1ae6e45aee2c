/**
 * Restarts into a backup, inside the process: stops everything but the lock on the data directory, exchanges the files,
 * and starts everything again. If the restored database does not start, the former one is put back automatically. The
 * restorer outlives the services that it restarts, and only knows how to stop and start them.
 */
import type { LastRestore } from '../../contract/backups.ts';
import type { InMilliseconds } from '../../contract/parse.ts';
import type { HomeDeps } from '../../home/home-deps.ts';
import { HearthError, messageOf } from '../../kernel/errors.ts';
import { BackupFolder } from '../../storage/backups/backup-folder.ts';
import { explainDiskError } from '../../storage/backups/disk-errors.ts';
import { dropStaged, openStaged, stageBackup, stagedPath } from '../../storage/backups/stage-backup.ts';
import { swapBack, swapDatabase } from '../../storage/backups/swap-database.ts';
import { DamagedDatabaseError, openDatabase } from '../../storage/database.ts';
import { setAside } from '../../storage/recovery.ts';
import { carryOver } from './carry-over-store.ts';

/** The number of undo backups to keep. */
const BEFORE_RESTORE_KEPT = 5;

/** The result of the last restore since the process started. */
export type RestoreReport = InMilliseconds<LastRestore, 'finishedAt'>;

/** The interface for the backup operations. */
export interface RestorePort {
  readonly last: RestoreReport | null;
  readonly isUnderWay: boolean;
  /** Copies the backup and checks the copy. Changes nothing yet. @throws `UnsealError` · `conflict` */
  stage(path: string, password: string | null): Promise<void>;
  /**
   * Begins the restart with the staged backup, after the caller has the response. @returns the name of the undo backup
   */
  begin(backup: string): string;
}

interface RestorerDeps extends HomeDeps<'clock' | 'logger'> {
  /** The path of the database in use. */
  readonly path: string;
  /** Stops and starts everything but the lock that keeps other daemons out. */
  stopParts(): Promise<void>;
  startParts(): Promise<void>;
}

export class Restorer implements RestorePort {
  readonly #deps: RestorerDeps;
  readonly #folder: BackupFolder;
  /**
   * Resolves with the error if neither the restored database nor the former one starts: the relay then serves nothing.
   */
  readonly lost: Promise<unknown>;
  #reportLost: (error: unknown) => void = () => {};
  #last: RestoreReport | null = null;
  #underWay: Promise<void> | undefined;

  constructor(deps: RestorerDeps) {
    this.#deps = deps;
    this.#folder = new BackupFolder(deps.path);
    this.lost = new Promise((resolve) => {
      this.#reportLost = resolve;
    });
  }

  /** Deletes unfinished files of an earlier process. */
  sweep(): void {
    this.#folder.sweep();
    dropStaged(this.#deps.path);
  }

  get last(): RestoreReport | null {
    return this.#last;
  }

  get isUnderWay(): boolean {
    return this.#underWay !== undefined;
  }

  async stage(path: string, password: string | null): Promise<void> {
    await stageBackup(this.#deps.path, path, password);
  }

  begin(backup: string): string {
    const { clock, logger } = this.#deps;
    const undo = this.#folder.nextName('before-restore', clock.now());
    // This turn of the event loop writes the response; the listener sends it before it stops.
    this.#underWay = new Promise<void>((resolve) => setImmediate(resolve))
      .then(() => this.#restart(backup, undo))
      .catch((error: unknown) => {
        logger.error({ backup, error: messageOf(error) }, 'The relay does not start after the restore');
        this.#reportLost(error);
      })
      .finally(() => {
        this.#underWay = undefined;
      });
    return undo;
  }

  /** Resolves when no restart is in progress. */
  async settled(): Promise<void> {
    await this.#underWay;
  }

  async #restart(backup: string, undo: string): Promise<void> {
    const { path, logger, stopParts, startParts } = this.#deps;
    logger.info({ backup }, 'Restoring a backup: hearthd restarts');
    await stopParts();
    const fault = this.#exchange(undo);
    if (fault !== undefined) {
      this.#report({ backup, error: fault, undo: null });
      return startParts();
    }
    try {
      await startParts();
      this.#report({ backup, error: null, undo });
      this.#folder.prune('before-restore', BEFORE_RESTORE_KEPT);
    } catch (error) {
      await stopParts();
      // If a port is in use, the former one does not start either; the next start continues with the restored one.
      if (!isOfDatabase(error)) throw error;
      swapBack(path, `${this.#folder.path}/${undo}`, stagedPath(path));
      this.#report({ backup, error: messageOf(error), undo: null });
      await startParts();
    }
  }

  /** @returns the error; nothing is changed then. */
  #exchange(undo: string): string | undefined {
    const { path, clock } = this.#deps;
    try {
      exchangeStaged(path, this.#folder, { undo, at: clock.now() });
      return undefined;
    } catch (error) {
      return messageOf(explainDiskError(error));
    }
  }

  #report({ backup, error, undo }: Pick<RestoreReport, 'backup' | 'error' | 'undo'>): void {
    const { clock, logger } = this.#deps;
    this.#last = { backup, error, undo, finishedAt: clock.now(), outcome: error === null ? 'restored' : 'failed' };
    if (error === null) logger.info({ backup, undo }, 'Restored the backup and kept a copy of the previous data');
    else logger.error({ backup, error }, 'Could not restore the backup: nothing changed');
  }
}

/**
 * Replaces the database, which no process has open, with the staged one, and carries over what stays.
 * @param undo the name of the backup of the replaced one.
 * @throws then nothing is changed, or all of it
 */
export function exchangeStaged(path: string, folder: BackupFolder, { undo, at }: { undo: string; at: number }): void {
  try {
    const hasFormer = bringUpToDate(path, at);
    const database = openStaged(path);
    try {
      carryOver(database, hasFormer ? path : null);
    } finally {
      database.close();
    }
    folder.create();
    swapDatabase(path, stagedPath(path), `${folder.path}/${undo}`);
  } finally {
    dropStaged(path);
  }
}

/**
 * Migrates the replaced database, since the carry-over reads this version's schema. @returns whether it exists: a
 * damaged one is set aside.
 */
function bringUpToDate(path: string, at: number): boolean {
  try {
    openDatabase(path).close();
    return true;
  } catch (error) {
    if (!(error instanceof DamagedDatabaseError)) throw error;
    setAside(path, at);
    return false;
  }
}

function isOfDatabase(error: unknown): boolean {
  const { code } = (error instanceof HearthError ? error.cause : error) as { code?: unknown } & object;
  return code !== 'EADDRINUSE';
}
