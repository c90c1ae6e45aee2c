/**
 * The schema of a database as text, and the expected text from our migrations. SQLite builds its tables from the text
 * in `sqlite_schema`, so two databases with the same text have the same columns, types, defaults, keys, checks, indexes
 * and triggers.
 */
import type { Database } from '../database.ts';
import { listMigrations } from '../migrate.ts';
import { openSqlite } from '../sqlite.ts';

interface SchemaRow {
  readonly type: string;
  readonly name: string;
  readonly tbl_name: string;
  readonly sql: string | null;
}

/** Tables that SQLite creates itself. They come and go, and their columns are fixed. */
const INTERNAL_TABLES = /^sqlite_(sequence|stat[134])$/;
const INTERNAL_INDEXES = /^sqlite_autoindex_/;
/** Matches comments and blanks outside of quotes; quoted text stays unchanged. */
const SQL_TOKENS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\/|\s+/g;

/** One line for each table, index, trigger and view: its kind, its name and its SQL. */
export function schemaText(database: Database): readonly string[] {
  return database
    .prepare<[], SchemaRow>('SELECT type, name, tbl_name, sql FROM sqlite_schema')
    .all()
    .filter((row) => !isInternal(row))
    .map(({ type, name, tbl_name, sql }) => `${type} ${name} ${tbl_name} ${normalize(sql ?? '')}`)
    .sort();
}

const expected = new Map<number, readonly string[]>();

/** The schema after the migrations up to a version, as `schemaText`. */
export function expectedSchema(version: number): readonly string[] {
  const known = expected.get(version);
  if (known) return known;
  const database = openSqlite(':memory:');
  try {
    for (const migration of listMigrations()) if (migration.version <= version) database.exec(migration.sql);
    const lines = schemaText(database);
    expected.set(version, lines);
    return lines;
  } finally {
    database.close();
  }
}

/** The table names of a schema. */
export function tableNames(schema: readonly string[]): ReadonlySet<string> {
  return new Set(schema.flatMap((line) => /^table (\S+)/.exec(line)?.[1] ?? []));
}

function isInternal({ type, name, sql }: SchemaRow): boolean {
  return (type === 'table' && INTERNAL_TABLES.test(name)) || (type === 'index' && INTERNAL_INDEXES.test(name) && !sql);
}

/** Comments and line breaks in a migration do not change a table. */
function normalize(sql: string): string {
  return sql
    .replaceAll(SQL_TOKENS, (token) => (/^(--|\/\*|\s)/.test(token) ? ' ' : token))
    .replaceAll(/ +/g, ' ')
    .replaceAll(/ ?([(),]) ?/g, '$1')
    .trim();
}
