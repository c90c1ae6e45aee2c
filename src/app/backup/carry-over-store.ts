/**
 * What a restored database takes over from the database that it replaces. A restore brings back the home: homes,
 * rooms, names, scenes, automations, people and their roles. It does not bring back
 *
 * - **keys**: devices keep their current keys, and no pairing is lost. Pairings made since the backup can't be
 * replaced; pairings removed since show as lost, to be removed or paired again;
 * - **access**: passwords, second factors, passkeys, sessions, access tokens, apps, invitations and links that have
 * ended stay ended, with what apps and tokens made. Devices that receive notifications are those of now, with the key
 * that they know. Phones go on trusting https. The user who restores stays signed in, if the backup contains the
 * account. Accounts deleted since are restored with their roles;
 * - **published ids and keys**: bridges that controllers know keep their identity, their controllers and every id
 * since the backup; configuration numbers never fall. PINs for locks are those of now. A publication deleted since is
 * restored paused, without controllers;
 * - **work in progress**: a run, a timer or a delivery of that time must not continue now;
 * - **the former state**: devices' values and presence would look like changes, and trigger automations.
 *
 * From a backup of another installation, only the keys of this installation's devices are kept: its people sign in
 * with the credentials in the backup.
 */
import type { Database } from '../../storage/database.ts';

const LINEAGE = 'pairings.lineage';
const GENERATION = 'pairings.generation';
const INSTANCE = 'instance.id';

/** Ends work in progress. Slots are planned again from now on; "for" starts again. */
const END_WHAT_WAS_UNDER_WAY = [
  'DELETE FROM main.run_steps',
  'DELETE FROM main.runs',
  'DELETE FROM main.holds',
  'DELETE FROM main.slots',
  'DELETE FROM main.webhook_queue',
  // One that was pressed since would have its buttons again.
  'UPDATE main.notifications SET buttons = NULL WHERE pressed_at IS NULL',
  'UPDATE main.adaptive_lighting_lamps SET paused_at = NULL, resumes_at = NULL, schedule_at = NULL',
  `UPDATE main.virtual_accessories SET value = '"idle"',
     timer = CASE WHEN json_valid(timer)
       THEN json_set(timer, '$.startedAt', NULL, '$.endsAt', NULL, '$.remainingMs', NULL) ELSE '{}' END
     WHERE timer IS NOT NULL`,
];

/** Devices keep their current state, regardless of the backup. */
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
  // Used codes stay used, and a lost app stays locked out.
  'DELETE FROM main.recovery_codes WHERE user_id IN (SELECT id FROM now.users)',
  'DELETE FROM main.second_factors WHERE user_id IN (SELECT id FROM now.users)',
  `INSERT INTO main.second_factors SELECT * FROM now.second_factors WHERE user_id ${IS_THERE}`,
  `INSERT INTO main.recovery_codes SELECT * FROM now.recovery_codes WHERE user_id ${IS_THERE}`,
  // As for second factors; and a counter that fell would refuse the passkey, or let a copy in.
  'DELETE FROM main.passkeys WHERE user_id IN (SELECT id FROM now.users)',
  `INSERT OR REPLACE INTO main.passkeys SELECT * FROM now.passkeys WHERE user_id ${IS_THERE}`,
  'DELETE FROM main.known_devices',
  `INSERT INTO main.known_devices SELECT * FROM now.known_devices WHERE user_id ${IS_THERE}`,
  'DELETE FROM main.signing_keys',
  'INSERT INTO main.signing_keys SELECT * FROM now.signing_keys',
  'DELETE FROM main.https',
  'INSERT INTO main.https SELECT * FROM now.https',
  'DELETE FROM main.https_keys',
  'INSERT INTO main.https_keys SELECT * FROM now.https_keys',
  'DELETE FROM main.sessions',
  `INSERT INTO main.sessions SELECT * FROM now.sessions WHERE user_id ${IS_THERE}`,
  'DELETE FROM main.push_devices',
  `INSERT INTO main.push_devices SELECT * FROM now.push_devices WHERE user_id ${IS_THERE}`,
  'DELETE FROM main.ntfy_topics',
  `INSERT INTO main.ntfy_topics SELECT * FROM now.ntfy_topics WHERE user_id ${IS_THERE}`,
  'DELETE FROM main.access_tokens',
  'INSERT INTO main.access_tokens SELECT * FROM now.access_tokens',
  // Tokens that tokens made since the backup are kept with their makers.
  "INSERT OR IGNORE INTO main.made_by SELECT * FROM now.made_by WHERE thing = 'access_token'",
  'DELETE FROM main.oauth_artifacts',
  'DELETE FROM main.oauth_consents',
  'DELETE FROM main.oauth_clients',
  'INSERT INTO main.oauth_clients SELECT * FROM now.oauth_clients',
  `INSERT INTO main.oauth_consents SELECT * FROM now.oauth_consents WHERE user_id ${IS_THERE}`,
  `INSERT INTO main.oauth_artifacts SELECT * FROM now.oauth_artifacts WHERE user_id ${IS_THERE}`,
  // What ended with a sign-in of an app stays ended. The rows of apps and tokens record what ended with them.
  `UPDATE main.made_by AS old SET consent_at = NULL
     WHERE grant_hash NOT IN (SELECT id_hash FROM now.oauth_artifacts WHERE kind = 'Grant') AND NOT EXISTS
       (SELECT 1 FROM now.made_by WHERE thing = old.thing AND thing_id = old.thing_id AND maker = old.maker)`,
  'DELETE FROM main.attempts',
  'INSERT INTO main.attempts SELECT * FROM now.attempts',
  // An invitation revoked or used since the backup is no longer valid.
  'DELETE FROM main.invitations',
  `INSERT INTO main.invitations SELECT * FROM now.invitations WHERE home_id IN (SELECT id FROM main.homes)
     AND (user_id IS NULL OR user_id ${IS_THERE}) AND (inviter_id IS NULL OR inviter_id ${IS_THERE})`,
  `UPDATE main.shares AS old SET (passcode_hash, long_passcode) =
     (SELECT passcode_hash, long_passcode FROM now.shares WHERE id = old.id)
     WHERE passcode_hash IS NOT NULL AND id IN (SELECT id FROM now.shares WHERE passcode_hash IS NOT NULL)`,
  `UPDATE main.webhooks AS old SET (secret, previous_secret, previous_secret_until) =
     (SELECT secret, previous_secret, previous_secret_until FROM now.webhooks WHERE id = old.id)
     WHERE id IN (SELECT id FROM now.webhooks)`,
  // A schedule that has ended stays ended, in the backup or in the current database.
  `UPDATE main.shares AS old SET expired_end = coalesce(
       (SELECT expired_end FROM now.shares WHERE id = old.id AND access_schedule IS old.access_schedule), expired_end)
     WHERE access_schedule IS NOT NULL`,
  // A share deleted since the backup would be reachable by the link that other shares of the entity still use.
  `DELETE FROM main.shares AS old WHERE id NOT IN (SELECT id FROM now.shares)
     AND EXISTS (SELECT 1 FROM now.shares WHERE entity_type = old.entity_type AND link_id = old.link_id)`,
  // The link of an entity whose last share was deleted stays invalid, though the share exists again.
  'INSERT OR REPLACE INTO main.share_epochs SELECT * FROM now.share_epochs',
];

const IS_OF_THE_PROGRAM = "key IN ('updates.check', 'program.version', 'program.previous_version')";

const KEEP_WHAT_IT_IS_LIKE = [
  "DELETE FROM main.settings WHERE key = 'accessories.unreachable'",
  "INSERT INTO main.settings SELECT * FROM now.settings WHERE key = 'accessories.unreachable'",
  // A restore is no upgrade, and must not make the relay ask for updates a second time within a day.
  `DELETE FROM main.settings WHERE ${IS_OF_THE_PROGRAM}`,
  `INSERT INTO main.settings SELECT * FROM now.settings WHERE ${IS_OF_THE_PROGRAM}`,
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

const HAS_BRIDGE = 'IN (SELECT id FROM main.homekit_bridges)';
const IS_NOW = 'IN (SELECT id FROM now.publications)';
/** Tables of a bridge's ids and controllers. */
const OF_BRIDGES = ['homekit_things', 'homekit_iids', 'homekit_controllers', 'homekit_days'] as const;

/** Ids are united: what controllers saw last wins, and what the backup alone has is kept if its ids are free. */
const KEEP_PUBLISHED = [
  `UPDATE main.publications AS old SET paused =
     coalesce((SELECT paused FROM now.publications WHERE id = old.id), 1)`,
  `UPDATE main.publications AS old SET (lock_pin_hash, lock_pin_changes) =
     (SELECT lock_pin_hash, max(lock_pin_changes, old.lock_pin_changes) FROM now.publications WHERE id = old.id)
     WHERE id ${IS_NOW}`,
  `INSERT OR IGNORE INTO main.publications SELECT * FROM now.publications
     WHERE home_id IN (SELECT id FROM main.homes UNION SELECT home_id FROM main.pairings)`,
  // An identity that was reset since stays invalid.
  `DELETE FROM main.homekit_bridges WHERE publication_id ${IS_NOW} AND id NOT IN (SELECT id FROM now.homekit_bridges)`,
  `INSERT OR REPLACE INTO main.homekit_bridges
     SELECT id, publication_id, number, thing, device_id, setup_id, setup_code, secret_key, port,
       max(config_number, coalesce((SELECT config_number FROM main.homekit_bridges AS old WHERE old.id = kept.id), 1)),
       database_hash
     FROM now.homekit_bridges AS kept WHERE publication_id IN (SELECT id FROM main.publications)`,
  'DELETE FROM main.homekit_controllers',
  'DELETE FROM main.homekit_days',
  ...OF_BRIDGES.flatMap((table) => [
    `DELETE FROM main.${table} WHERE bridge_id NOT ${HAS_BRIDGE}`,
    `INSERT OR REPLACE INTO main.${table} SELECT * FROM now.${table} WHERE bridge_id ${HAS_BRIDGE}`,
  ]),
];

const HAS_MATTER_BRIDGE = 'IN (SELECT id FROM main.matter_bridges)';

/** As for HomeKit. A bridge has the fabrics, keys and counters of now: those of the backup are no longer valid. */
const KEEP_MATTER = [
  `DELETE FROM main.matter_bridges WHERE publication_id ${IS_NOW} AND id NOT IN (SELECT id FROM now.matter_bridges)`,
  "UPDATE main.matter_bridges SET fabrics = '[]'",
  `INSERT OR REPLACE INTO main.matter_bridges
     SELECT publication_id, id, unique_id, passcode, discriminator,
       max(next_number, coalesce((SELECT next_number FROM main.matter_bridges AS old WHERE old.id = kept.id), 0)),
       port, manual_code, qr_code, fabrics
     FROM now.matter_bridges AS kept WHERE publication_id IN (SELECT id FROM main.publications)`,
  `DELETE FROM main.matter_endpoints WHERE bridge_id NOT ${HAS_MATTER_BRIDGE}`,
  `INSERT OR REPLACE INTO main.matter_endpoints SELECT * FROM now.matter_endpoints WHERE bridge_id ${HAS_MATTER_BRIDGE}`,
  'DELETE FROM main.matter_storage',
  `INSERT INTO main.matter_storage SELECT * FROM now.matter_storage WHERE bridge_id ${HAS_MATTER_BRIDGE}`,
];

/**
 * The replaced database may have counted further, and is not there to ask. HAP's configuration numbers go from 1 to
 * 65,535.
 */
const COUNT_ON_PUBLISHED = [
  'UPDATE main.homekit_bridges SET config_number = (config_number + 99) % 65535 + 1',
  'UPDATE main.matter_bridges SET next_number = next_number + 500',
  'UPDATE main.publications SET lock_pin_changes = lock_pin_changes + 500',
];

/**
 * @param database the restored one, with this version's schema, without foreign key checks: the start creates homes
 * of kept pairings that it does not contain.
 * @param current the path of the replaced one, not open in any process; `null` if it is lost.
 */
export function carryOver(database: Database, current: string | null): void {
  if (current === null) {
    runAll(database, [...END_WHAT_WAS_UNDER_WAY, ...COUNT_ON_PUBLISHED]);
    return;
  }
  database.prepare('ATTACH ? AS now').run(current);
  try {
    const isSameHome = settingOf(database, 'main', INSTANCE) === settingOf(database, 'now', INSTANCE);
    const ofThisHome = [...KEEP_WHO_MAY_COME_IN, ...KEEP_WHAT_IT_IS_LIKE, ...KEEP_PUBLISHED, ...KEEP_MATTER];
    database
      .transaction(() => {
        runAll(database, [
          ...END_WHAT_WAS_UNDER_WAY,
          ...KEEP_DEVICES,
          ...(isSameHome ? ofThisHome : COUNT_ON_PUBLISHED),
        ]);
        if (!isSameHome) runAll(database, ['DELETE FROM main.sessions', 'DELETE FROM main.push_devices']);
        countOn(database);
      })
      .immediate();
  } finally {
    database.exec('DETACH now');
  }
}

/**
 * The replaced database wrote `pairings.json`. The restored one contains all its pairings, so it gets a later
 * generation of the same lineage and takes precedence.
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
