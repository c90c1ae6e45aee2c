/** SQLite keeps the latest writes in a log beside the database. A copy of the database without its log lacks them. */
import { statSync } from 'node:fs';

/** Suffixes of the files that SQLite may leave beside a database. */
export const COMPANION_SUFFIXES = ['-wal', '-shm', '-journal'] as const;

/** Whether a non-empty log exists beside a database. Reading a database leaves at most an empty one. */
export function hasLogBeside(path: string): boolean {
  return ['-wal', '-journal'].some((suffix) => (statSync(path + suffix, { throwIfNoEntry: false })?.size ?? 0) > 0);
}
