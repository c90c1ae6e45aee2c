/**
 * Stores what failed requests revealed about a device, so that it is not learned again at every start: its request
 * limits, and the pair-setup method that works.
 */
import type { Database } from '../../storage/database.ts';
import type { PairMethod } from './pairing/pair-setup-protocol.ts';
import type { Limits } from './wire/limits.ts';

export class DeviceLimitsStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  load(deviceId: string): Limits | undefined {
    const row = this.#database
      .prepare<[string], { max_ids: number; max_bytes: number; one_accessory: number; no_polling: number }>(
        'SELECT max_ids, max_bytes, one_accessory, no_polling FROM device_limits WHERE device_id = ? AND max_ids IS NOT NULL',
      )
      .get(deviceId);
    return (
      row && {
        maxIds: row.max_ids,
        maxBytes: row.max_bytes,
        oneAccessory: row.one_accessory === 1,
        noPolling: row.no_polling === 1,
      }
    );
  }

  loadPairMethod(deviceId: string): PairMethod | undefined {
    const row = this.#database
      .prepare<[string], { pair_method: PairMethod }>(
        'SELECT pair_method FROM device_limits WHERE device_id = ? AND pair_method IS NOT NULL',
      )
      .get(deviceId);
    return row?.pair_method;
  }

  savePairMethod(deviceId: string, method: PairMethod, at: number): void {
    this.#database
      .prepare(
        `INSERT INTO device_limits (device_id, pair_method, learned_at) VALUES (?, ?, ?)
         ON CONFLICT (device_id) DO UPDATE SET pair_method = excluded.pair_method`,
      )
      .run(deviceId, method, at);
  }

  save(deviceId: string, limits: Limits, at: number): void {
    this.#database
      .prepare(
        `INSERT INTO device_limits (device_id, max_ids, max_bytes, one_accessory, no_polling, learned_at)
         VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (device_id) DO UPDATE SET max_ids = excluded.max_ids, max_bytes = excluded.max_bytes,
           one_accessory = excluded.one_accessory, no_polling = excluded.no_polling, learned_at = excluded.learned_at`,
      )
      .run(deviceId, limits.maxIds, limits.maxBytes, Number(limits.oneAccessory), Number(limits.noPolling), at);
  }

  /** Deletes the limits with the pairing; the pair-setup method stays valid. */
  remove(deviceId: string): void {
    this.#database
      .prepare(
        `UPDATE device_limits SET max_ids = NULL, max_bytes = NULL, one_accessory = NULL, no_polling = NULL
         WHERE device_id = ?`,
      )
      .run(deviceId);
  }
}
