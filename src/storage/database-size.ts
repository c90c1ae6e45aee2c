import { statSync } from 'node:fs';
import type { Database } from './sqlite.ts';

/** Bytes on the disk: of the file, and of its write-ahead log. In memory there is only the first. */
export interface DatabaseSize {
  readonly file: number;
  readonly log: number;
}

/** What a database takes. Never throws: a file that is gone takes nothing. */
export function sizeOf(database: Database): DatabaseSize {
  if (!database.memory) return { file: bytesOf(database.name), log: bytesOf(`${database.name}-wal`) };
  const pages = Number(database.pragma('page_count', { simple: true }));
  return { file: pages * Number(database.pragma('page_size', { simple: true })), log: 0 };
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
