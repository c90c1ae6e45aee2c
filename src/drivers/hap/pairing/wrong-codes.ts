/**
 * Counts wrong setup codes, so that this relay can't be used to guess one, and no accessory locks itself. After about a
 * hundred wrong codes an accessory refuses even the right code until it restarts (HAP specification §5.6.2). The count
 * survives a restart of the relay.
 */
import type { Clock } from '../../../kernel/clock.ts';
import { HearthError } from '../../../kernel/errors.ts';
import type { Database } from '../../../storage/database.ts';
import { canonicalDeviceId } from './device-id.ts';

export const MAX_WRONG_CODES = 5;
const WINDOW_MS = 3_600_000;

export class WrongCodes {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Call before each attempt with a setup code. @throws `rate_limited` after five wrong ones within the hour */
  check(deviceId: string): void {
    const now = this.#clock.now();
    this.#prune(now);
    const times = this.#database
      .prepare<[string, number], { at: number }>(
        'SELECT at FROM wrong_setup_codes WHERE device_id = ? ORDER BY at DESC LIMIT ?',
      )
      .all(canonicalDeviceId(deviceId), MAX_WRONG_CODES);
    const oldest = times[MAX_WRONG_CODES - 1];
    if (!oldest) return;
    const retryAfterSeconds = Math.max(1, Math.ceil((oldest.at + WINDOW_MS - now) / 1000));
    throw new HearthError(
      'rate_limited',
      `Five wrong setup codes within an hour for ${canonicalDeviceId(deviceId)}. Check the code, and try again in ${inWords(retryAfterSeconds)}.`,
      { reason: 'too_many_wrong_codes', retryAfterSeconds },
    );
  }

  add(deviceId: string): void {
    this.#database
      .prepare('INSERT INTO wrong_setup_codes (device_id, at) VALUES (?, ?)')
      .run(canonicalDeviceId(deviceId), this.#clock.now());
  }

  /** The setup code was right. */
  clear(deviceId: string): void {
    this.#database.prepare('DELETE FROM wrong_setup_codes WHERE device_id = ?').run(canonicalDeviceId(deviceId));
  }

  /**
   * A timestamp in the future means that the clock was set back: without this check it would count for longer than an
   * hour.
   */
  #prune(now: number): void {
    this.#database.prepare('DELETE FROM wrong_setup_codes WHERE at <= ?').run(now - WINDOW_MS);
    this.#database.prepare('UPDATE wrong_setup_codes SET at = ? WHERE at > ?').run(now, now);
  }
}

function inWords(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
