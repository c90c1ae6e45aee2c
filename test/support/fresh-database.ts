/**
 * A new database in memory, as `openDatabase(':memory:')` makes it, whose schema is made once in a process and then
 * copied.
 */
import { type Database, openDatabase } from '../../src/storage/database.ts';
import { listMigrations, type Migration } from '../../src/storage/migrate.ts';

let first: { readonly image: Buffer; readonly migrations: readonly Migration[] } | undefined;

/** @param image what `serialize` made of such a database, to open the same again */
export function openFreshDatabase(image?: Buffer): Database {
  first ??= makeFirst();
  return openDatabase(image ?? first.image, first.migrations);
}

function makeFirst() {
  const migrations = listMigrations();
  const database = openDatabase(':memory:', migrations);
  const image = database.serialize();
  database.close();
  return { image, migrations };
}
