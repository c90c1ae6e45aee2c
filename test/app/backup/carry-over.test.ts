/** What a restored database takes over, row by row. The restore as people see it: `test/e2e/backups.test.ts`. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MakerStore } from '../../../src/app/access/maker-store.ts';
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
    database.exec("INSERT INTO settings VALUES ('instance.id', 'one home')");
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
    .prepare(
      `INSERT INTO invitations (id, home_id, email, email_key, role, code_hash, inviter_id, created_at, expires_at)
       VALUES (?, ?, ?, ?, 'view', ?, ?, 0, 1)`,
    )
    .run(`${home} ${email}`, home, email, email, `${home} ${email}`, inviter);
const share = (database: Database, id: string, passcode: string | null, link = id): void =>
  void database
    .prepare(
      `INSERT INTO shares (id, entity_type, entity_id, link_id, home_id, access_type, role, passcode_hash, require_post, created_at)
       VALUES (?, 'home', 'home', ?, 'home', ?, 'view', ?, 0, 0)`,
    )
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

it('the presence of people now; which members they are is as it was', () => {
  const add = (database: Database, id: string, user: string | null, atHome: 0 | 1): void =>
    void database
      .prepare(
        "INSERT INTO people (id, home_id, name, name_key, user_id, at_home, created_at) VALUES (?, 'home', ?, ?, ?, ?, 0)",
      )
      .run(id, id, id, user, atHome);
  add(then, 'ada', 'account of ada', 0);
  add(then, 'removed since', 'account of ben', 0);
  add(now, 'ada', null, 1);
  add(now, 'added since', 'account of ada', 1);
  restore();
  expect(all('SELECT id, user_id, at_home FROM people ORDER BY id')).toEqual([
    ['ada', 'account of ada', 1],
    ['removed since', 'account of ben', 0],
  ]);
});

it('the devices that receive notifications now, and the key that they know', () => {
  const add = (database: Database, id: string, user: string): void => {
    database.prepare("INSERT OR IGNORE INTO users VALUES (?, ?, ?, 'Ann', '', 0, '{}', 0, NULL)").run(user, user, user);
    database
      .prepare("INSERT INTO push_devices VALUES (?, ?, 'session', 'Phone', ?, 'key', 'auth', 0, NULL, NULL)")
      .run(id, user, `https://push.example/${id}`);
  };
  add(then, 'removed since', 'ann');
  add(then, 'kept', 'ann');
  add(now, 'kept', 'ann');
  add(now, 'added since', 'ann');
  add(now, 'of a person since', 'eve');
  then.exec("INSERT INTO signing_keys VALUES ('web-push', 'old', 0)");
  now.exec("INSERT INTO signing_keys VALUES ('web-push', 'new', 0)");
  restore();
  expect(all('SELECT id FROM push_devices ORDER BY id')).toEqual([['added since'], ['kept']]);
  expect(all("SELECT value FROM signing_keys WHERE name = 'web-push'")).toEqual([['new']]);
});

it('the second steps of now, so that a lost phone stays locked out and used codes stay used', () => {
  const add = (database: Database, user: string, secret: string | null, ...codes: string[]): void => {
    database.prepare("INSERT INTO users VALUES (?, ?, ?, 'Ann', '', 0, '{}', 0, NULL)").run(user, user, user);
    if (secret === null) return;
    database.prepare('INSERT INTO second_factors VALUES (?, ?, 1, 0)').run(user, secret);
    for (const code of codes) database.prepare('INSERT INTO recovery_codes VALUES (?, ?)').run(user, code);
  };
  add(then, 'replaced', 'lost', 'used', 'open');
  add(now, 'replaced', 'new', 'open');
  add(then, 'turned off', 'lost', 'used');
  add(now, 'turned off', null);
  add(then, 'turned on', null);
  add(now, 'turned on', 'new', 'open');
  add(then, 'deleted since', 'as it was', 'as it was');
  add(now, 'of a person since', 'new', 'open');
  restore();
  expect(all('SELECT user_id, secret FROM second_factors ORDER BY user_id')).toEqual([
    ['deleted since', 'as it was'],
    ['replaced', 'new'],
    ['turned on', 'new'],
  ]);
  expect(all('SELECT user_id, hash FROM recovery_codes ORDER BY user_id, hash')).toEqual([
    ['deleted since', 'as it was'],
    ['replaced', 'open'],
    ['turned on', 'open'],
  ]);
});

it('the passkeys of now, so that a removed one stays removed and counters never fall', () => {
  const add = (database: Database, user: string, ...passkeys: readonly [id: string, counter: number][]): void => {
    database.prepare("INSERT INTO users VALUES (?, ?, ?, 'Ann', '', 0, '{}', 0, NULL)").run(user, user, user);
    for (const [id, counter] of passkeys) {
      database
        .prepare("INSERT INTO passkeys VALUES (?, ?, ?, x'a5', ?, '[]', 'home.example', 'Phone', 0, 0, NULL)")
        .run(id, user, id, counter);
    }
  };
  add(then, 'ann', ['kept', 3], ['removed since', 1]);
  add(now, 'ann', ['kept', 9], ['created since', 1]);
  add(then, 'deleted since', ['as it was', 1]);
  add(now, 'of a person since', ['of no one', 1]);
  restore();
  expect(all('SELECT id, counter FROM passkeys ORDER BY id')).toEqual([
    ['as it was', 1],
    ['created since', 1],
    ['kept', 9],
  ]);
});

it('the version that runs now, and the time of the last question for a new one', () => {
  const set = (database: Database, key: string, value: string) =>
    database.prepare('INSERT INTO settings VALUES (?, ?)').run(key, value);
  set(then, 'program.version', '1.0.0');
  set(then, 'program.previous_version', '0.9.0');
  set(then, 'updates.check', '{"askedAt":1}');
  set(now, 'program.version', '1.1.0');
  set(now, 'updates.check', '{"askedAt":2}');
  restore();
  expect(
    all("SELECT key, value FROM settings WHERE key LIKE 'program.%' OR key LIKE 'updates.%' ORDER BY key"),
  ).toEqual([
    ['program.version', '1.1.0'],
    ['updates.check', '{"askedAt":2}'],
  ]);
});

it('no buttons of notifications that were not pressed: one may have been since', () => {
  then.exec(`
    INSERT INTO notifications (id, message, channels_sent, rate_limited, created_at, buttons, pressed_at)
    VALUES ('open', 'Open', 'local', 0, 1, '[{"id":"close","title":"Close"}]', NULL),
           ('pressed', 'Open', 'local', 0, 1, '[{"id":"close","title":"Close"}]', 5)`);
  restore();
  expect(all('SELECT id, buttons IS NULL FROM notifications ORDER BY id')).toEqual([
    ['open', 1],
    ['pressed', 0],
  ]);
});

it('no share whose schedule has ended, by either database', () => {
  const schedule = (database: Database, id: string, text: string, end: number | null): void => {
    share(database, id, null);
    database.prepare('UPDATE shares SET access_schedule = ?, expired_end = ? WHERE id = ?').run(text, end, id);
  };
  schedule(then, 'ended since', 'until 5', null);
  schedule(now, 'ended since', 'until 5', 5);
  schedule(then, 'ended then', 'until 5', 5);
  schedule(now, 'ended then', 'until 9', null);
  schedule(then, 'open then', 'until 9', null);
  schedule(now, 'open then', 'until 5', 5);
  restore();
  expect(all('SELECT id, expired_end FROM shares ORDER BY id')).toEqual([
    ['ended since', 5],
    ['ended then', 5],
    ['open then', null],
  ]);
});

it('no share that was ended since, while its link still is good for others of the same thing', () => {
  for (const id of ['ended', 'kept']) share(then, id, id, 'link');
  share(now, 'kept', 'kept', 'link');
  share(then, 'gone with its link', 'as it was');
  restore();
  expect(all('SELECT id FROM shares ORDER BY id')).toEqual([['gone with its link'], ['kept']]);
});

it('all of another home’s but the keys of the devices here', () => {
  now.exec("UPDATE settings SET value = 'another home' WHERE key = 'instance.id'");
  invite(then, 'theirs@example.org');
  invite(now, 'ours@example.org');
  share(then, 'theirs', 'theirs');
  then.exec(
    "INSERT INTO push_devices VALUES ('theirs', 'ann', 'session', 'Phone', 'https://p', 'k', 'a', 0, NULL, NULL)",
  );
  restore();
  // Their sessions end with the restore, so no browser of theirs is signed in.
  expect(all('SELECT id FROM push_devices')).toEqual([]);
  expect(all('SELECT email FROM invitations')).toEqual([['theirs@example.org']]);
  expect(all('SELECT passcode_hash FROM shares')).toEqual([['theirs']]);
});

/**
 * A token that ended what it made, an app that was allowed again since, an app whose sign-in was revoked since, and one
 * that goes on.
 */
it('nothing that ended with its app or token since comes back to count', () => {
  const madeBy = (database: Database, id: string, maker: string, columns: Record<string, unknown>): void =>
    void database
      .prepare(
        `INSERT INTO made_by (thing, thing_id, maker, token_id, client_id, user_id, consent_at, grant_hash, created_at)
         VALUES ('share', @id, @maker, @token, @client, @user, @consentAt, @grant, 0)`,
      )
      .run({ id, maker, token: null, client: null, user: null, consentAt: null, grant: null, ...columns });
  const consent = (database: Database, client: string, createdAt: number): void =>
    void database
      .prepare("INSERT INTO oauth_consents VALUES (?, 'ann', 'admin', NULL, 'api', ?, 0, NULL)")
      .run(client, createdAt);
  const token = (database: Database, id: string, endedAt: number | null): void =>
    void database
      .prepare("INSERT INTO access_tokens VALUES (?, 'T', ?, 'hc_', NULL, 'ann', 0, NULL, NULL, NULL, NULL, ?)")
      .run(id, id, endedAt);
  const grant = (database: Database, id: string, client: string): void =>
    void database
      .prepare("INSERT INTO oauth_artifacts VALUES ('Grant', ?, '{}', ?, 'ann', ?, 0, 0, NULL, NULL, NULL)")
      .run(id, client, id);
  then.exec("INSERT INTO users VALUES ('ann', 'a@b.c', 'a@b.c', 'Ann', '', 1, '{}', 0, NULL)");
  for (const database of [then, now]) {
    token(database, 'token', database === then ? null : 7);
    consent(database, 'again', database === then ? 1 : 2);
    consent(database, 'same', 1);
    grant(database, 'goes on', 'same');
  }
  grant(then, 'stolen', 'same');
  madeBy(then, 'of the token', 'token token', { token: 'token' });
  madeBy(then, 'of the app let in again', 'app again ann', { client: 'again', user: 'ann', consentAt: 1 });
  madeBy(then, 'of the stolen sign-in', 'app same ann', { client: 'same', user: 'ann', consentAt: 1, grant: 'stolen' });
  madeBy(then, 'of the app', 'app same ann', { client: 'same', user: 'ann', consentAt: 1, grant: 'goes on' });
  restore();
  const over = new MakerStore(then).over(0).map(({ thingId }) => thingId);
  expect(over.sort()).toEqual(['of the app let in again', 'of the stolen sign-in', 'of the token']);
});

it('a token that a token made since is still listed with that token and ends with it', () => {
  const token = (id: string): void =>
    void now
      .prepare("INSERT INTO access_tokens VALUES (?, 'T', ?, 'hc_', NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL)")
      .run(id, id);
  for (const id of ['first', 'second']) token(id);
  const makers = new MakerStore(now);
  makers.save('access_token', 'second', { kind: 'token', tokenId: 'first' }, null, 0);
  makers.save('share', 'made since', { kind: 'token', tokenId: 'first' }, null, 0);
  restore();
  expect(new MakerStore(then).byToken('first', 0).map(({ thingId }) => thingId)).toEqual(['second']);
});

/** A publication with one bridge: its things by aid, and one controller if there is one. */
function publish(
  database: Database,
  id: string,
  bridge: {
    readonly key: string;
    readonly things: Readonly<Record<string, number>>;
    readonly number?: number;
    readonly controller?: string;
  },
): void {
  database.prepare(`INSERT INTO publications VALUES (?, 'home', 'Hearth', 'homekit', '{}', 0, 0, NULL, 0)`).run(id);
  database
    .prepare(`INSERT INTO homekit_bridges VALUES (?, ?, 1, NULL, ?, 'ABCD', '031-45-154', x'00', 1, ?, 'hash')`)
    .run(bridge.key, id, bridge.key, bridge.number ?? 1);
  for (const [thing, aid] of Object.entries(bridge.things)) {
    database.prepare('INSERT INTO homekit_things VALUES (?, ?, ?)').run(bridge.key, thing, aid);
    database.prepare(`INSERT INTO homekit_iids VALUES (?, ?, 'on', 8)`).run(bridge.key, aid);
  }
  if (bridge.controller !== undefined) {
    database
      .prepare(`INSERT INTO homekit_controllers VALUES (?, ?, x'00', 1, 0, NULL)`)
      .run(bridge.key, bridge.controller);
  }
}

it('published ids as controllers saw them last, united with those of the backup, and counted on', () => {
  publish(then, 'kept', { key: 'bridge', things: { lamp: 2 }, number: 7, controller: 'removed since' });
  publish(now, 'kept', { key: 'bridge', things: { lamp: 2, door: 3 }, number: 5, controller: 'phone' });
  publish(now, 'made since', { key: 'other', things: { lamp: 2 }, controller: 'tablet' });
  restore();
  expect(all('SELECT bridge_id, thing, aid FROM homekit_things ORDER BY bridge_id, aid')).toEqual([
    ['bridge', 'lamp', 2],
    ['bridge', 'door', 3],
    ['other', 'lamp', 2],
  ]);
  expect(all('SELECT id, config_number FROM homekit_bridges ORDER BY id')).toEqual([
    ['bridge', 7],
    ['other', 1],
  ]);
  expect(all('SELECT identifier FROM homekit_controllers ORDER BY identifier')).toEqual([['phone'], ['tablet']]);
});

it('the PINs for locks of now, and the count by which controllers see that locks are other ones', () => {
  const pin = (database: Database, id: string, hash: string | null, changes: number) => {
    publish(database, id, { key: id, things: {} });
    database
      .prepare('UPDATE publications SET lock_pin_hash = ?, lock_pin_changes = ? WHERE id = ?')
      .run(hash, changes, id);
  };
  pin(then, 'changed', 'old', 1);
  pin(now, 'changed', 'new', 3);
  pin(then, 'removed', 'old', 1);
  pin(now, 'removed', null, 2);
  pin(then, 'set', null, 4);
  pin(now, 'set', 'new', 1);
  restore();
  expect(all('SELECT id, lock_pin_hash, lock_pin_changes FROM publications ORDER BY id')).toEqual([
    ['changed', 'new', 3],
    ['removed', null, 2],
    ['set', 'new', 4],
  ]);
});

it('no controller and no code of a publication that was deleted or reset since', () => {
  publish(then, 'deleted', { key: 'gone', things: { lamp: 2 }, controller: 'phone' });
  publish(then, 'reset', { key: 'leaked', things: { lamp: 2 }, controller: 'stranger' });
  publish(now, 'reset', { key: 'new', things: { door: 2 } });
  restore();
  expect(all('SELECT id, paused FROM publications ORDER BY id')).toEqual([
    ['deleted', 1],
    ['reset', 0],
  ]);
  expect(all('SELECT id FROM homekit_bridges ORDER BY id')).toEqual([['gone'], ['new']]);
  expect(all('SELECT bridge_id, thing FROM homekit_things ORDER BY bridge_id')).toEqual([
    ['gone', 'lamp'],
    ['new', 'door'],
  ]);
  expect(all('SELECT * FROM homekit_controllers')).toEqual([]);
});

it('the whole bridge on another machine, with a configuration number that controllers have not seen', () => {
  publish(then, 'kept', { key: 'bridge', things: { lamp: 2 }, number: 65_500, controller: 'phone' });
  publish(now, 'of this machine', { key: 'other', things: {} });
  now.exec("UPDATE settings SET value = 'another home' WHERE key = 'instance.id'");
  restore();
  expect(all('SELECT id, device_id, config_number FROM homekit_bridges')).toEqual([['bridge', 'bridge', 65]]);
  expect(all('SELECT identifier FROM homekit_controllers')).toEqual([['phone']]);
});

/** A publication over Matter: its things by number. What is stored, and the fabrics, are named after the moment. */
function publishOverMatter(
  database: Database,
  id: string,
  bridge: { readonly key: string; readonly things: Readonly<Record<string, number>>; readonly next?: number },
): void {
  const moment = database === now ? 'now' : 'then';
  database.prepare(`INSERT INTO publications VALUES (?, 'home', 'Hearth', 'matter', '{}', 0, 0, NULL, 0)`).run(id);
  database
    .prepare(`INSERT INTO matter_bridges VALUES (?, ?, ?, 34567890, 1234, ?, 5540, NULL, NULL, ?)`)
    .run(id, bridge.key, `unique ${bridge.key}`, bridge.next ?? 9, JSON.stringify([moment]));
  for (const [thing, number] of Object.entries(bridge.things)) {
    database
      .prepare(`INSERT INTO matter_endpoints VALUES (?, ?, 'light', ?, ?)`)
      .run(bridge.key, thing, number, `unique ${thing}`);
  }
  database.prepare(`INSERT INTO matter_storage VALUES (?, 'fabrics', ?, x'00')`).run(bridge.key, moment);
}

it('over Matter, numbers as controllers saw them last, united with those of the backup, and the fabrics of now', () => {
  publishOverMatter(then, 'kept', { key: 'bridge', things: { lamp: 2 }, next: 9 });
  publishOverMatter(now, 'kept', { key: 'bridge', things: { lamp: 2, door: 3 }, next: 4 });
  publishOverMatter(now, 'made since', { key: 'other', things: { lamp: 2 } });
  restore();
  expect(all('SELECT bridge_id, thing, number FROM matter_endpoints ORDER BY bridge_id, number')).toEqual([
    ['bridge', 'lamp', 2],
    ['bridge', 'door', 3],
    ['other', 'lamp', 2],
  ]);
  expect(all('SELECT id, unique_id, next_number, fabrics FROM matter_bridges ORDER BY id')).toEqual([
    ['bridge', 'unique bridge', 9, '["now"]'],
    ['other', 'unique other', 9, '["now"]'],
  ]);
  expect(all('SELECT bridge_id, key FROM matter_storage ORDER BY bridge_id')).toEqual([
    ['bridge', 'now'],
    ['other', 'now'],
  ]);
});

it('over Matter, no fabric and no key of a publication that was deleted or reset since', () => {
  publishOverMatter(then, 'deleted', { key: 'gone', things: { lamp: 2 } });
  publishOverMatter(then, 'reset', { key: 'leaked', things: { lamp: 2 } });
  publishOverMatter(now, 'reset', { key: 'new', things: { door: 2 } });
  restore();
  expect(all('SELECT id, paused FROM publications ORDER BY id')).toEqual([
    ['deleted', 1],
    ['reset', 0],
  ]);
  expect(all('SELECT id, fabrics FROM matter_bridges ORDER BY id')).toEqual([
    ['gone', '[]'],
    ['new', '["now"]'],
  ]);
  expect(all('SELECT bridge_id, thing FROM matter_endpoints ORDER BY bridge_id')).toEqual([
    ['gone', 'lamp'],
    ['new', 'door'],
  ]);
  expect(all('SELECT bridge_id, key FROM matter_storage')).toEqual([['new', 'now']]);
});

it('over Matter, the whole bridge on another machine, with numbers that were never given away', () => {
  publishOverMatter(then, 'kept', { key: 'bridge', things: { lamp: 2 }, next: 3 });
  publishOverMatter(now, 'of this machine', { key: 'other', things: {} });
  now.exec("UPDATE settings SET value = 'another home' WHERE key = 'instance.id'");
  restore();
  expect(all('SELECT id, unique_id, next_number, fabrics FROM matter_bridges')).toEqual([
    ['bridge', 'unique bridge', 503, '["then"]'],
  ]);
  expect(all('SELECT bridge_id, key FROM matter_storage')).toEqual([['bridge', 'then']]);
});
