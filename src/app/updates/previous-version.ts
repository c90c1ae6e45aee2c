import type { Database } from '../../storage/database.ts';

const RUNNING = 'program.version';
const PREVIOUS = 'program.previous_version';
/** What is stored is shown: a damaged row must not be. */
const VERSION = /^\d{1,6}\.\d{1,6}\.\d{1,6}(?:-[\w.-]{1,40})?$/;

/**
 * Stores which version runs on this database from now on.
 * @returns the version that ran before it; `null` if there was none. An error of the disk does not end the start: the
 * next one stores it.
 */
export function notePreviousVersion(database: Database, version: string): string | null {
  const running = settingOf(database, RUNNING);
  const previous = running === undefined || running === version ? settingOf(database, PREVIOUS) : running;
  if (running !== version) trySave(database, version, previous);
  return previous !== undefined && previous !== version && VERSION.test(previous) ? previous : null;
}

function settingOf(database: Database, key: string): string | undefined {
  return database.prepare<[string], { value: string }>('SELECT value FROM settings WHERE key = ?').get(key)?.value;
}

function trySave(database: Database, version: string, previous: string | undefined): void {
  const save = database.prepare('INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)');
  try {
    database.transaction(() => {
      save.run(RUNNING, version);
      if (previous !== undefined) save.run(PREVIOUS, previous);
    })();
  } catch {
    // The start goes on.
  }
}
