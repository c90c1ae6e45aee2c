/**
 * Converts SQLite errors of a failing disk at run time: full, read-only, failing, held by another program. They become
 * `storage_unavailable` with a readable sentence. Every other error is our own bug and stays unchanged.
 */
import { HearthError } from '../kernel/errors.ts';
import type { Database, Statement, Transaction } from './sqlite.ts';

/** SQLite's primary result code → the message. https://www.sqlite.org/rescode.html */
const SENTENCES: readonly (readonly [code: string, sentence: string])[] = [
  ['SQLITE_FULL', 'The disk is full: nothing can be saved until there is room on it. Reading and control go on.'],
  [
    'SQLITE_READONLY',
    'The disk is read-only: nothing can be saved until it is writable again. If it became read-only by itself, it is failing.',
  ],
  ['SQLITE_IOERR', 'The disk does not work: nothing can be saved. See the system’s log (dmesg).'],
  ['SQLITE_CANTOPEN', 'The data directory can’t be used any more: nothing can be saved. Run hearthd doctor.'],
  ['SQLITE_BUSY', 'Another program holds the database, such as a backup tool: nothing can be saved until it is done.'],
  ['SQLITE_CORRUPT', 'The database is damaged: restart hearthd, which puts the last copy of it in its place.'],
  ['SQLITE_NOTADB', 'The database is damaged: restart hearthd, which puts the last copy of it in its place.'],
];

type Work = (...parameters: never[]) => unknown;

const TRANSACTION_KINDS = ['default', 'deferred', 'immediate', 'exclusive'] as const;

/**
 * Makes the statements and transactions of a database throw `storage_unavailable` for disk errors.
 * @param damaged called before the throw if the error is damage.
 */
export function explainDiskFailures(database: Database, damaged?: () => void): Database {
  const explained = new WeakSet<object>();
  const explaining = <T extends Work>(act: T): T =>
    ((...parameters: Parameters<T>) => {
      try {
        return act(...parameters);
      } catch (error) {
        if (damaged && isDamage(error)) damaged();
        throw explain(error);
      }
    }) as T;
  const prepare = database.prepare.bind(database) as (sql: string) => Statement;
  database.prepare = ((sql: string) => {
    const statement = prepare(sql);
    if (explained.has(statement)) return statement;
    explained.add(statement);
    statement.run = explaining(statement.run.bind(statement));
    statement.get = explaining(statement.get.bind(statement));
    statement.all = explaining(statement.all.bind(statement));
    return statement;
  }) as typeof database.prepare;
  // The library commits internally.
  const transaction = database.transaction.bind(database) as (work: Work) => Transaction<Work>;
  database.transaction = ((work: Work) => {
    const made = transaction(work);
    const kinds = TRANSACTION_KINDS.map((kind) => [kind, { value: explaining(made[kind]) }]);
    return Object.defineProperties(explaining<Work>(made), Object.fromEntries(kinds));
  }) as typeof database.transaction;
  return database;
}

/** Whether SQLite reports that the file is not a database, or is damaged. */
export function isDamage(error: unknown): boolean {
  const { code = '' } = error as { code?: unknown };
  return typeof code === 'string' && (code.startsWith('SQLITE_NOTADB') || code.startsWith('SQLITE_CORRUPT'));
}

function explain(error: unknown): unknown {
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string') return error;
  const [, sentence] = SENTENCES.find(([prefix]) => code.startsWith(prefix)) ?? [];
  return sentence === undefined ? error : new HearthError('storage_unavailable', sentence, {}, { cause: error });
}
