/**
 * The pairings, in `relay.db` and in `pairings.json`. A loss would require a reset of every device in the home. So a
 * change is on disk in both places before it is acknowledged, and the next start restores missing records from the
 * other place.
 */
import { randomUUID } from 'node:crypto';
import { HearthError, messageOf } from '../../../kernel/errors.ts';
import type { Logger } from '../../../kernel/logger.ts';
import type { Database } from '../../../storage/database.ts';
import type { HostPort } from '../wire/dial.ts';
import type { PairingKeys } from '../wire/exchange.ts';
import { canonicalDeviceId } from './device-id.ts';
import type { CopyReading, PairingCopy } from './pairing-copy.ts';
import type { PairingHome, PairingRecord, PairingState } from './pairing-record.ts';
import { type DatabaseSide, type Reconciled, reconcilePairings } from './reconcile-pairings.ts';

export type { PairingHome, PairingRecord };

interface PairingRow {
  device_id: string;
  home_id: string;
  name: string;
  model: string;
  category: number;
  state: PairingState;
  controller_id: string;
  controller_public_key: Buffer;
  controller_secret_key: Buffer;
  accessory_public_key: Buffer | null;
  host: string | null;
  port: number | null;
  paired_at: number;
}

const LINEAGE = 'pairings.lineage';
const GENERATION = 'pairings.generation';

export class PairingStore {
  readonly #database: Database;
  readonly #copy: PairingCopy | null;
  readonly #logger: Logger;
  readonly #records = new Map<string, PairingRecord>();
  readonly #addresses = new Map<string, HostPort>();
  /** The last write of the copy failed; the next write retries it. */
  #copyIsBehind = false;

  /** @param copy `null` for a database in memory, which has no directory for a copy */
  constructor(database: Database, copy: PairingCopy | null, logger: Logger) {
    this.#database = database;
    this.#copy = copy;
    this.#logger = logger;
  }

  /**
   * The homes of pairings that are in the copy but not in the database. They must exist, with these ids and names,
   * before `open`. Empty unless the database was lost, is damaged or is an older one.
   */
  homesToRestore(): readonly PairingHome[] {
    const reading = this.#readCopy();
    if (reading.kind !== 'read') return [];
    const database = this.#databaseSide();
    const { restored } = reconcilePairings(database, reading.snapshot);
    const needed = new Set([...database.pairings, ...restored].map(({ homeId }) => homeId));
    const present = new Set(this.#listHomes().map(({ id }) => id));
    return reading.snapshot.homes.filter(({ id }) => needed.has(id) && !present.has(id));
  }

  /** Loads the pairings, and repairs a place that is out of date or damaged. Call once, before anything else. */
  open(): void {
    const reading = this.#readCopy();
    const reconciled = reconcilePairings(this.#databaseSide(), reading.kind === 'read' ? reading.snapshot : null);
    this.#restore(reconciled);
    for (const row of this.#readRows()) this.#remember(row);
    if (reading.kind === 'damaged') this.#setCopyAside(reading.reason);
    this.#writeCopyOrLog();
  }

  /** Sorted by device id. */
  list(): readonly PairingRecord[] {
    return [...this.#records.values()].sort((a, b) => (a.keys.deviceId < b.keys.deviceId ? -1 : 1));
  }

  find(deviceId: string): PairingRecord | undefined {
    return this.#records.get(canonicalDeviceId(deviceId));
  }

  /**
   * Saves a pairing before the device learns its keys. It replaces an incomplete one under the same id.
   * @throws `conflict` if a complete one exists under this id; any other error if it is not on disk in both places
   */
  begin(record: Omit<PairingRecord, 'state'>): void {
    const { deviceId } = record.keys;
    this.#refuseSecond(deviceId);
    const previous = this.#records.get(deviceId);
    this.#change(() => this.#upsert({ ...record, state: 'exchanging' }));
    try {
      this.#writeCopy();
    } catch (error) {
      this.#change(() => (previous ? this.#upsert(previous) : this.#delete(deviceId)));
      throw error;
    }
  }

  /**
   * Completes the pairing begun under `begunAs` with the data that the device proved, its id included. If the copy
   * can't be written, the pairing stays: the device and the database already hold it.
   * @param address where it was paired, saved in the same commit: after a kill in between, the device could not be
   * found again
   * @throws `conflict` if another device with this id is paired: one of the two must get a new id first
   */
  complete(begunAs: string, keys: PairingKeys, address?: HostPort): PairingRecord {
    const begun = this.find(begunAs);
    if (!begun) throw new HearthError('internal', `No pairing was begun with ${begunAs}.`);
    this.#refuseSecond(keys.deviceId);
    const record: PairingRecord = { ...begun, keys, state: 'paired' };
    this.#change(() => {
      this.#delete(begun.keys.deviceId);
      this.#upsert(record);
      if (address) this.#setAddress(keys.deviceId, address);
    });
    this.#writeCopyOrLog();
    return record;
  }

  /** Deletes a pairing and its keys, in both places. */
  remove(deviceId: string): void {
    const id = canonicalDeviceId(deviceId);
    if (!this.#records.has(id)) return;
    this.#change(() => this.#delete(id));
    this.#writeCopyOrLog();
  }

  /** Where the device last answered; in the database only, because discovery finds it again. */
  lastAddress(deviceId: string): HostPort | undefined {
    return this.#addresses.get(canonicalDeviceId(deviceId));
  }

  saveAddress(deviceId: string, { host, port }: HostPort): void {
    if (this.#copyIsBehind) this.#writeCopyOrLog();
    const id = canonicalDeviceId(deviceId);
    const known = this.#addresses.get(id);
    if (!this.#records.has(id) || (known?.host === host && known.port === port)) return;
    this.#setAddress(id, { host, port });
    this.#addresses.set(id, { host, port });
  }

  #setAddress(id: string, { host, port }: HostPort): void {
    this.#database.prepare('UPDATE pairings SET host = ?, port = ? WHERE device_id = ?').run(host, port, id);
  }

  #refuseSecond(deviceId: string): void {
    const known = this.#records.get(deviceId);
    if (known?.state !== 'paired') return;
    throw new HearthError(
      'conflict',
      `A device with the id ${deviceId} is paired here already (“${known.name}”). If this is the same one, unpair it first; if it is another, reset it to factory settings to give it an id of its own.`,
      { reason: 'paired_here' },
    );
  }

  /** One transaction that also raises the generation. The memory then follows the database. */
  #change(write: () => void): void {
    this.#database
      .transaction(() => {
        write();
        this.#saveSetting(LINEAGE, this.#setting(LINEAGE) ?? randomUUID());
        this.#saveSetting(GENERATION, String(this.#generation() + 1));
      })
      .immediate();
    this.#records.clear();
    this.#addresses.clear();
    for (const row of this.#readRows()) this.#remember(row);
  }

  #remember(row: PairingRow): void {
    this.#records.set(row.device_id, toRecord(row));
    if (row.host !== null && row.port !== null) this.#addresses.set(row.device_id, { host: row.host, port: row.port });
  }

  #upsert({ keys, state, homeId, name, model, category, pairedAt }: PairingRecord): void {
    this.#database
      .prepare(
        `INSERT INTO pairings (device_id, home_id, name, model, category, state, controller_id, controller_public_key,
           controller_secret_key, accessory_public_key, paired_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (device_id) DO UPDATE SET home_id = excluded.home_id, name = excluded.name, model = excluded.model,
           category = excluded.category, state = excluded.state, controller_id = excluded.controller_id,
           controller_public_key = excluded.controller_public_key, controller_secret_key = excluded.controller_secret_key,
           accessory_public_key = excluded.accessory_public_key, paired_at = excluded.paired_at`,
      )
      .run(
        keys.deviceId,
        homeId,
        name,
        model,
        category,
        state,
        keys.controllerId,
        keys.controllerPublicKey,
        keys.controllerSecretKey,
        keys.accessoryPublicKey,
        pairedAt,
      );
  }

  #delete(deviceId: string): void {
    this.#database.prepare('DELETE FROM pairings WHERE device_id = ?').run(deviceId);
  }

  #readRows(): readonly PairingRow[] {
    return this.#database.prepare<[], PairingRow>('SELECT * FROM pairings').all();
  }

  #databaseSide(): DatabaseSide {
    return {
      lineage: this.#setting(LINEAGE) ?? null,
      generation: this.#generation(),
      pairings: this.#readRows().map(toRecord),
    };
  }

  #restore({ lineage, generation, restored }: Reconciled): void {
    if (lineage === null) return;
    this.#database
      .transaction(() => {
        for (const record of restored) this.#upsert(record);
        this.#saveSetting(LINEAGE, lineage);
        this.#saveSetting(GENERATION, String(generation));
      })
      .immediate();
    if (restored.length === 0) return;
    this.#logger.warn(
      { devices: restored.map(({ keys }) => keys.deviceId) },
      'Restored pairings from pairings.json that were missing or damaged in the database',
    );
  }

  #readCopy(): CopyReading {
    return this.#copy?.read() ?? { kind: 'absent' };
  }

  #setCopyAside(reason: string): void {
    try {
      const movedTo = this.#copy?.setAside();
      this.#logger.warn(
        { reason, movedTo },
        'pairings.json is damaged: the relay moved it aside and wrote a new one from the database',
      );
    } catch (error) {
      this.#logger.error({ reason, error: messageOf(error) }, 'pairings.json is damaged and cannot be moved aside');
    }
  }

  /** Writes no copy if there has never been a pairing. */
  #writeCopy(): void {
    const lineage = this.#setting(LINEAGE);
    if (lineage === undefined) return;
    this.#copy?.write({
      lineage,
      generation: this.#generation(),
      homes: this.#listHomes().filter(({ id }) => this.list().some(({ homeId }) => homeId === id)),
      pairings: this.list(),
    });
    this.#copyIsBehind = false;
  }

  #writeCopyOrLog(): void {
    try {
      this.#writeCopy();
    } catch (error) {
      this.#copyIsBehind = true;
      this.#logger.error(
        { file: this.#copy?.path, error: messageOf(error) },
        'Could not write pairings.json. The database still has the pairings; free disk space or fix the permissions of the directory',
      );
    }
  }

  #listHomes(): readonly PairingHome[] {
    return this.#database.prepare<[], PairingHome>('SELECT id, name FROM homes ORDER BY id').all();
  }

  /** 0 if it is missing or damaged: the copy then counts as the newer one. */
  #generation(): number {
    const generation = Number(this.#setting(GENERATION));
    return Number.isSafeInteger(generation) && generation > 0 ? generation : 0;
  }

  #setting(key: string): string | undefined {
    return this.#database.prepare<[string], { value: string }>('SELECT value FROM settings WHERE key = ?').get(key)
      ?.value;
  }

  #saveSetting(key: string, value: string): void {
    this.#database
      .prepare('INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value')
      .run(key, value);
  }
}

function toRecord(row: PairingRow): PairingRecord {
  return {
    keys: {
      deviceId: row.device_id,
      accessoryPublicKey: row.accessory_public_key,
      controllerId: row.controller_id,
      controllerPublicKey: row.controller_public_key,
      controllerSecretKey: row.controller_secret_key,
    },
    state: row.state,
    homeId: row.home_id,
    name: row.name,
    model: row.model,
    category: row.category,
    pairedAt: row.paired_at,
  };
}
