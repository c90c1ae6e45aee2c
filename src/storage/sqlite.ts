/**
 * The only access to the SQLite library. It ensures that none of the library's objects is ever garbage collected.
 *
 * better-sqlite3 12 derives its objects from node::ObjectWrap. From Node 24.19 on that ends the whole process
 * ("Assertion failed: (env) != nullptr") if such an object is collected while no JavaScript runs. The library's next
 * major version fixes this but does not run on Node 20. Therefore each statement is prepared once per database and
 * kept, which is also faster. Closed databases are kept as well: there is one per day, for the check of the daily copy.
 */
import BetterSqlite3 from 'better-sqlite3';

export type Database = BetterSqlite3.Database;
export type Statement = BetterSqlite3.Statement;
export type Transaction<F extends (...parameters: never[]) => unknown> = BetterSqlite3.Transaction<F>;

export const SqliteError = BetterSqlite3.SqliteError;

const keptForEver: unknown[] = [];

/**
 * Opens a database. Statements are shared: the same SQL returns the same statement. Do not change a statement's result
 * mode (`pluck`, `raw`, `expand`), and do not iterate it while it is used elsewhere. Do not use `backup`, because its
 * objects cannot be kept; `VACUUM INTO` does the same.
 * @param source a file, `:memory:`, or the result of `serialize`, which is copied into memory.
 * @throws the library's errors
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
 * `get` stops at the first row: for `INSERT … RETURNING` that is before the commit, and the library ignores errors
 * after it. On a full disk a failed statement would return a row as if it had been saved.
 */
function finishWhenRead(statement: BetterSqlite3.Statement): void {
  statement.get = (...parameters) => statement.all(...parameters)[0];
}
