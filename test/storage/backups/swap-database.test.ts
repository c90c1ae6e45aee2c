/** One database takes another one's place, and goes back: each is known by a word in its settings. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { swapBack, swapDatabase } from '../../../src/storage/backups/swap-database.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import { openSqlite } from '../../../src/storage/sqlite.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';

/** In memory: on Linux another file system than any folder on a disk. */
const ELSEWHERE = '/dev/shm';

let directory: TempDirectory;
let path: string;
let staged: string;
let former: string;

beforeEach(() => {
  directory = createTempDirectory('swap');
  [path, staged, former] = ['relay.db', 'staged.db', 'former.db'].map((name) => directory.file(name)) as [
    ...[string, string, string],
  ];
});
afterEach(() => directory.remove());

function make(at: string, word: string): void {
  const database = openDatabase(at);
  database.prepare("INSERT INTO settings VALUES ('word', ?)").run(word);
  // Complete in one file, as what is staged is.
  database.pragma('journal_mode = DELETE');
  database.close();
}

function wordIn(at: string): unknown {
  const database = openSqlite(at);
  try {
    return (database.prepare("SELECT value FROM settings WHERE key = 'word'").get() as { value: unknown }).value;
  } finally {
    database.close();
  }
}

/** What a process that ended badly leaves beside its database: a log, whose word is not in the file yet. */
function leaveLog(word: string): void {
  const database = openSqlite(path);
  database.pragma('journal_mode = WAL');
  database.pragma('wal_autocheckpoint = 0');
  database.prepare("UPDATE settings SET value = ? WHERE key = 'word'").run(word);
  const copies = [path, `${path}-wal`].map((file) => [file, readFileSync(file)] as const);
  database.close();
  for (const [file, bytes] of copies) writeFileSync(file, bytes);
}

describe('a swap', () => {
  it('puts the new database in place, and keeps the one before', () => {
    make(path, 'old');
    make(staged, 'new');
    swapDatabase(path, staged, former);
    expect([wordIn(path), wordIn(former)]).toEqual(['new', 'old']);
    expect(readdirSync(directory.path).sort()).toEqual(['former.db', 'relay.db']);
  });

  it('keeps what was in the log of the one before, and has the new one read none of it', () => {
    make(path, 'old');
    leaveLog('from the log');
    make(staged, 'new');
    expect(existsSync(`${path}-wal`)).toBe(true);
    swapDatabase(path, staged, former);
    expect([wordIn(path), wordIn(former)]).toEqual(['new', 'from the log']);
  });

  it('makes do without one before', () => {
    make(staged, 'new');
    for (const suffix of ['-wal', '-shm', '-journal']) writeFileSync(path + suffix, 'of a database that is gone');
    swapDatabase(path, staged, former);
    // Before it is opened: SQLite would clear a log away, too.
    expect(readdirSync(directory.path)).toEqual(['relay.db']);
    expect(wordIn(path)).toBe('new');
  });

  it('changes nothing where the one before can’t be kept', () => {
    make(path, 'old');
    make(staged, 'new');
    expect(() => swapDatabase(path, staged, directory.file('no-folder/former.db'))).toThrow('ENOENT');
    expect([wordIn(path), wordIn(staged)]).toEqual(['old', 'new']);
  });

  it('leaves no half copy where a folder has the name of the one before', () => {
    make(path, 'old');
    make(staged, 'new');
    mkdirSync(former);
    expect(() => swapDatabase(path, staged, former)).toThrow('EISDIR');
    expect(readdirSync(directory.path).sort()).toEqual(['former.db', 'relay.db', 'staged.db']);
    expect(wordIn(path)).toBe('old');
  });

  it('is undone', () => {
    make(path, 'old');
    make(staged, 'new');
    swapDatabase(path, staged, former);
    swapBack(path, former, directory.file('near.db'));
    expect(wordIn(path)).toBe('old');
    expect(readdirSync(directory.path)).toEqual(['relay.db']);
  });

  it('that can’t be undone is a fault, and leaves the database', () => {
    make(path, 'new');
    expect(() => swapBack(path, former, directory.file('near.db'))).toThrow('ENOENT');
    expect(wordIn(path)).toBe('new');
  });

  it('that can’t be undone because of a folder in its place leaves the one before where it was, and no copy', () => {
    mkdirSync(path);
    make(former, 'old');
    expect(() => swapBack(path, former, directory.file('near.db'))).toThrow('EISDIR');
    expect(readdirSync(directory.path).sort()).toEqual(['former.db', 'relay.db']);
  });
});

describe.skipIf(!isOtherFileSystem())('a folder on another file system', () => {
  let elsewhere: string;

  beforeEach(() => {
    elsewhere = mkdtempSync(join(ELSEWHERE, 'hearthd-swap-'));
    former = join(elsewhere, 'former.db');
  });
  afterEach(() => rmSync(elsewhere, { recursive: true }));

  it('takes a copy of the one before, and gives it back', () => {
    make(path, 'old');
    make(staged, 'new');
    swapDatabase(path, staged, former);
    expect([wordIn(path), wordIn(former)]).toEqual(['new', 'old']);
    expect(readdirSync(elsewhere)).toEqual(['former.db']);
    swapBack(path, former, directory.file('near.db'));
    expect(wordIn(path)).toBe('old');
    expect([...readdirSync(directory.path), ...readdirSync(elsewhere)]).toEqual(['relay.db']);
  });
});

function isOtherFileSystem(): boolean {
  using here = createTempDirectory('swap');
  return statSync(ELSEWHERE, { throwIfNoEntry: false })?.dev !== statSync(here.path).dev && existsSync(ELSEWHERE);
}
