import { statSync } from 'node:fs';
import type { Database } from './sqlite.ts';

/** Bytes on the disk: the file and its write-ahead log. An in-memory database has only the first. */
export interface DatabaseSize {
  readonly file: number;
  readonly log: number;
}

/** The size of a database. Never throws: a missing file has size 0. */
export function sizeOf(database: Database): DatabaseSize {
  if (!database.memory) return { file: bytesOf(database.name), log: bytesOf(`${database.name}-wal`) };
  const pages = Number(database.pragma('page_count', { simple: true }));
  return { file: pages * Number(database.pragma('page_size', { simple: true })), log: 0 };
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
