/**
 * What a restored database takes over from the one that it replaces. A restore brings back the house: homes, rooms, names, scenes,
 * automations, people and their roles. It does not bring back
 *
 * - **keys**: devices keep what they agreed on since, and no pairing is lost: those made since are irreplaceable, and those that were
 *   dissolved since show as lost, to be removed or made anew;
 * - **who may come in**: passwords, sessions, access tokens, apps, invitations and links that were ended stay ended, and whoever restores
 *   stays signed in, as far as the account is in the backup. Accounts that were deleted since are people, and are back with their roles;
 * - **what was under way**: a run, a timer or a delivery of then must not go on now;
 * - **what the house was like**: devices' values and who was at home would look like changes, and set off automations.
 *
 * Of another house's backup only the keys of this one's devices stay: its people sign in with what they had there.
 */
import type { Database } from '../../storage/database.ts';

const LINEAGE = 'pairings.lineage';
const GENERATION = 'pairings.generation';
const INSTANCE = 'instance.id';

/** Nothing of then goes on. Slots are planned anew from now on; "for" begins anew. */
const END_WHAT_WAS_UNDER_WAY = [
  'DELETE FROM main.run_steps',
  'DELETE FROM main.runs',
  'DELETE FROM main.holds',
  'DELETE FROM main.slots',
  'DELETE FROM main.webhook_queue',
  `UPDATE main.virtual_accessories SET value = '"idle"',
     timer = json_set(timer, '$.startedAt', NULL, '$.endsAt', NULL, '$.remainingMs', NULL) WHERE timer IS NOT NULL`,
];

/** Devices are as they are, whatever was known of them then. */
const KEEP_DEVICES = [
  'INSERT OR REPLACE INTO main.pairings SELECT * FROM now.pairings',
  'INSERT OR REPLACE INTO main.accessory_databases SELECT * FROM now.accessory_databases',
  'INSERT OR REPLACE INTO main.device_limits SELECT * FROM now.device_limits',
  'INSERT OR IGNORE INTO main.manual_devices SELECT * FROM now.manual_devices',
];

const IS_THERE = 'IN (SELECT id FROM main.users)';

const KEEP_WHO_MAY_COME_IN = [
  `UPDATE main.users AS old SET password_hash =
     (SELECT password_hash FROM now.users WHERE id = old.id) WHERE id IN (SELECT id FROM now.users)`,
  'DELETE FROM main.signing_keys',
  'INSERT INTO main.signing_keys SELECT * FROM now.signing_keys',
  'DELETE FROM main.sessions',
  `INSERT INTO main.sessions SELECT * FROM now.sessions WHERE user_id ${IS_THERE}`,
  'DELETE FROM main.access_tokens',
  'INSERT INTO main.access_tokens SELECT * FROM now.access_tokens',
  'DELETE FROM main.oauth_artifacts',
  'DELETE FROM main.oauth_consents',
  'DELETE FROM main.oauth_clients',
  'INSERT INTO main.oauth_clients SELECT * FROM now.oauth_clients',
  `INSERT INTO main.oauth_consents SELECT * FROM now.oauth_consents WHERE user_id ${IS_THERE}`,
  `INSERT INTO main.oauth_artifacts SELECT * FROM now.oauth_artifacts WHERE user_id ${IS_THERE}`,
  'DELETE FROM main.attempts',
  'INSERT INTO main.attempts SELECT * FROM now.attempts',
  // One that was withdrawn or used since opens nothing any more.
  'DELETE FROM main.invitations',
  `INSERT INTO main.invitations SELECT * FROM now.invitations WHERE home_id IN (SELECT id FROM main.homes)
     AND (user_id IS NULL OR user_id ${IS_THERE}) AND (inviter_id IS NULL OR inviter_id ${IS_THERE})`,
  `UPDATE main.shares AS old SET passcode_hash = (SELECT passcode_hash FROM now.shares WHERE id = old.id)
     WHERE passcode_hash IS NOT NULL AND id IN (SELECT id FROM now.shares WHERE passcode_hash IS NOT NULL)`,
  `UPDATE main.webhooks AS old SET (secret, previous_secret, previous_secret_until) =
     (SELECT secret, previous_secret, previous_secret_until FROM now.webhooks WHERE id = old.id)
     WHERE id IN (SELECT id FROM now.webhooks)`,
  // A share that was ended since would be reached by the link that others of the same thing still use.
  `DELETE FROM main.shares AS old WHERE id NOT IN (SELECT id FROM now.shares)
     AND EXISTS (SELECT 1 FROM now.shares WHERE entity_type = old.entity_type AND link_id = old.link_id)`,
  // The link of one that was the last of its thing stays dead, though the share is there again.
  'INSERT OR REPLACE INTO main.share_epochs SELECT * FROM now.share_epochs',
];

const KEEP_WHAT_IT_IS_LIKE = [
  `INSERT OR REPLACE INTO main.last_values
     SELECT * FROM now.last_values WHERE accessory_id IN (SELECT id FROM main.accessories)`,
  `UPDATE main.people AS old SET (at_home, changed_at, latitude, longitude, accuracy_m, located_at) =
     (SELECT at_home, changed_at, latitude, longitude, accuracy_m, located_at FROM now.people WHERE id = old.id)
     WHERE id IN (SELECT id FROM now.people)`,
  `UPDATE main.virtual_accessories AS old SET (value, timer) =
     (SELECT value, timer FROM now.virtual_accessories WHERE source = old.source)
     WHERE source IN (SELECT source FROM now.virtual_accessories WHERE timer IS NOT NULL)`,
  `INSERT INTO main.webhook_queue
     SELECT * FROM now.webhook_queue WHERE webhook_id IN (SELECT id FROM main.webhooks) ORDER BY seq`,
  'INSERT OR IGNORE INTO main.mqtt_topics SELECT * FROM now.mqtt_topics',
];

/**
 * @param database the restored one, of this version's schema, without checks of foreign keys: homes of kept pairings that it does
 *        not know are made anew at the start.
 * @param current the path of the one that it replaces, which nobody has open; `null` where that is lost.
 */
export function carryOver(database: Database, current: string | null): void {
  if (current === null) {
    runAll(database, END_WHAT_WAS_UNDER_WAY);
    return;
  }
  database.prepare('ATTACH ? AS now').run(current);
  try {
    const isSameHouse = settingOf(database, 'main', INSTANCE) === settingOf(database, 'now', INSTANCE);
    const ofThisHouse = [...KEEP_WHO_MAY_COME_IN, ...KEEP_WHAT_IT_IS_LIKE];
    database
      .transaction(() => {
        runAll(database, [...END_WHAT_WAS_UNDER_WAY, ...KEEP_DEVICES, ...(isSameHouse ? ofThisHouse : [])]);
        if (!isSameHouse) runAll(database, ['DELETE FROM main.sessions']);
        countOn(database);
      })
      .immediate();
  } finally {
    database.exec('DETACH now');
  }
}

/**
 * `pairings.json` was written from the database that is replaced. With a later generation of the same lineage the restored one,
 * which has all of that one's pairings, is believed.
 */
function countOn(database: Database): void {
  const lineage = settingOf(database, 'now', LINEAGE);
  if (lineage === undefined) return;
  const generation = Number(settingOf(database, 'now', GENERATION) ?? 0) + 1;
  const save = database.prepare('INSERT OR REPLACE INTO main.settings (key, value) VALUES (?, ?)');
  save.run(LINEAGE, lineage);
  save.run(GENERATION, String(generation));
}

function settingOf(database: Database, schema: 'main' | 'now', key: string): string | undefined {
  return database.prepare<[string], { value: string }>(`SELECT value FROM ${schema}.settings WHERE key = ?`).get(key)
    ?.value;
}

function runAll(database: Database, statements: readonly string[]): void {
  for (const statement of statements) database.prepare(statement).run();
}
