/**
 * What the disk may do to the built daemon, and the daemon to the disk's content: random bytes over its files, SIGKILL
 * in the middle of writes, no room, and no permission to write.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import {
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BackupFolder } from '../../src/storage/backups/backup-folder.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { createDeviceId, createSigningKeys } from '../support/accessories/identity.ts';
import { startRawAccessory } from '../support/accessories/raw-accessory.ts';
import { lampAccessory } from '../support/accessories/sample-databases.ts';
import { BuiltDaemon, type BuiltDaemonOptions, type BuiltProgram, buildProgram } from '../support/built-daemon.ts';
import { eventually, KNOWN_CONTROLLER, sharePairings } from '../support/e2e-relay.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';

/** Back with the pairings within ten seconds is what is meant; a machine with other things to do takes longer. */
const UP_WITHIN_MS = 40_000;

let program: BuiltProgram;

beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program[Symbol.dispose]());

/** The data directory inside a test's own folder, for what works on one directly. */
function dataIn(directory: TempDirectory): TempDirectory {
  return { ...directory, path: directory.file('data'), file: (...names) => directory.file('data', ...names) };
}

describe('files overwritten while the daemon is down', () => {
  const BLOCK_BYTES = 512;

  /** As `dd if=/dev/urandom of=… bs=512 seek=… count=… conv=notrunc` does, within the file. */
  function dd(path: string, seek: number, count: number): void {
    const { size } = statSync(path);
    const from = Math.min(seek * BLOCK_BYTES, size);
    const bytes = randomBytes(Math.min(count * BLOCK_BYTES, size - from));
    const file = openSync(path, 'r+');
    writeSync(file, bytes, 0, bytes.length, from);
    closeSync(file);
  }

  it.each<[string, 'stopped' | 'killed', (file: (name: string) => string) => void]>([
    ['the database from its start', 'stopped', (file) => dd(file('relay.db'), 0, 500)],
    ['the middle of the database', 'stopped', (file) => dd(file('relay.db'), 40, 60)],
    ['the end of the database', 'stopped', (file) => dd(file('relay.db'), 150, 500)],
    ['the first page alone', 'stopped', (file) => dd(file('relay.db'), 0, 8)],
    ['the database, cut in half', 'stopped', (file) => truncateSync(file('relay.db'), 40_000)],
    ['the database, emptied', 'stopped', (file) => truncateSync(file('relay.db'), 0)],
    ['the database, deleted', 'stopped', (file) => rmSync(file('relay.db'))],
    ['the write-ahead log', 'killed', (file) => dd(file('relay.db-wal'), 0, 5_000)],
    [
      'database and write-ahead log',
      'killed',
      (file) => {
        for (const name of ['relay.db', 'relay.db-wal']) dd(file(name), 0, 500);
      },
    ],
    ['the second copy of the pairings', 'stopped', (file) => dd(file('pairings.json'), 0, 500)],
  ])('%s: up within ten seconds, names as copied, no pairing lost', async (_, how, destroy) => {
    using directory = createTempDirectory('dd');
    const data = dataIn(directory);
    cpSync(allHomes.file(how), data.path, { recursive: true });
    destroy((name) => data.file(name));

    const startedAt = performance.now();
    await using daemon = await BuiltDaemon.start({ program, directory });
    expect(performance.now() - startedAt).toBeLessThan(UP_WITHIN_MS);
    expect((await fetch(`${daemon.url}/ready`)).status).toBe(200);
    const ids = (list: readonly { deviceId: string }[]): readonly string[] =>
      list.map(({ deviceId }) => deviceId).sort();
    expect(ids((await daemon.asSystem('GET', '/rest/pairings')).body)).toEqual(ids(devices));
    const homes = (await daemon.asSystem('GET', '/rest/homes')).body;
    expect(homes.map(({ id }: { id: string }) => id)).toContain(homeId);
    expect(listRooms(data)).toContain('Attic');
  });

  const devices = ['Lamp', 'Plug'].map((name) => {
    return { deviceId: createDeviceId(), name, publicKey: createSigningKeys().publicKey, port: 9 };
  });
  /** Data directories to be destroyed copies of: of a daemon that was stopped, and of one that was killed. */
  let allHomes: TempDirectory;
  let homeId: string;

  /** A copy is made of a home with one pairing and a room called Attic; then a second device is paired. */
  beforeAll(async () => {
    allHomes = createTempDirectory('houses');
    using directory = createTempDirectory('house');
    const data = dataIn(directory);
    mkdirSync(data.path);
    sharePairings(data, devices.slice(0, 1));
    await using first = await BuiltDaemon.start({ program, directory });
    [{ id: homeId }] = (await first.asSystem('GET', '/rest/homes')).body;
    expect((await first.asSystem('POST', '/rest/rooms', { homeId, name: 'Attic' })).status).toBe(200);
    await first.end();
    copyDatabase(data.file('relay.db'));
    sharePairings(data, devices.slice(1));
    await using second = await BuiltDaemon.start({ program, directory });
    await second.createToken();
    await second.end();
    cpSync(data.path, allHomes.file('stopped'), { recursive: true });
    await using third = await BuiltDaemon.start({ program, directory });
    await third.createToken();
    await third.end('SIGKILL');
    rmSync(data.file('hearthd.sock'));
    cpSync(data.path, allHomes.file('killed'), { recursive: true });
  });
  afterAll(() => allHomes.remove());

  function copyDatabase(path: string): void {
    const database = openDatabase(path);
    new BackupFolder(path).snapshot(database, 'nightly', Date.now());
    database.close();
  }

  function listRooms(data: TempDirectory): readonly unknown[] {
    const database = openSqlite(data.file('relay.db'), { readonly: true });
    const rooms = database.prepare('SELECT name FROM rooms').pluck().all();
    database.close();
    return rooms;
  }
});

describe('SIGKILL in the middle of writes', () => {
  const ROUNDS = process.env.HEARTHD_SOAK ? 30 : 12;

  it(`loses nothing that was acknowledged, ${ROUNDS} times over`, { timeout: 240_000 }, async () => {
    using directory = createTempDirectory('kill');
    const path = directory.file('data', 'relay.db');
    const rooms = new Set<string>();
    const deletedRooms = new Set<string>();
    const tokens = new Set<string>();
    let acknowledged = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      await using daemon = await BuiltDaemon.start({ program, directory });
      const home = (await daemon.asSystem('GET', '/rest/homes')).body[0];
      /** Names that the home may have: the last one acknowledged, and those sent since. */
      let homeNames = [home.name as string];
      const write = async (n: number): Promise<void> => {
        const label = `${round}-${n}`;
        const room = await daemon.asSystem('POST', '/rest/rooms', { homeId: home.id, name: `Room ${label}` });
        expect(room.status).toBe(200);
        if (n % 3 !== 0) rooms.add(`Room ${label}`);
        homeNames.push(`Home ${label}`);
        const renamed = await daemon.asSystem('PATCH', `/rest/homes/${home.id}`, { name: `Home ${label}` });
        expect(renamed.status).toBe(200);
        homeNames = homeNames.slice(homeNames.indexOf(`Home ${label}`));
        await daemon.createToken({ name: `Token ${label}` });
        tokens.add(`Token ${label}`);
        if (n % 3 === 0) {
          expect((await daemon.asSystem('DELETE', `/rest/rooms/${room.body.id}`)).status).toBe(200);
          deletedRooms.add(`Room ${label}`);
        }
        acknowledged += 3;
      };
      const load = (async () => {
        for (let n = 0; ; n += 1) await write(n);
      })().catch((error: NodeJS.ErrnoException) => error);
      const before = acknowledged;
      await delay(randomInt(20, 250));
      // A slow computer has not acknowledged anything by then: every other time it may.
      if (round % 2 === 0) await eventually(() => acknowledged > before, 'a write to be acknowledged');
      await daemon.end('SIGKILL');
      // Cut off in the middle of a request, and by nothing else.
      expect(String(await load)).toMatch(/ECONNRESET|EPIPE|ENOENT|ECONNREFUSED|socket hang up|aborted|JSON/);

      const database = openSqlite(path);
      expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
      expect(database.pragma('foreign_key_check')).toEqual([]);
      const names = (sql: string): Set<unknown> => new Set(database.prepare(sql).pluck().all());
      const keptRooms = names('SELECT name FROM rooms');
      const keptTokens = names('SELECT name FROM access_tokens');
      expect([...rooms].filter((name) => !keptRooms.has(name))).toEqual([]);
      expect([...deletedRooms].filter((name) => keptRooms.has(name))).toEqual([]);
      expect([...tokens].filter((name) => !keptTokens.has(name))).toEqual([]);
      expect(homeNames).toContain([...names('SELECT name FROM homes')][0]);
      database.close();
    }
    expect(acknowledged).toBeGreaterThan(ROUNDS);
    expect(readdirSync(directory.file('data')).filter((name) => name.includes('damaged'))).toEqual([]);
  });
});

/** Mounts something on a folder for the time of `work`; `false` where this user may not. */
async function mounted(folder: string, options: readonly string[], work: () => Promise<void>): Promise<boolean> {
  try {
    execFileSync('mount', [...options, folder], { stdio: 'ignore' });
  } catch {
    return false;
  }
  try {
    await work();
  } finally {
    execFileSync('umount', ['-l', folder]);
  }
  return true;
}

const MAY_NOT_MOUNT = 'this user may not mount a file system';

describe('a disk that fills up while the daemon runs', () => {
  it('goes on reading and controlling, reports it once, and saves again when there is room', async ({ skip }) => {
    using directory = createTempDirectory('full');
    const data = dataIn(directory);
    mkdirSync(data.path);
    const possible = await mounted(data.path, ['-t', 'tmpfs', '-o', 'size=4m,mode=700', 'none'], async () => {
      const lamp = await startRawAccessory({
        database: [lampAccessory('Lamp')],
        mdns: false,
        paired: [KNOWN_CONTROLLER],
      });
      sharePairings(data, [lamp]);
      await using daemon = await BuiltDaemon.start({ program, directory });
      const token = await daemon.createToken();
      const ask = async (method: string, path: string, body?: object): Promise<[number, string]> => {
        const answer = await fetch(`${daemon.url}${path}`, {
          method,
          headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
          ...(body && { body: JSON.stringify(body) }),
        });
        return [answer.status, await answer.text()];
      };
      const turn = (on: boolean) =>
        ask('POST', '/rest/state', { home: 'Test Home', room: 'Default Room', accessory: 'Lamp', on });
      await eventually(async () => (await ask('GET', '/rest/state'))[1].includes('"brightness":50'), 'the lamp');
      const [, list] = await ask('GET', '/rest/accessories');
      const [accessory] = JSON.parse(list);
      const rename = (name: string) => ask('PATCH', `/rest/accessories/${accessory.id}`, { name });

      fill(data.file('filler'));
      for (let n = 0; n < 5; n += 1) {
        expect(await turn(n % 2 === 0)).toEqual([200, expect.stringContaining('"updated":1')]);
        expect(await rename(`Name ${n}`)).toEqual([503, expect.stringMatching(/^\{"error":"The disk is full: /)]);
        expect((await ask('POST', '/rest/tokens', { name: 'more' }))[0]).toBe(503);
        lamp.set(1, 10, 20 + n);
        await eventually(
          async () => (await ask('GET', '/rest/state'))[1].includes(`"brightness":${20 + n}`),
          'an event',
        );
      }
      expect(lamp.get(1, 9)).toBe(true);
      expect(await ask('GET', `/rest/accessories/${accessory.id}`)).toEqual([
        200,
        expect.stringContaining('"name":"Lamp"'),
      ]);
      // Without the network's answers: another relay there may have the same name.
      const warnings = daemon.log.filter(({ level, error }) => Number(level) >= 40 && error !== undefined);
      expect(warnings.filter(({ msg }) => msg === 'Could not save a change')).toHaveLength(1);
      expect(warnings.every(({ error }) => String(error).startsWith('The disk is full: '))).toBe(true);
      expect(new Set(warnings.map(({ msg }) => msg)).size, 'no line twice').toBe(warnings.length);

      rmSync(data.file('filler'));
      expect((await rename('Saved'))[0]).toBe(200);
      await daemon.end('SIGKILL');
      await using next = await BuiltDaemon.start({ program, directory });
      expect(JSON.stringify((await next.asSystem('GET', '/rest/accessories')).body)).toContain('"name":"Saved"');
      await lamp.stop();
    });
    skip(!possible, MAY_NOT_MOUNT);
  });

  function fill(path: string): void {
    const file = openSync(path, 'w');
    try {
      for (const bytes of [65_536, 4096, 1]) {
        try {
          for (;;) writeSync(file, Buffer.alloc(bytes));
        } catch (error) {
          expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
        }
      }
    } finally {
      closeSync(file);
    }
  }
});

describe('a data directory that can’t be written', () => {
  it('is refused with one line that names it and what to do, and nothing is changed', async ({ skip }) => {
    using directory = createTempDirectory('read-only');
    const settings: BuiltDaemonOptions = { program, directory };
    await (await BuiltDaemon.start(settings)).end();
    const data = dataIn(directory);
    const before = readFileSync(data.file('relay.db'));
    const possible = await mounted(data.path, ['--bind', data.path], async () => {
      execFileSync('mount', ['-o', 'remount,ro,bind', data.path]);
      await using daemon = new BuiltDaemon(settings);
      expect(await daemon.ended).toBe(78);
      expect(daemon.err).toBe(
        `${data.path} is on a read-only file system. Remount it read-write; if it became read-only by itself, the disk or SD card is failing.\n`,
      );
    });
    skip(!possible, MAY_NOT_MOUNT);
    expect(readFileSync(data.file('relay.db'))).toEqual(before);
  });
});
