import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PairingCopy } from '../../../../src/drivers/hap/pairing/pairing-copy.ts';
import { type PairingRecord, PairingStore } from '../../../../src/drivers/hap/pairing/pairing-store.ts';
import { type Logger, silentLogger } from '../../../../src/kernel/logger.ts';
import { type Database, openDatabase } from '../../../../src/storage/database.ts';
import { createControllerKeys, createSigningKeys, pairingKeys } from '../../../support/accessories/identity.ts';
import { createTempDirectory, type TempDirectory } from '../../../support/temp-directory.ts';
import { underUmask } from '../../../support/umask.ts';

const HOME = { id: '11111111-1111-4111-8111-111111111111', name: 'Haus am See' };
const LAMP = 'AA:BB:CC:DD:EE:01';
const PLUG = 'AA:BB:CC:DD:EE:02';
const FAN = 'AA:BB:CC:DD:EE:03';

let directory: TempDirectory;
let database: Database;
let store: PairingStore;
const lines: string[] = [];

const logger: Logger = {
  ...silentLogger,
  warn: (_fields, message) => lines.push(message),
  error: (_fields, message) => lines.push(message),
};

beforeEach(() => {
  directory = createTempDirectory('pairings');
  lines.length = 0;
  start();
});

afterEach(() => {
  database.close();
  directory.remove();
});

/** A run of the daemon: opens the database, makes the home if it is new, opens the store. */
function start(): void {
  database = openDatabase(directory.file('relay.db'));
  store = new PairingStore(database, new PairingCopy(copyPath()), logger);
  for (const home of store.homesToRestore()) insertHome(home);
  if (!database.prepare('SELECT 1 FROM homes WHERE id = ?').get(HOME.id)) insertHome(HOME);
  store.open();
}

function restart(between: () => void = () => {}): void {
  database.close();
  between();
  start();
}

function insertHome({ id, name }: { id: string; name: string }): void {
  database
    .prepare('INSERT INTO homes (id, name, name_key, created_at) VALUES (?, ?, ?, 0)')
    .run(id, name, name.toLowerCase());
}

function copyPath(): string {
  return directory.file('pairings.json');
}

function loseDatabase(): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(directory.file(`relay.db${suffix}`), { force: true });
}

function draft(deviceId: string): PairingRecord {
  const keys = pairingKeys(createControllerKeys(), { deviceId, publicKey: createSigningKeys().publicKey });
  return {
    keys,
    state: 'exchanging',
    homeId: HOME.id,
    name: 'Lamp',
    model: 'L1',
    category: 5,
    pairedAt: 1_700_000_000_000,
  };
}

/** Begins and completes, as pair-setup does. */
function pair(deviceId: string): PairingRecord {
  const record = draft(deviceId);
  store.begin({ ...record, keys: { ...record.keys, accessoryPublicKey: null } });
  return store.complete(deviceId, record.keys);
}

function ids(): readonly string[] {
  return store.list().map(({ keys }) => keys.deviceId);
}

function readCopy(): {
  body: { generation: number; pairings: { deviceId: string; state: string }[] };
  checksum: string;
} {
  return JSON.parse(readFileSync(copyPath(), 'utf8'));
}

describe('a pairing', () => {
  it('is in both places before begin returns, without the accessory’s key, and whole after complete', () => {
    const record = draft(LAMP);
    store.begin({ ...record, keys: { ...record.keys, accessoryPublicKey: null } });
    expect(readCopy().body.pairings).toMatchObject([{ deviceId: LAMP, state: 'exchanging', accessoryPublicKey: null }]);
    expect(store.find(LAMP)?.state).toBe('exchanging');
    store.complete(LAMP, record.keys);
    expect(readCopy().body.pairings).toMatchObject([
      { deviceId: LAMP, state: 'paired', accessoryPublicKey: record.keys.accessoryPublicKey?.toString('hex') },
    ]);
    expect(store.find('aa:bb:cc:dd:ee:01')).toEqual({ ...record, state: 'paired' });
  });

  it('comes back whole after a restart', () => {
    const record = pair(LAMP);
    restart();
    expect(store.list()).toEqual([record]);
  });

  it('begun under host and port goes under the id that the device proved', () => {
    const record = draft(LAMP);
    store.begin({ ...record, keys: { ...record.keys, deviceId: '127.0.0.1:51826', accessoryPublicKey: null } });
    store.complete('127.0.0.1:51826', record.keys);
    expect(ids()).toEqual([LAMP]);
  });

  it('has where it was made in the same commit that completes it: a kill right after must not lose the way to the device', () => {
    const record = draft(LAMP);
    store.begin({ ...record, keys: { ...record.keys, deviceId: '127.0.0.1:51826', accessoryPublicKey: null } });
    store.complete('127.0.0.1:51826', record.keys, { host: '127.0.0.1', port: 51_826 });
    expect(store.lastAddress(LAMP)).toEqual({ host: '127.0.0.1', port: 51_826 });
    restart();
    expect(store.lastAddress(LAMP)).toEqual({ host: '127.0.0.1', port: 51_826 });
  });

  it('is refused if a device with its id is paired, and the first one is untouched', () => {
    const first = pair(LAMP);
    const clone = draft(LAMP);
    expect(() => store.begin(clone)).toThrow(/paired here already/);
    store.begin({ ...clone, keys: { ...clone.keys, deviceId: '127.0.0.1:51826', accessoryPublicKey: null } });
    expect(() => store.complete('127.0.0.1:51826', clone.keys)).toThrow(/reset it to factory settings/);
    expect(store.find(LAMP)).toEqual(first);
  });

  it('that was never finished may be restarted', () => {
    store.begin(draft(LAMP));
    const record = pair(LAMP);
    expect(store.list()).toEqual([record]);
  });

  it('remembers where its device answered, in the database only', () => {
    pair(LAMP);
    const before = readFileSync(copyPath(), 'utf8');
    store.saveAddress(LAMP, { host: '192.168.1.9', port: 51826 });
    store.saveAddress(FAN, { host: '192.168.1.10', port: 1 });
    expect(readFileSync(copyPath(), 'utf8')).toBe(before);
    restart();
    expect(store.lastAddress(LAMP)).toEqual({ host: '192.168.1.9', port: 51826 });
    expect(store.lastAddress(FAN)).toBeUndefined();
  });

  it('is for its owner’s eyes only', () => {
    underUmask(0, () => pair(LAMP));
    expect(statSync(copyPath()).mode & 0o777).toBe(0o600);
    expect(existsSync(`${copyPath()}.tmp`)).toBe(false);
  });
});

describe('a lost or damaged place', () => {
  it('the database: all pairings come back by themselves, with their home', () => {
    const records = [pair(LAMP), pair(PLUG)];
    restart(loseDatabase);
    expect(store.list()).toEqual(records);
    expect(database.prepare('SELECT id, name FROM homes').all()).toEqual([HOME]);
    expect(lines).toEqual([expect.stringContaining('Restored pairings from pairings.json')]);
    restart();
    expect(store.list()).toEqual(records);
    expect(lines).toHaveLength(1);
  });

  it('the database again and again: nothing wears off', () => {
    const record = pair(LAMP);
    for (let round = 0; round < 3; round += 1) restart(loseDatabase);
    expect(store.list()).toEqual([record]);
    const second = pair(PLUG);
    restart(loseDatabase);
    expect(store.list()).toEqual([record, second]);
  });

  it('rows of the database: they come back', () => {
    const record = pair(LAMP);
    database.prepare('DELETE FROM pairings').run();
    restart();
    expect(store.list()).toEqual([record]);
  });

  it.each([
    ['the secret key', 'controller_secret_key = randomblob(32)'],
    ['the public key', 'controller_public_key = zeroblob(32)'],
    ['the device’s key', 'accessory_public_key = NULL'],
    ['our id', "controller_id = 'rot'"],
    ['the home', "home_id = 'rot'"],
  ])('%s, rotten on the disk in a way that SQLite does not notice: it comes back', (_, rot) => {
    const { keys } = pair(LAMP);
    pair(PLUG);
    database.pragma('foreign_keys = OFF');
    database.exec(`UPDATE pairings SET ${rot} WHERE device_id = '${LAMP}'`);
    restart();
    expect(store.find(LAMP)).toMatchObject({ keys, homeId: HOME.id });
    expect(ids()).toEqual([LAMP, PLUG]);
    expect(lines).toHaveLength(1);
    restart();
    expect(lines).toHaveLength(1);
  });

  it('the home’s id: the home is there again, and the pairing in it', () => {
    pair(LAMP);
    database.pragma('foreign_keys = OFF');
    database.exec("UPDATE homes SET id = 'rot', name_key = 'rot'");
    restart();
    expect(store.find(LAMP)?.homeId).toBe(HOME.id);
    expect(database.pragma('foreign_key_check')).toEqual([]);
  });

  it('the count of changes: the copy stays readable and counts on', () => {
    pair(LAMP);
    database.exec("UPDATE settings SET value = 'rot' WHERE key = 'pairings.generation'");
    restart();
    pair(PLUG);
    expect(readCopy().body.generation).toBeGreaterThan(2);
    restart(loseDatabase);
    expect(ids()).toEqual([LAMP, PLUG]);
    expect(lines.filter((line) => line.includes('pairings.json is damaged'))).toEqual([]);
  });

  it('the copy, gone: it is written again', () => {
    pair(LAMP);
    const before = readFileSync(copyPath(), 'utf8');
    restart(() => rmSync(copyPath()));
    expect(readFileSync(copyPath(), 'utf8')).toBe(before);
  });

  it('the copy, damaged in any way: it is set aside and written again from the database, and a line reports it', () => {
    const record = pair(LAMP);
    const whole = readFileSync(copyPath(), 'utf8');
    const secret = record.keys.controllerSecretKey.toString('hex');
    const flipped = secret.startsWith('0') ? `1${secret.slice(1)}` : `0${secret.slice(1)}`;
    const damages = [
      '',
      '{',
      'null',
      '[]',
      '{"format":"hearthd-pairings"}',
      whole.slice(0, -40),
      whole.replace(secret, flipped),
    ];
    for (const [index, damage] of damages.entries()) {
      restart(() => writeFileSync(copyPath(), damage));
      expect(store.list()).toEqual([record]);
      expect(readFileSync(copyPath(), 'utf8')).toBe(whole);
      expect(lines).toHaveLength(index + 1);
      expect(lines.at(-1)).toContain('moved it aside and wrote a new one');
    }
    expect(readFileSync(`${copyPath()}.damaged-2`, 'utf8')).toBe('{');
  });

  it('the copy, replaced by a link: it is not followed', () => {
    pair(LAMP);
    const target = directory.file('elsewhere.json');
    writeFileSync(target, 'not ours');
    restart(() => {
      rmSync(copyPath());
      symlinkSync(target, copyPath());
    });
    expect(ids()).toEqual([LAMP]);
    expect(readFileSync(target, 'utf8')).toBe('not ours');
    expect(readCopy().body.pairings).toHaveLength(1);
  });

  it('the copy, open to others: it is closed to them', () => {
    pair(LAMP);
    restart(() => writeFileSync(copyPath(), readFileSync(copyPath()), { mode: 0o644 }));
    expect(statSync(copyPath()).mode & 0o777).toBe(0o600);
  });

  it('both gone: a new start, and no empty copy beside it', () => {
    pair(LAMP);
    restart(() => {
      loseDatabase();
      rmSync(copyPath());
    });
    expect(ids()).toEqual([]);
    expect(existsSync(copyPath())).toBe(false);
  });

  it('the database lost and the copy damaged: the damaged one is kept for a person who can read it', () => {
    pair(LAMP);
    restart(() => {
      loseDatabase();
      writeFileSync(copyPath(), 'half');
    });
    expect(ids()).toEqual([]);
    expect(readFileSync(`${copyPath()}.damaged`, 'utf8')).toBe('half');
  });
});

describe('two places that disagree', () => {
  it('a removal is not undone by a copy that was not written any more', () => {
    pair(LAMP);
    pair(PLUG);
    const stale = readFileSync(copyPath());
    store.remove(LAMP);
    restart(() => writeFileSync(copyPath(), stale));
    expect(ids()).toEqual([PLUG]);
    expect(readCopy().body.pairings.map(({ deviceId }) => deviceId)).toEqual([PLUG]);
    restart(loseDatabase);
    expect(ids()).toEqual([PLUG]);
  });

  it('an older backup of the database gets what was paired since, and loses nothing it had', () => {
    const lamp = pair(LAMP);
    database.pragma('wal_checkpoint(TRUNCATE)');
    const backup = readFileSync(directory.file('relay.db'));
    const plug = pair(PLUG);
    store.remove(LAMP);
    restart(() => {
      loseDatabase();
      writeFileSync(directory.file('relay.db'), backup);
    });
    expect(store.list()).toEqual([lamp, plug]);
  });

  it('an older backup of the database learns the keys of a device that was paired again since', () => {
    pair(LAMP);
    database.pragma('wal_checkpoint(TRUNCATE)');
    const backup = readFileSync(directory.file('relay.db'));
    store.remove(LAMP);
    const again = pair(LAMP);
    restart(() => {
      loseDatabase();
      writeFileSync(directory.file('relay.db'), backup);
    });
    expect(store.list()).toEqual([again]);
  });

  it('a copy of another database adds to this one and changes nothing in it', () => {
    using other = createTempDirectory('other-pairings');
    const lamp = pair(LAMP);
    writeFileSync(other.file('pairings.json'), readFileSync(copyPath()));
    restart(() => {
      loseDatabase();
      rmSync(copyPath());
    });
    const newLamp = pair(LAMP);
    expect(newLamp.keys.controllerId).not.toBe(lamp.keys.controllerId);
    restart(() => writeFileSync(copyPath(), readFileSync(other.file('pairings.json'))));
    expect(store.list()).toEqual([newLamp]);
  });

  it('the name of a renamed home is in the copy after the next start', () => {
    pair(LAMP);
    database.prepare("UPDATE homes SET name = 'Cottage', name_key = 'cottage' WHERE id = ?").run(HOME.id);
    restart();
    restart(loseDatabase);
    expect(database.prepare('SELECT name FROM homes').all()).toEqual([{ name: 'Cottage' }]);
  });
});

describe('a copy that can’t be written', () => {
  /** Not even root can rename a file over a directory that is not empty. */
  function blockCopy(): void {
    rmSync(copyPath(), { force: true });
    mkdirSync(directory.file('pairings.json', 'in the way'), { recursive: true });
  }

  it('stops a pairing before the device learns the keys, and leaves no trace of it', () => {
    blockCopy();
    expect(() => store.begin(draft(LAMP))).toThrow();
    expect(ids()).toEqual([]);
    expect(database.prepare('SELECT count(*) AS n FROM pairings').get()).toEqual({ n: 0 });
  });

  it('does not undo a pairing that the device holds already, reports it, and is written at the next occasion', () => {
    const record = draft(LAMP);
    store.begin({ ...record, keys: { ...record.keys, accessoryPublicKey: null } });
    blockCopy();
    store.complete(LAMP, record.keys);
    expect(store.find(LAMP)?.state).toBe('paired');
    expect(lines).toEqual([expect.stringContaining('Could not write pairings.json')]);
    rmSync(copyPath(), { recursive: true });
    store.saveAddress(LAMP, { host: '127.0.0.1', port: 1 });
    expect(readCopy().body.pairings).toMatchObject([{ deviceId: LAMP, state: 'paired' }]);
  });

  it('does not stop a removal', () => {
    pair(LAMP);
    blockCopy();
    store.remove(LAMP);
    expect(ids()).toEqual([]);
  });
});

it('works in memory alone, where there is no place beside the database', () => {
  using inMemory = { database: openDatabase(':memory:'), [Symbol.dispose]: () => inMemory.database.close() };
  const alone = new PairingStore(inMemory.database, null, silentLogger);
  inMemory.database.prepare("INSERT INTO homes (id, name, name_key, created_at) VALUES (?, 'x', 'x', 0)").run(HOME.id);
  expect(alone.homesToRestore()).toEqual([]);
  alone.open();
  const record = draft(LAMP);
  alone.begin(record);
  expect(alone.complete(LAMP, record.keys).state).toBe('paired');
});
