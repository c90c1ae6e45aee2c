/**
 * A new database in memory, as `openDatabase(':memory:')` makes it, whose schema is made once in a process and then
 * copied.
 */
import { systemClock } from '../../src/kernel/clock.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { type Database, openDatabase } from '../../src/storage/database.ts';
import { DisposableDatabase } from '../../src/storage/disposable-database.ts';
import { listMigrations, type Migration } from '../../src/storage/migrate.ts';

let first: { readonly image: Buffer; readonly migrations: readonly Migration[] } | undefined;
let firstHistory: Buffer | undefined;

/** @param image what `serialize` made of such a database, to open the same again */
export function openFreshDatabase(image?: Buffer): Database {
  first ??= makeFirst();
  return openDatabase(image ?? first.image, first.migrations);
}

/** What a new history.db in memory holds. */
export function freshHistory(): Buffer {
  if (!firstHistory) {
    const history = new DisposableDatabase({ path: ':memory:', clock: systemClock, logger: silentLogger });
    firstHistory = history.current.serialize();
    history.stop();
  }
  return firstHistory;
}

function makeFirst() {
  const migrations = listMigrations();
  const database = openDatabase(':memory:', migrations);
  const image = database.serialize();
  database.close();
  return { image, migrations };
}
