/** What a restored database takes over, row by row. The restore as people see it: `test/e2e/backups.test.ts`. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { carryOver } from '../../../src/app/backup/carry-over-store.ts';
import { type Database, openDatabase } from '../../../src/storage/database.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';

let directory: TempDirectory;
let then: Database;
let now: Database;

beforeEach(() => {
  directory = createTempDirectory('carry-over');
  [then, now] = ['then.db', 'now.db'].map((name) => openDatabase(directory.file(name))) as [Database, Database];
  for (const database of [then, now]) {
    database.pragma('foreign_keys = OFF');
    database.exec("INSERT INTO settings VALUES ('instance.id', 'one house')");
    database.exec("INSERT INTO homes (id, name, name_key, created_at) VALUES ('home', 'Home', 'home', 0)");
  }
});
afterEach(() => {
  then.close();
  now.close();
  directory.remove();
});

function restore(): void {
  now.close();
  carryOver(then, directory.file('now.db'));
}

const invite = (database: Database, email: string, home = 'home', inviter: string | null = null): void =>
  void database
    .prepare("INSERT INTO invitations VALUES (?, ?, ?, ?, 'view', NULL, ?, ?, 0, 1)")
    .run(`${home} ${email}`, home, email, email, `${home} ${email}`, inviter);
const share = (database: Database, id: string, passcode: string | null, link = id): void =>
  void database
    .prepare("INSERT INTO shares VALUES (?, 'home', 'home', ?, 'home', ?, 'view', NULL, ?, NULL, NULL, 0, NULL, 0)")
    .run(id, link, passcode === null ? 'public' : 'passcode', passcode);
const webhook = (database: Database, id: string, secret: string): void =>
  void database
    .prepare(
      `INSERT INTO webhooks VALUES (?, 'Hook', 'http://a.example', ?, NULL, NULL, 'active', '[]', '[]', '[]', '[]', '[]', 1, NULL, 1,
         0, 0, NULL, NULL, NULL, NULL, NULL, 0)`,
    )
    .run(id, secret);
const all = (sql: string): unknown[] => then.prepare(sql).raw().all();

it('no invitation that was withdrawn or used since, and those of now as far as their home and inviter are there', () => {
  invite(then, 'used@example.org');
  invite(then, 'open@example.org');
  invite(now, 'open@example.org');
  invite(now, 'since@example.org');
  invite(now, 'elsewhere@example.org', 'cottage');
  invite(now, 'by-nobody@example.org', 'home', 'nobody');
  restore();
  expect(all('SELECT email FROM invitations ORDER BY email')).toEqual([['open@example.org'], ['since@example.org']]);
});

it('no passcode and no secret that was changed since', () => {
  share(then, 'guest', 'leaked');
  share(now, 'guest', 'new');
  share(then, 'ended', 'as it was');
  share(then, 'open since', 'as it was');
  share(now, 'open since', null);
  webhook(then, 'rotated', 'whsec_leaked');
  webhook(now, 'rotated', 'whsec_new');
  webhook(then, 'deleted', 'whsec_old');
  restore();
  expect(all('SELECT id, passcode_hash FROM shares ORDER BY id')).toEqual([
    ['ended', 'as it was'],
    ['guest', 'new'],
    ['open since', 'as it was'],
  ]);
  expect(all('SELECT id, secret FROM webhooks ORDER BY id')).toEqual([
    ['deleted', 'whsec_old'],
    ['rotated', 'whsec_new'],
  ]);
});

it('no share that was ended since, while its link still is good for others of the same thing', () => {
  for (const id of ['ended', 'kept']) share(then, id, id, 'link');
  share(now, 'kept', 'kept', 'link');
  share(then, 'gone with its link', 'as it was');
  restore();
  expect(all('SELECT id FROM shares ORDER BY id')).toEqual([['gone with its link'], ['kept']]);
});

it('all of another house’s but the keys of the devices here', () => {
  now.exec("UPDATE settings SET value = 'another house' WHERE key = 'instance.id'");
  invite(then, 'theirs@example.org');
  invite(now, 'ours@example.org');
  share(then, 'theirs', 'theirs');
  restore();
  expect(all('SELECT email FROM invitations')).toEqual([['theirs@example.org']]);
  expect(all('SELECT passcode_hash FROM shares')).toEqual([['theirs']]);
});
