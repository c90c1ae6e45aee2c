/**
 * The one door to SQLite's library, which makes sure that nothing of it is ever garbage collected.
 *
 * better-sqlite3 12 derives its objects from node::ObjectWrap, and from Node 24.19 on that ends the whole process ("Assertion
 * failed: (env) != nullptr") when one of them is collected while no JavaScript runs. Its next major version is free of this but does
 * not run on Node 20. So each statement is prepared once per database and kept, which is also quicker, and closed databases are
 * kept as well: there is one a day, for the check of the daily copy.
 */
import BetterSqlite3 from 'better-sqlite3';

export type Database = BetterSqlite3.Database;
export type Statement = BetterSqlite3.Statement;
export type Transaction<F extends (...parameters: never[]) => unknown> = BetterSqlite3.Transaction<F>;

export const SqliteError = BetterSqlite3.SqliteError;

const keptForEver: unknown[] = [];

/**
 * Opens a database. Statements are shared: the same SQL gives the same statement, so none may be switched to another way of
 * answering (`pluck`, `raw`, `expand`), and none may be iterated while it is used elsewhere. `backup` is not to be used: its
 * objects can't be kept; `VACUUM INTO` does the same.
 * @param source a file, `:memory:`, or what `serialize` gave of a database, which is copied into memory.
 * @throws what the library throws
 */
export function openSqlite(source: string | Buffer, options: BetterSqlite3.Options = {}): Database {
  const database = new BetterSqlite3(source, options);
  const statements = new Map<string, BetterSqlite3.Statement>();
  keptForEver.push(database, statements);
  const prepare = database.prepare.bind(database);
  const prepareOnce = (sql: string): BetterSqlite3.Statement => {
    const known = statements.get(sql);
    if (known) return known;
    const statement = prepare(sql) as BetterSqlite3.Statement;
    if (statement.reader && !statement.readonly) finishWhenRead(statement);
    statements.set(sql, statement);
    return statement;
  };
  database.prepare = prepareOnce as typeof database.prepare;
  database.pragma = (source, pragmaOptions) => {
    const statement = prepareOnce(`PRAGMA ${source}`);
    if (!statement.reader) return statement.run();
    const rows = statement.all() as readonly Record<string, unknown>[];
    return pragmaOptions?.simple ? Object.values(rows[0] ?? {})[0] : rows;
  };
  return database;
}

/**
 * `get` stops at the first row: for `INSERT … RETURNING` that is before the change is committed, and the library passes over what
 * goes wrong then. On a full disk the row of a statement that failed would be taken for one that is there.
 */
function finishWhenRead(statement: BetterSqlite3.Statement): void {
  statement.get = (...parameters) => statement.all(...parameters)[0];
}
