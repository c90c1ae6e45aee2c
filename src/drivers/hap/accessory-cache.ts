/**
 * Stores the attribute database of each accessory server between starts, valid for one configuration number. A missing
 * entry costs one read of the database.
 */

import { messageOf } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Database } from '../../storage/database.ts';
import { type AttributeDatabase, parseAccessories } from './wire/accessory-database.ts';

export interface CachedDatabase {
  /** The advertised `c#` when it was read; `null` if none was known. */
  readonly configNumber: number | null;
  readonly database: AttributeDatabase;
}

export class AccessoryCache {
  readonly #database: Database;
  readonly #logger: Logger;

  constructor(database: Database, logger: Logger) {
    this.#database = database;
    this.#logger = logger;
  }

  load(deviceId: string): CachedDatabase | undefined {
    const row = this.#database
      .prepare<[string], { config_number: number | null; body: string }>(
        'SELECT config_number, body FROM accessory_databases WHERE device_id = ?',
      )
      .get(deviceId);
    if (!row) return undefined;
    try {
      return { configNumber: row.config_number, database: parseAccessories(row.body) };
    } catch (error) {
      this.#logger.warn(
        { deviceId, error: messageOf(error) },
        'The cached accessory database is unreadable; the relay reads it again',
      );
      this.remove(deviceId);
      return undefined;
    }
  }

  /** @param body the raw response to GET /accessories, which keeps every id exact */
  save(deviceId: string, configNumber: number | null, body: string, at: number): void {
    this.#database
      .prepare(
        'INSERT OR REPLACE INTO accessory_databases (device_id, config_number, body, read_at) VALUES (?, ?, ?, ?)',
      )
      .run(deviceId, configNumber, body, at);
  }

  remove(deviceId: string): void {
    this.#database.prepare('DELETE FROM accessory_databases WHERE device_id = ?').run(deviceId);
  }
}
