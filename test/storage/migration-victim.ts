/**
 * Runs the real migrations on the database named by its first argument and dies by SIGKILL after as many statements as
 * the second one sets. Run by migrate.test.ts.
 */

import { listMigrations, migrate } from '../../src/storage/migrate.ts';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { splitStatements } from './statements.ts';

const [path = '', deadly = '0'] = process.argv.slice(2);
const database = openSqlite(path);
database.pragma('journal_mode = WAL');
database.function('die', () => {
  process.kill(process.pid, 'SIGKILL');
  return null;
});
let count = 0;
const migrations = listMigrations().map(({ version, sql }) => ({
  version,
  sql: splitStatements(sql)
    .map((statement) => (++count === Number(deadly) ? `${statement}\nSELECT die();` : statement))
    .join('\n'),
}));
migrate(database, path, migrations);
database.close();
