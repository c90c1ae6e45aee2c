/** What is taken for a backup: altered ones, ones of every schema, and files that are none at all. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { restoreOffline } from '../../../src/app/backup/restore-offline.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { BackupFolder } from '../../../src/storage/backups/backup-folder.ts';
import { backupName } from '../../../src/storage/backups/backup-names.ts';
import { FAULT_SENTENCES, inspectBackup } from '../../../src/storage/backups/inspect-backup.ts';
import { openStaged, stageBackup } from '../../../src/storage/backups/stage-backup.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import { latestSchema, listMigrations, schemaOf } from '../../../src/storage/migrate.ts';
import { openOrRestore } from '../../../src/storage/recovery.ts';
import { openSqlite } from '../../../src/storage/sqlite.ts';
import { alterCopy, BREAKING } from '../../support/alterations.ts';
import { emptyTables, furnishBackup } from '../../support/furnished-backup.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';
import { TestClock } from '../../support/test-clock.ts';

const faultOf = (path: string) => inspectBackup(path, () => true).fault;

let directory: TempDirectory;
let good: string;
let altered: string;

beforeAll(async () => {
  directory = createTempDirectory('inspect');
  good = directory.file('good.db');
  altered = directory.file('altered.db');
  await furnishBackup(good);
});
afterAll(() => directory.remove());

describe('a backup', () => {
  it('with something in every table is sound', () => {
    expect(emptyTables(good)).toEqual([]);
    expect(faultOf(good)).toBeNull();
  });

  it.each(BREAKING)('that was altered is refused before anything is touched: $name', async ({ fault, alter }) => {
    alterCopy(good, altered, alter);
    expect(faultOf(altered)).toBe(fault);
    const path = directory.file('relay.db');
    await expect(stageBackup(path, altered, null)).rejects.toMatchObject({
      code: 'conflict',
      message: FAULT_SENTENCES[fault],
    });
    expect(() => openStaged(path)).toThrow('is gone');
  });

  it.each(listMigrations().map(({ version }) => version))('of schema %i is sound, and is upgraded', async (version) => {
    const old = directory.file(`schema-${version}.db`);
    openDatabase(old, listMigrations().slice(0, version)).close();
    const database = openSqlite(old);
    database.exec("INSERT INTO settings VALUES ('kept', 'yes')");
    database.pragma('journal_mode = DELETE');
    database.close();
    expect(faultOf(old)).toBeNull();
    const path = directory.file('upgraded.db');
    await stageBackup(path, old, null);
    const staged = openStaged(path);
    expect(schemaOf(staged)).toBe(latestSchema(listMigrations()));
    expect(staged.prepare("SELECT value FROM settings WHERE key = 'kept'").get()).toEqual({ value: 'yes' });
    staged.close();
  });

  it('is as sound where only comments and line breaks of its schema differ', () => {
    alterCopy(good, altered, (database) => {
      const text = database.prepare("SELECT sql FROM sqlite_schema WHERE name = 'homes'").get() as { sql: string };
      const other = text.sql.replaceAll(/\s+--.*$/gm, '').replaceAll(/\n\s+/g, ' /* a comment */\n\t');
      database.unsafeMode(true);
      database.exec('PRAGMA writable_schema = ON');
      database.prepare("UPDATE sqlite_schema SET sql = ? WHERE name = 'homes'").run(other);
      database.exec('PRAGMA writable_schema = RESET');
    });
    expect(faultOf(altered)).toBeNull();
  });

  it('with a log beside it is incomplete, and the log stays', async () => {
    copyFileSync(good, altered);
    for (const suffix of ['-wal', '-journal']) {
      writeFileSync(altered + suffix, 'what was written last');
      expect(faultOf(altered)).toBe('incomplete');
      const staging = stageBackup(directory.file('relay.db'), altered, null);
      await expect(staging).rejects.toMatchObject({ message: FAULT_SENTENCES.incomplete });
      expect(readdirSync(directory.path)).toContain(`altered.db${suffix}`);
      execFileSync('rm', [altered + suffix]);
    }
  });

  it('that was altered is refused by a restore without a daemon, and nothing is made', async () => {
    const { alter } = BREAKING[0] as (typeof BREAKING)[number];
    alterCopy(good, altered, alter);
    const data = createTempDirectory('offline');
    const restoring = restoreOffline({
      ...{ dataDir: data.path, backup: altered, clock: new TestClock() },
      password: async () => '',
    });
    await expect(restoring).rejects.toMatchObject({ code: 'conflict', message: FAULT_SENTENCES.altered });
    expect(readdirSync(data.path)).not.toContain('relay.db');
    data.remove();
  });

  it('that was altered never takes the place of a damaged database', () => {
    const data = createTempDirectory('repair');
    const path = data.file('relay.db');
    const folder = new BackupFolder(path);
    folder.create();
    copyFileSync(good, `${folder.path}/${backupName('nightly', 1_000_000)}`);
    const { alter } = BREAKING[0] as (typeof BREAKING)[number];
    alterCopy(good, `${folder.path}/${backupName('nightly', 2_000_000)}`, alter);
    writeFileSync(path, 'rubbish'.repeat(1_000));
    const database = openOrRestore(path, silentLogger);
    expect(database.prepare('SELECT paused FROM homes').all()).toEqual([{ paused: 0 }]);
    database.close();
    data.remove();
  });
});

describe('what bears the name of a backup and is none', () => {
  it('is listed, is never opened, and can be deleted', () => {
    const data = createTempDirectory('odd');
    const folder = new BackupFolder(data.file('relay.db'));
    folder.create();
    const nameOf = (second: number): string => backupName('nightly', second * 1_000);
    const at = (second: number): string => `${folder.path}/${nameOf(second)}`;
    mkdirSync(at(1));
    mkdirSync(`${at(2)}/full`, { recursive: true });
    symlinkSync(at(3), at(3));
    symlinkSync('/nowhere', at(4));
    execFileSync('sh', ['-c', 'mkfifo "$0"', at(5)]);
    mkdirSync(`${folder.path}/left.part`);
    copyFileSync(good, data.file('linked.db'));
    symlinkSync(data.file('linked.db'), at(6));
    expect(folder.list().map(({ isFile }) => isFile)).toEqual([true, false, false, false, false, false]);
    expect([1, 2, 4, 5].map((second) => faultOf(at(second)))).toEqual(['foreign', 'foreign', 'foreign', 'foreign']);
    expect([faultOf(at(3)), faultOf(at(6))]).toEqual(['unreadable', null]);
    folder.sweep();
    folder.prune('nightly', 1);
    expect(folder.list()).toHaveLength(6);
    expect(folder.nextName('nightly', 3_000)).toBe(backupName('nightly', 3_000, false, 2));
    for (const second of [1, 3, 4, 5]) folder.remove(nameOf(second));
    expect(() => folder.remove(nameOf(2))).toThrow('a folder with something in it');
    expect(folder.list().map(({ name }) => name)).toEqual([nameOf(6), nameOf(2)]);
    data.remove();
  });
});
