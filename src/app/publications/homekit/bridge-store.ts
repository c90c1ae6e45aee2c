import type { HapId } from '../../../home/model.ts';
import type { PairedController } from '../../../home/publication-port.ts';
import type { Database } from '../../../storage/database.ts';

export interface BridgeRecord {
  /** UUID, lower case. */
  readonly id: string;
  readonly publicationId: string;
  /** Of a bridge in its publication, from 1; `null` if a thing stands alone. */
  readonly number: number | null;
  /** The key of the thing that stands alone. */
  readonly thing: string | null;
  readonly deviceId: string;
  readonly setupId: string;
  readonly setupCode: string;
  readonly secretKey: Buffer;
  /** The port of the last start. */
  readonly port: number | null;
  readonly configNumber: number;
  /** Of the database that has this configuration number; `null` before the first one. */
  readonly databaseHash: string | null;
}

/** HAP specification §6.4: `c#` wraps to 1. */
export const MAX_CONFIG_NUMBER = 65_535;

export interface StoredController extends PairedController {
  readonly pairedAt: number;
  readonly lastSeenAt: number | null;
}

/** A day that a controller wrote for a lamp. */
export interface StoredDay {
  readonly accessoryId: string;
  readonly serviceIid: HapId;
  /** TLV8, as it was written. */
  readonly configuration: Buffer;
  readonly writtenAt: number;
}

interface BridgeRow {
  id: string;
  publication_id: string;
  number: number | null;
  thing: string | null;
  device_id: string;
  setup_id: string;
  setup_code: string;
  secret_key: Buffer;
  port: number | null;
  config_number: number;
  database_hash: string | null;
}

interface ControllerRow {
  identifier: string;
  public_key: Buffer;
  is_admin: 0 | 1;
  paired_at: number;
  last_seen_at: number | null;
}

/** The tables `homekit_…`. */
export class BridgeStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Runs `write` in a transaction, or as a part of the one that runs. */
  transaction<T>(write: () => T): T {
    return this.#database.transaction(write).immediate();
  }

  /** Bridges by number, then what stands alone. */
  bridgesOf(publicationId: string): readonly BridgeRecord[] {
    return this.#database
      .prepare<[string], BridgeRow>(
        'SELECT * FROM homekit_bridges WHERE publication_id = ? ORDER BY number IS NULL, number, thing',
      )
      .all(publicationId)
      .map(toBridge);
  }

  addBridge(bridge: BridgeRecord): void {
    this.#database
      .prepare(
        `INSERT INTO homekit_bridges (id, publication_id, number, thing, device_id, setup_id, setup_code, secret_key,
           port, config_number, database_hash)
         VALUES (@id, @publicationId, @number, @thing, @deviceId, @setupId, @setupCode, @secretKey, @port,
           @configNumber, @databaseHash)`,
      )
      .run(bridge);
  }

  savePort(bridgeId: string, port: number): void {
    this.#database.prepare('UPDATE homekit_bridges SET port = ? WHERE id = ?').run(port, bridgeId);
  }

  saveDatabase(bridgeId: string, configNumber: number, hash: string): void {
    this.#database
      .prepare('UPDATE homekit_bridges SET config_number = ?, database_hash = ? WHERE id = ?')
      .run(configNumber, hash, bridgeId);
  }

  /** With their ids and controllers. */
  deleteBridges(publicationId: string): void {
    this.#database.prepare('DELETE FROM homekit_bridges WHERE publication_id = ?').run(publicationId);
  }

  /** The aid of each thing. */
  aidsOf(bridgeId: string): ReadonlyMap<string, number> {
    const rows = this.#database
      .prepare<[string], { thing: string; aid: number }>('SELECT thing, aid FROM homekit_things WHERE bridge_id = ?')
      .all(bridgeId);
    return new Map(rows.map(({ thing, aid }) => [thing, aid]));
  }

  addThing(bridgeId: string, thing: string, aid: number): void {
    this.#database
      .prepare('INSERT INTO homekit_things (bridge_id, thing, aid) VALUES (?, ?, ?)')
      .run(bridgeId, thing, aid);
  }

  iidsOf(bridgeId: string): readonly { readonly aid: number; readonly part: string; readonly iid: number }[] {
    return this.#database
      .prepare<[string], { aid: number; part: string; iid: number }>(
        'SELECT aid, part, iid FROM homekit_iids WHERE bridge_id = ?',
      )
      .all(bridgeId);
  }

  addIids(bridgeId: string, aid: number, iids: Iterable<readonly [part: string, iid: number]>): void {
    const one = this.#database.prepare('INSERT INTO homekit_iids (bridge_id, aid, part, iid) VALUES (?, ?, ?, ?)');
    for (const [part, iid] of iids) one.run(bridgeId, aid, part, iid);
  }

  controllersOf(bridgeId: string): readonly StoredController[] {
    return this.#database
      .prepare<[string], ControllerRow>(
        `SELECT identifier, public_key, is_admin, paired_at, last_seen_at FROM homekit_controllers
         WHERE bridge_id = ? ORDER BY paired_at, identifier`,
      )
      .all(bridgeId)
      .map(toController);
  }

  /** Inserts or replaces the controller. */
  saveController(bridgeId: string, { isAdmin, ...controller }: StoredController): void {
    this.#database
      .prepare(
        `INSERT INTO homekit_controllers (bridge_id, identifier, public_key, is_admin, paired_at, last_seen_at)
         VALUES (@bridgeId, @identifier, @publicKey, @isAdmin, @pairedAt, @lastSeenAt)
         ON CONFLICT (bridge_id, identifier) DO UPDATE SET
           public_key = excluded.public_key, is_admin = excluded.is_admin, last_seen_at = excluded.last_seen_at`,
      )
      .run({ ...controller, bridgeId, isAdmin: Number(isAdmin) });
  }

  deleteControllers(bridgeId: string, identifiers: readonly string[]): void {
    this.transaction(() => {
      const one = this.#database.prepare('DELETE FROM homekit_controllers WHERE bridge_id = ? AND identifier = ?');
      for (const identifier of identifiers) one.run(bridgeId, identifier);
    });
  }

  daysOf(bridgeId: string): readonly StoredDay[] {
    return this.#database
      .prepare<[string], StoredDay>(
        `SELECT accessory_id AS accessoryId, service_iid AS serviceIid, configuration, written_at AS writtenAt
         FROM homekit_days WHERE bridge_id = ?`,
      )
      .all(bridgeId);
  }

  saveDay(bridgeId: string, day: StoredDay): void {
    this.#database
      .prepare(
        `INSERT OR REPLACE INTO homekit_days (bridge_id, accessory_id, service_iid, configuration, written_at)
         VALUES (@bridgeId, @accessoryId, @serviceIid, @configuration, @writtenAt)`,
      )
      .run({ ...day, bridgeId });
  }

  deleteDay(bridgeId: string, { accessoryId, serviceIid }: Pick<StoredDay, 'accessoryId' | 'serviceIid'>): void {
    this.#database
      .prepare('DELETE FROM homekit_days WHERE bridge_id = ? AND accessory_id = ? AND service_iid = ?')
      .run(bridgeId, accessoryId, serviceIid);
  }
}

function toBridge(row: BridgeRow): BridgeRecord {
  return {
    id: row.id,
    publicationId: row.publication_id,
    number: row.number,
    thing: row.thing,
    deviceId: row.device_id,
    setupId: row.setup_id,
    setupCode: row.setup_code,
    secretKey: row.secret_key,
    port: row.port,
    // An altered backup may hold another number.
    configNumber: Math.min(Math.max(row.config_number, 1), MAX_CONFIG_NUMBER),
    databaseHash: row.database_hash,
  };
}

function toController(row: ControllerRow): StoredController {
  return {
    identifier: row.identifier,
    publicKey: row.public_key,
    isAdmin: row.is_admin === 1,
    pairedAt: row.paired_at,
    lastSeenAt: row.last_seen_at,
  };
}
