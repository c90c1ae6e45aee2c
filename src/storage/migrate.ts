import { readdirSync, readFileSync } from 'node:fs';
import { HearthError } from '../kernel/errors.ts';
import { PROGRAM_FOLDER } from '../kernel/program-folder.ts';
import type { Database } from './sqlite.ts';

export interface Migration {
  /** The schema version after this migration. */
  readonly version: number;
  readonly sql: string;
}

const FOLDER = new URL('storage/migrations/', PROGRAM_FOLDER);

/**
 * All migrations of relay.db, in order, or those of another database. The number at the start of the file name is the
 * schema version after the migration.
 * @param of the database's folder below `migrations/`.
 */
export function listMigrations(of?: 'history'): readonly Migration[] {
  const folder = of === undefined ? FOLDER : new URL(`${of}/`, FOLDER);
  return readdirSync(folder)
    .filter((file) => /^\d{4}-.*\.sql$/.test(file))
    .sort()
    .map((file) => ({ version: Number(file.slice(0, 4)), sql: readFileSync(new URL(file, folder), 'utf8') }));
}

/** The schema version of a database; 0 if it is empty. */
export function schemaOf(database: Database): number {
  return Number(database.pragma('user_version', { simple: true }));
}

export function latestSchema(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.version ?? 0;
}

/**
 * Migrates the schema to the latest version. Each migration runs in one transaction together with its version number,
 * so that an interrupted upgrade leaves either the old or the new schema. A new database gets all of them in a single
 * one: the first start waits for the disk once and not for each.
 * @throws `conflict` if a newer version wrote the database.
 */
export function migrate(database: Database, path: string, migrations = listMigrations()): void {
  const current = schemaOf(database);
  const latest = latestSchema(migrations);
  if (current > latest) {
    throw new HearthError(
      'conflict',
      `${path} was written by a newer hearthd (schema ${current}, this one knows ${latest}). Install that version again, or put the copy from before the upgrade (backups/) in its place.`,
    );
  }
  const missing = migrations.filter(({ version }) => version > current);
  const steps = current === 0 ? [missing] : missing.map((migration) => [migration]);
  for (const step of steps) database.transaction(() => step.forEach(run)).exclusive();

  function run({ version, sql }: Migration): void {
    database.exec(sql);
    database.pragma(`user_version = ${version}`);
  }
}
