/**
 * The restart into a backup, inside the process: everything stops but the lock on the data directory, the files are exchanged, and
 * everything starts again. If the house does not start with the restored database, the former one comes back by itself. It outlives
 * the house that it restarts, and knows of its parts only how to stop and start them.
 */

import type { Clock } from '../../kernel/clock.ts';
import { HearthError, messageOf } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import { BackupFolder } from '../../storage/backups/backup-folder.ts';
import { explainDiskError } from '../../storage/backups/disk-errors.ts';
import { dropStaged, openStaged, stageBackup, stagedPath } from '../../storage/backups/stage-backup.ts';
import { swapBack, swapDatabase } from '../../storage/backups/swap-database.ts';
import { DamagedDatabaseError, openDatabase } from '../../storage/database.ts';
import { setAside } from '../../storage/recovery.ts';
import { carryOver } from './carry-over-store.ts';

/** As many undos are kept. */
const BEFORE_RESTORE_KEPT = 5;

/** How the last restore went, since the process began. */
export interface RestoreReport {
  /** The name of the backup. */
  readonly backup: string;
  readonly finishedAt: number;
  readonly outcome: 'restored' | 'failed';
  /** Why it failed, as a sentence. The house is then as it was. */
  readonly error: string | null;
  /** The backup that holds the house as it was; `null` if it failed. */
  readonly undo: string | null;
}

/** What the operations need of it. */
export interface RestorePort {
  readonly last: RestoreReport | null;
  readonly isUnderWay: boolean;
  /** Copies the backup and checks the copy. Nothing is changed yet. @throws `UnsealError` · `conflict` */
  stage(path: string, password: string | null): Promise<void>;
  /** Begins the restart with what was staged, once whoever asked has the answer. @returns the name of the undo */
  begin(backup: string): string;
}

interface RestorerParts {
  /** Of the database in use. */
  readonly path: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Stops and starts all but what keeps other daemons out. */
  stopHouse(): Promise<void>;
  startHouse(): Promise<void>;
}

export class Restorer implements RestorePort {
  readonly #parts: RestorerParts;
  readonly #folder: BackupFolder;
  /** Resolves with the reason if neither the restored database nor the former one starts: nothing is served any more. */
  readonly lost: Promise<unknown>;
  #tellLost: (error: unknown) => void = () => {};
  #last: RestoreReport | null = null;
  #underWay: Promise<void> | undefined;

  constructor(parts: RestorerParts) {
    this.#parts = parts;
    this.#folder = new BackupFolder(parts.path);
    this.lost = new Promise((resolve) => {
      this.#tellLost = resolve;
    });
  }

  /** Removes what an earlier process left half done. */
  sweep(): void {
    this.#folder.sweep();
    dropStaged(this.#parts.path);
  }

  get last(): RestoreReport | null {
    return this.#last;
  }

  get isUnderWay(): boolean {
    return this.#underWay !== undefined;
  }

  async stage(path: string, password: string | null): Promise<void> {
    await stageBackup(this.#parts.path, path, password);
  }

  begin(backup: string): string {
    const { clock, logger } = this.#parts;
    const undo = this.#folder.nextName('before-restore', clock.now());
    // The answer to whoever asked is written in this turn of the event loop; the listener lets it out before it stops.
    this.#underWay = new Promise<void>((resolve) => setImmediate(resolve))
      .then(() => this.#restart(backup, undo))
      .catch((error: unknown) => {
        logger.error({ backup, error: messageOf(error) }, 'The house does not start any more after a restore');
        this.#tellLost(error);
      })
      .finally(() => {
        this.#underWay = undefined;
      });
    return undo;
  }

  /** Resolves when no restart is under way. */
  async settled(): Promise<void> {
    await this.#underWay;
  }

  async #restart(backup: string, undo: string): Promise<void> {
    const { path, logger, stopHouse, startHouse } = this.#parts;
    logger.info({ backup }, 'A backup is restored: hearthd restarts');
    await stopHouse();
    const fault = this.#exchange(undo);
    if (fault !== undefined) {
      this.#report({ backup, error: fault, undo: null });
      return startHouse();
    }
    try {
      await startHouse();
      this.#report({ backup, error: null, undo });
      this.#folder.prune('before-restore', BEFORE_RESTORE_KEPT);
    } catch (error) {
      await stopHouse();
      // With a port that is taken the former one does not start either; the next start goes on with the restored one.
      if (!isOfDatabase(error)) throw error;
      swapBack(path, `${this.#folder.path}/${undo}`, stagedPath(path));
      this.#report({ backup, error: messageOf(error), undo: null });
      await startHouse();
    }
  }

  /** @returns why it was not done; nothing is changed then. */
  #exchange(undo: string): string | undefined {
    const { path, clock } = this.#parts;
    try {
      exchangeStaged(path, this.#folder, { undo, at: clock.now() });
      return undefined;
    } catch (error) {
      return messageOf(explainDiskError(error));
    }
  }

  #report({ backup, error, undo }: Pick<RestoreReport, 'backup' | 'error' | 'undo'>): void {
    const { clock, logger } = this.#parts;
    this.#last = { backup, error, undo, finishedAt: clock.now(), outcome: error === null ? 'restored' : 'failed' };
    if (error === null) logger.info({ backup, undo }, 'The backup is restored. The undo is kept beside it');
    else logger.error({ backup, error }, 'The backup could not be restored: the house is as it was');
  }
}

/**
 * Puts what was staged in the place of the database, which nobody has open, with what stays of that one.
 * @param undo the name under which the replaced one is kept. @throws then nothing is changed, or all of it
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

/** What stays is read from one of this version's schema. @returns whether there is one: a damaged one is set aside. */
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
