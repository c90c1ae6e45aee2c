/**
 * Ways in which a good backup can be altered outside of hearthd. `BREAKING` breaks a rule of its schema or of its rows;
 * `nonsenseOf` keeps all rules and puts values that no operation makes into every column of a table.
 */
import { chmodSync, copyFileSync, existsSync, renameSync } from 'node:fs';
import { type Database, openSqlite } from '../../src/storage/sqlite.ts';

export interface Alteration {
  readonly name: string;
  readonly fault: 'altered' | 'damaged' | 'foreign' | 'newer';
  readonly alter: (database: Database) => void;
}

const sql =
  (text: string) =>
  (database: Database): void =>
    void database.exec(text);

/** Edits the text that SQLite builds an object from, which no statement would allow. */
function rewrite(name: string, from: string | RegExp, to: string) {
  return (database: Database): void => {
    const { sql: text } = database.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').get(name) as { sql: string };
    const changed = text.replace(from, to);
    if (changed === text) throw new Error(`${name} has no ${from}`);
    database.unsafeMode(true);
    database.exec('PRAGMA writable_schema = ON');
    database.prepare('UPDATE sqlite_schema SET sql = ? WHERE name = ?').run(changed, name);
    database.exec('PRAGMA writable_schema = RESET');
    database.unsafeMode(false);
  };
}

/** Rebuilds a table with other words in its definition; its rows come along. */
function remake(name: string, from: string | RegExp, to: string) {
  return (database: Database): void => {
    const { sql: text } = database.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').get(name) as { sql: string };
    const changed = text.replace(from, to);
    if (changed === text) throw new Error(`${name} has no ${from}`);
    database.exec(`PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON; ALTER TABLE ${name} RENAME TO former`);
    database.exec(`${changed}; INSERT INTO ${name} SELECT * FROM former; DROP TABLE former`);
  };
}

/** A row that the table's definition forbids: written while the definition allows more. */
function smuggle(name: string, from: string | RegExp, to: string, statement: string) {
  return (database: Database): void => {
    const { sql: text } = database.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').get(name) as { sql: string };
    rewrite(name, from, to)(database);
    database.exec(`PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; ${statement}`);
    rewrite(name, /^[\s\S]*$/, text.replaceAll('$', '$$$$'))(database);
  };
}

/** The same content in a database of another text encoding. */
function inUtf16(database: Database): void {
  const other = openSqlite(`${database.name}.utf16`);
  other.exec("PRAGMA encoding = 'UTF-16le'; PRAGMA foreign_keys = OFF");
  const objects = database
    .prepare<[], { sql: string }>(
      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*' ORDER BY rowid",
    )
    .all();
  for (const { sql: text } of objects) other.exec(text);
  other.pragma(`user_version = ${database.pragma('user_version', { simple: true })}`);
  other.close();
}

export const BREAKING: readonly Alteration[] = [
  ...(
    [
      ['a column dropped', sql('ALTER TABLE homes DROP COLUMN paused')],
      ['a column renamed', sql('ALTER TABLE rooms RENAME COLUMN created_at TO made_at')],
      ['a column added', sql('ALTER TABLE rooms ADD COLUMN colour TEXT')],
      ['a column that is computed', sql('ALTER TABLE rooms ADD COLUMN twice TEXT AS (name || name)')],
      ['the settings with other columns', sql('DROP TABLE settings; CREATE TABLE settings (id TEXT, content BLOB)')],
      ['another type', rewrite('people', 'latitude    REAL', 'latitude TEXT')],
      ['no NOT NULL', rewrite('rooms', 'name_key   TEXT NOT NULL', 'name_key TEXT')],
      ['another default', rewrite('homes', "DEFAULT 'edit'", "DEFAULT 'view'")],
      ['no CHECK', rewrite('home_members', /CHECK \(role IN [^)]*\)\)/, '')],
      ['no STRICT', rewrite('homes', ') STRICT', ')')],
      ['a table with a rowid', remake('settings', 'STRICT, WITHOUT ROWID', 'STRICT')],
      [
        'columns in another order',
        sql(`DROP TABLE manual_devices;
        CREATE TABLE manual_devices (added_at INTEGER NOT NULL, host_port TEXT PRIMARY KEY) STRICT, WITHOUT ROWID`),
      ],
      ['no primary key', remake('collections', 'TEXT PRIMARY KEY', 'TEXT')],
      [
        'a primary key in another order',
        remake('home_members', 'PRIMARY KEY (home_id, user_id)', 'PRIMARY KEY (user_id, home_id)'),
      ],
      ['a foreign key to another table', rewrite('rooms', 'REFERENCES homes (id)', 'REFERENCES zones (id)')],
      ['a foreign key that deletes nothing', rewrite('rooms', ' ON DELETE CASCADE', '')],
      ['no UNIQUE', remake('zones', ',\n  UNIQUE (home_id, name_key)', '')],
      ['an index dropped', sql('DROP INDEX accessories_by_home')],
      [
        'an index on other columns',
        sql('DROP INDEX sessions_by_user; CREATE INDEX sessions_by_user ON sessions (created_at)'),
      ],
      [
        'a unique index that is not',
        sql('DROP INDEX rooms_one_default; CREATE INDEX rooms_one_default ON rooms (home_id) WHERE is_default = 1'),
      ],
      ['an extra index', sql('CREATE UNIQUE INDEX one_home_each ON homes (privileges)')],
      ['a table dropped', sql('DROP TABLE webhook_queue')],
      ['a table renamed', sql('ALTER TABLE mqtt_homes RENAME TO mqtt_houses')],
      ['an extra table', sql('CREATE TABLE notes (text TEXT)')],
      ['an extra virtual table', sql('CREATE VIRTUAL TABLE search USING fts5(text)')],
      ['an extra view', sql('CREATE VIEW secrets AS SELECT * FROM signing_keys')],
      ['a view in the place of a table', sql('DROP TABLE people; CREATE VIEW people AS SELECT * FROM users')],
      ['a trigger that deletes', sql('CREATE TRIGGER spy AFTER INSERT ON settings BEGIN DELETE FROM homes; END')],
      [
        'a trigger with the name of an internal table',
        (database: Database) => {
          sql('CREATE TRIGGER spy AFTER INSERT ON settings BEGIN DELETE FROM homes; END')(database);
          database.unsafeMode(true);
          database.exec(`PRAGMA writable_schema = ON;
          UPDATE sqlite_schema SET name = 'sqlite_stat1', sql = replace(sql, 'spy', 'sqlite_stat1') WHERE name = 'spy';
          PRAGMA writable_schema = RESET`);
          database.unsafeMode(false);
        },
      ],
      ['a trigger dropped', sql('DROP TRIGGER share_epoch_rises')],
      ['a trigger changed', rewrite('share_epoch_rises', 'epoch + 1', 'epoch - 1')],
      ['another encoding', inUtf16],
      ['the number of an older schema', sql('PRAGMA user_version = 3')],
    ] as const
  ).map(([name, alter]) => ({ name, fault: 'altered' as const, alter })),
  { name: 'the number of a later schema', fault: 'newer', alter: sql('PRAGMA user_version = 99') },
  { name: 'no number of a schema', fault: 'foreign', alter: sql('PRAGMA user_version = 0') },
  { name: 'a number of a schema below none', fault: 'foreign', alter: sql('PRAGMA user_version = -1') },
  { name: 'no homes table', fault: 'foreign', alter: sql('PRAGMA foreign_keys = OFF; DROP TABLE homes') },
  ...(
    [
      ['a text where a number belongs', smuggle('homes', ' STRICT', '', "UPDATE homes SET created_at = 'yesterday'")],
      ['a number where a text belongs', smuggle('rooms', ' STRICT', '', "UPDATE rooms SET name = x'00ff'")],
      [
        'nothing where something must be',
        smuggle('rooms', 'created_at INTEGER NOT NULL', 'created_at INTEGER', 'UPDATE rooms SET created_at = NULL'),
      ],
      [
        'a role that does not exist',
        smuggle('home_members', /CHECK \(role IN [^)]*\)\)/, '', "UPDATE home_members SET role = 'king'"),
      ],
      [
        'a room of no home',
        sql("PRAGMA foreign_keys = OFF; INSERT INTO rooms VALUES ('r', 'gone', 'Attic', 'attic', 0, 1, NULL)"),
      ],
      [
        'a member without an account',
        sql("PRAGMA foreign_keys = OFF; INSERT INTO home_members SELECT id, 'gone', 'view', 1 FROM homes"),
      ],
      ['a pairing of no home', sql("PRAGMA foreign_keys = OFF; UPDATE pairings SET home_id = 'gone'")],
    ] as const
  ).map(([name, alter]) => ({ name, fault: 'damaged' as const, alter })),
];

/** Writes a copy of a backup that is altered. */
export function alterCopy(backup: string, to: string, alter: (database: Database) => void): void {
  copyFileSync(backup, to);
  chmodSync(to, 0o600);
  const database = openSqlite(to);
  try {
    database.pragma('journal_mode = DELETE');
    alter(database);
  } finally {
    database.close();
  }
  if (existsSync(`${to}.utf16`)) renameSync(`${to}.utf16`, to);
}

/** Values that a type allows and no operation makes. */
const NONSENSE: Readonly<Record<string, readonly (string | number | Buffer)[]>> = {
  TEXT: [
    '',
    'nonsense',
    'null',
    '[]',
    '{}',
    '[null]',
    '{"a":[1,{"b":null}]}',
    '-1',
    '"x"',
    '\u202e\u0000\ud83d',
    'x'.repeat(100_000),
  ],
  INTEGER: [-1, 0, 2 ** 31, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER],
  REAL: [-1e300, 1e300, 0, 1e-300],
  BLOB: [Buffer.alloc(0), Buffer.alloc(5, 0xff)],
};

interface Column {
  readonly name: string;
  readonly type: string;
  readonly pk: number;
  readonly notnull: number;
}

/** One alteration for each kind of nonsense, each of which puts it into every column of the table that takes it. */
export function nonsenseOf(
  database: Database,
  table: string,
): readonly { readonly name: string; readonly alter: (database: Database) => void }[] {
  const columns = database.prepare<[], Column>(`PRAGMA table_info(${table})`).all();
  const rounds = Math.max(...columns.map(({ type }) => NONSENSE[type]?.length ?? 0));
  const nonsense = Array.from({ length: rounds }, (_, round) => ({
    name: `${table} with nonsense ${round + 1}`,
    alter: (altered: Database) => {
      altered.exec('PRAGMA foreign_keys = ON');
      for (const { name, type } of columns) {
        const values = NONSENSE[type] ?? [];
        tryUpdate(altered, table, name, values[round % values.length] ?? null);
      }
    },
  }));
  const nothing = {
    name: `${table} with nothing where that may be`,
    alter: (altered: Database) => {
      for (const { name, notnull, pk } of columns) if (!notnull && !pk) tryUpdate(altered, table, name, null);
    },
  };
  const empty = {
    name: `${table} without rows`,
    alter: (altered: Database) => {
      altered.exec('PRAGMA foreign_keys = ON');
      tryTo(altered, `DELETE FROM ${table}`);
    },
  };
  return [...nonsense, nothing, empty];
}

function tryUpdate(database: Database, table: string, column: string, value: unknown): void {
  tryTo(database, `UPDATE OR IGNORE ${table} SET ${column} = ?`, value);
}

/** Where the rules of the table forbid it, all stays as it is. */
function tryTo(database: Database, statement: string, ...values: unknown[]): void {
  try {
    database.prepare(statement).run(...values);
  } catch (error) {
    if (!/constraint/i.test(String(error))) throw error;
  }
}
