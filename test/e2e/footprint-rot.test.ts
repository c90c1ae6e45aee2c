/**
 * Bits rot on SD cards, and SQLite has no checksums: any single field may come back as something else: the daemon
 * starts, keeps its pairings and answers.
 */
import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { startRawAccessory } from '../support/accessories/raw-accessory.ts';
import { bridgeDatabase } from '../support/accessories/sample-databases.ts';
import { E2eRelay, KNOWN_CONTROLLER, sharePairings } from '../support/e2e-relay.ts';
import { ScriptedDiscovery } from '../support/scripted-discovery.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';

/** What a few flipped bits leave of a text, a whole number and a key. Times stay times: they keep their six bytes. */
const ROTTEN: Readonly<Record<string, readonly unknown[]>> = {
  TEXT: ['\u0001rot{', ''],
  INTEGER: [-1, 2 ** 46],
  BLOB: [Buffer.alloc(32, 7)],
};

let home: TempDirectory;
let deviceId: string;

beforeAll(async () => {
  home = createTempDirectory('rot-house');
  const bridge = await startRawAccessory({
    database: bridgeDatabase(3),
    category: 2,
    mdns: false,
    paired: [KNOWN_CONTROLLER],
  });
  ({ deviceId } = bridge);
  sharePairings(home, [bridge]);
  const relay = await E2eRelay.start({ directory: home });
  await relay.untilStatus(deviceId, 'connected');
  const [{ id: homeId }] = (await relay.get('/rest/homes')).body;
  const [{ id }] = (await relay.get('/rest/accessories')).body;
  const room = await relay.post('/rest/rooms', { homeId, name: 'Attic' });
  expect((await relay.request('PATCH', `/rest/accessories/${id}`, { roomId: room.body.id, name: 'Mine' })).status).toBe(
    200,
  );
  await relay.post('/rest/tokens', { name: 'Limited', homePermissions: { [homeId]: 'control' } });
  await relay.asSystem('POST', '/rest/discovered/manual', { hostPort: '127.0.0.1:9' });
  await relay.stop();
  await bridge.stop();
  const database = openSqlite(home.file('relay.db'));
  database.exec(
    `INSERT INTO device_limits (device_id, max_ids, max_bytes, pair_method, learned_at) VALUES ('${deviceId}', 9, 900, 0, 1)`,
  );
  database.exec(`INSERT INTO wrong_setup_codes VALUES ('${deviceId}', 5)`);
  database.close();
});

afterAll(() => home.remove());

function listColumns(): readonly { table: string; column: string; type: string }[] {
  const database = openSqlite(home.file('relay.db'));
  const tables = database.pragma('table_list') as { name: string; schema: string }[];
  const columns = tables
    .filter(({ name, schema }) => schema === 'main' && !name.startsWith('sqlite_'))
    .flatMap(({ name: table }) =>
      (database.pragma(`table_info(${table})`) as { name: string; type: string }[]).map(({ name, type }) => {
        return { table, column: name, type };
      }),
    );
  database.close();
  return columns;
}

/** @returns whether the table lets such a value in: keys can't become the same. */
function rot(path: string, table: string, column: string, value: unknown): boolean {
  const database = openSqlite(path);
  database.pragma('foreign_keys = OFF');
  database.pragma('ignore_check_constraints = ON');
  try {
    const [first] = database.prepare(`SELECT ${column} AS value FROM ${table} LIMIT 1`).all() as { value: unknown }[];
    if (!first) return false;
    return (
      database.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${column} IS ?`).run(value, first.value).changes > 0
    );
  } catch {
    return false;
  } finally {
    database.close();
  }
}

it('starts, answers and knows its pairing whichever field has rotted', async () => {
  const wrong: string[] = [];
  let tried = 0;
  for (const { table, column, type } of listColumns()) {
    for (const value of ROTTEN[type] ?? []) {
      using directory = createTempDirectory('rot');
      for (const name of readdirSync(home.path)) copyFileSync(home.file(name), directory.file(name));
      rmSync(directory.file('hearthd.sock'), { force: true });
      if (!rot(directory.file('relay.db'), table, column, value)) continue;
      tried += 1;
      const found = await troubleIn(directory).catch((error: Error) => [`does not start: ${error.message}`]);
      wrong.push(...found.map((trouble) => `${table}.${column} = ${JSON.stringify(value)}: ${trouble}`));
    }
  }
  expect(wrong).toEqual([]);
  expect(tried).toBeGreaterThan(60);
});

async function troubleIn(directory: TempDirectory): Promise<readonly string[]> {
  await using relay = await E2eRelay.start({ directory, overrides: { discovery: new ScriptedDiscovery() } });
  const trouble: string[] = [];
  for (const path of ['state', 'state?form=names', 'accessories', 'homes', 'tokens', 'pairings', 'discovered']) {
    for (const answer of [await relay.get(`/rest/${path}`), await relay.asSystem('GET', `/rest/${path}`)]) {
      if (answer.status !== 200) trouble.push(`${path} answers ${answer.status}`);
    }
  }
  if (!(await relay.pairing(deviceId))) trouble.push('the pairing is gone');
  return trouble;
}
