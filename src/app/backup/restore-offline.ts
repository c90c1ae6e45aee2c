/**
 * Restores a backup while no daemon runs: the same checks and the same exchange as in the daemon, under the lock of its
 * directory.
 */
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import { BackupFolder } from '../../storage/backups/backup-folder.ts';
import { isSealedFile, UnsealError } from '../../storage/backups/sealed-file.ts';
import { stageBackup } from '../../storage/backups/stage-backup.ts';
import { openDataDirectory, RELAY_DATABASE } from '../../storage/data-directory.ts';
import { exchangeStaged } from './restorer.ts';

interface OfflineRestore {
  readonly dataDir: string;
  /** The name of a backup in the directory, or a path. */
  readonly backup: string;
  /** Called if the backup is encrypted. */
  readonly password: () => Promise<string>;
  readonly clock: Clock;
}

/**
 * Replaces the database with a backup. For every user with write access to the directory.
 * @returns the name of the backup of the former state.
 * @throws `not_found` · `conflict` a daemon runs, the directory can't be used, or the backup is not sound ·
 *         `invalid_value` the password
 */
export async function restoreOffline({ dataDir, backup, password, clock }: OfflineRestore): Promise<string> {
  const directory = openDataDirectory(dataDir);
  try {
    const path = directory.file(RELAY_DATABASE);
    const folder = new BackupFolder(path);
    const file = folder.locate(backup);
    if (file === undefined) throw new HearthError('not_found', `No backup or file "${backup}".`);
    const secret = isSealedFile(file) ? await password() : null;
    await stageBackup(path, file, secret);
    const undo = folder.nextName('before-restore', clock.now());
    exchangeStaged(path, folder, { undo, at: clock.now() });
    return undo;
  } catch (error) {
    if (error instanceof UnsealError) throw new HearthError('invalid_value', error.message, { field: 'password' });
    throw error;
  } finally {
    directory.close();
  }
}
