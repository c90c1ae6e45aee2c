import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../src/kernel/logger.ts';
import { DisposableDatabase } from '../../src/storage/disposable-database.ts';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import { TestClock } from '../support/test-clock.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const ASIDE = 'history.db.damaged-20260102T030405Z';

let directory: TempDirectory;
let path: string;
let clock: TestClock;
let lines: string[];
let database: DisposableDatabase;

beforeEach(() => {
  directory = createTempDirectory('history');
  path = directory.file('history.db');
  clock = new TestClock(NOW);
  lines = [];
  database = create();
});
afterEach(() => {
  database.stop();
  directory.remove();
});

function create(): DisposableDatabase {
  const note = (_: object, line: string): void => void lines.push(line);
  const logger = { ...silentLogger, error: note, warn: note };
  return new DisposableDatabase({ path, clock, logger });
}

const add = (text: string): void => {
  database.current.prepare('INSERT INTO texts (text) VALUES (?)').run(text);
};
const texts = (): readonly string[] =>
  database.current
    .prepare<[], { text: string }>('SELECT text FROM texts ORDER BY id')
    .all()
    .map(({ text }) => text);
const asideNames = (): readonly string[] =>
  readdirSync(directory.path).filter(
    (name) => name.includes('.damaged-') && !name.endsWith('-wal') && !name.endsWith('-shm'),
  );

function overwrite(from: number, bytes = statSync(path).size - from): void {
  const handle = openSync(path, 'r+');
  writeSync(handle, Buffer.alloc(bytes, 0x5a), 0, undefined, from);
  closeSync(handle);
}

describe('a database that may be lost', () => {
  it('is made where there is none, for its owner alone, in a way that suits many small writes', () => {
    database.start();
    add('kept');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const pragma = (name: string): unknown => database.current.pragma(name, { simple: true });
    expect(['journal_mode', 'synchronous', 'auto_vacuum'].map(pragma)).toEqual(['wal', 1, 2]);
    database.stop();
    database = create();
    database.start();
    expect(texts()).toEqual(['kept']);
    expect(lines).toEqual([]);
  });

  it.each([
    ['no database at all', () => writeFileSync(path, 'not a database, but long enough to be read as one'.repeat(20))],
    ['damaged in its head', () => overwrite(0, 100)],
    ['damaged in its middle', () => overwrite(4096 * 2)],
  ])('is set aside and begun empty where the file is %s', (_, damage) => {
    database.start();
    add('lost');
    database.stop();
    damage();
    database = create();
    database.start();
    expect(texts()).toEqual([]);
    add('new');
    expect(asideNames()).toEqual([ASIDE]);
    expect(lines).toEqual(['The history was damaged. The relay moved it aside and started a new one']);
  });

  it('is set aside while it runs, when damage is met', () => {
    database.start();
    for (let count = 0; count < 3_000; count += 1) add(`text ${count} ${'x'.repeat(100)}`);
    database.current.pragma('wal_checkpoint(TRUNCATE)');
    overwrite(4096 * 3);
    database.current.pragma('shrink_memory');
    expect(() => texts()).toThrow(expect.objectContaining({ code: 'storage_unavailable' }));
    expect(texts()).toEqual([]);
    add('goes on');
    expect(texts()).toEqual(['goes on']);
    expect(asideNames()).toEqual([ASIDE]);
  });

  it('waits for a place to be set aside to where there is none', async () => {
    database.start();
    for (let count = 0; count < 3_000; count += 1) add(`text ${count} ${'x'.repeat(100)}`);
    database.current.pragma('wal_checkpoint(TRUNCATE)');
    overwrite(4096 * 3);
    database.current.pragma('shrink_memory');
    mkdirSync(directory.file(ASIDE));
    const unavailable = expect.objectContaining({ code: 'storage_unavailable' });
    for (let time = 0; time < 3; time += 1) expect(() => texts()).toThrow(unavailable);
    rmdirSync(directory.file(ASIDE));
    await clock.advance(10_000);
    expect(texts()).toEqual([]);
  });

  it('is created again where the file is gone', () => {
    database.start();
    expect(texts()).toEqual([]);
    expect(asideNames()).toEqual([]);
  });

  it('is created again within seconds if the file is deleted while it is open', async () => {
    database.start();
    add('lost');
    rmSync(path);
    await clock.advance(10_000);
    expect(texts()).toEqual([]);
    add('kept');
    expect(lines).toEqual(['The history file was replaced. The relay uses the new file']);
    database.stop();
    database = create();
    database.start();
    expect(texts()).toEqual(['kept']);
  });

  it('does not keep the daemon from starting while another program holds it, and is opened later', async () => {
    database.start();
    add('kept');
    database.stop();
    const holder = openSqlite(path);
    holder.pragma('locking_mode = EXCLUSIVE');
    holder.exec('BEGIN EXCLUSIVE');
    database = create();
    database.start();
    const unavailable = expect.objectContaining({ code: 'storage_unavailable' });
    expect(() => database.current).toThrow(unavailable);
    holder.exec('ROLLBACK');
    holder.close();
    // Not at every look, for each takes a moment.
    expect(() => database.current).toThrow(unavailable);
    await clock.advance(10_000);
    expect(texts()).toEqual(['kept']);
    expect(lines).toHaveLength(1);
  });

  it('is left alone where a newer version wrote it', () => {
    database.start();
    database.current.pragma('user_version = 99');
    database.stop();
    database = create();
    database.start();
    expect(() => database.current).toThrow(expect.objectContaining({ code: 'storage_unavailable' }));
    expect(() => database.current).toThrow(/newer hearthd/);
    expect(asideNames()).toEqual([]);
  });

  it('is closed when it is stopped, and may be stopped twice', () => {
    database.start();
    database.stop();
    database.stop();
    expect(() => database.current).toThrow(expect.objectContaining({ code: 'storage_unavailable' }));
    expect(readdirSync(directory.path)).toEqual(['history.db']);
  });
});
