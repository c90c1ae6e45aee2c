/**
 * The devices that each person signed in with: browser and network address together, in the table `known_devices`. The
 * API has no cookies, so nothing better distinguishes devices. Version numbers do not count: browsers raise them often.
 */
import { sha256Hex } from '../../kernel/secrets.ts';
import type { Database } from '../../storage/database.ts';
import { addressKey } from '../access/attempts.ts';

/** The one that was seen longest ago makes room. */
const MAX_PER_USER = 50;
const MAX_DEVICE_LENGTH = 200;

export interface SignInPlace {
  /** The User-Agent. */
  readonly device: unknown;
  readonly address: string | undefined;
}

export class KnownDevices {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Records a sign-in, in the transaction of its session. @returns whether the person used this device before */
  note(userId: string, place: SignInPlace, at: number): boolean {
    const hash = hashOf(place);
    const isKnown =
      this.#database.prepare('SELECT 1 FROM known_devices WHERE user_id = ? AND hash = ?').get(userId, hash) !==
      undefined;
    this.#database
      .prepare('INSERT OR REPLACE INTO known_devices (user_id, hash, seen_at) VALUES (?, ?, ?)')
      .run(userId, hash, at);
    this.#database
      .prepare(
        `DELETE FROM known_devices WHERE user_id = ? AND hash NOT IN
           (SELECT hash FROM known_devices WHERE user_id = ? ORDER BY seen_at DESC, hash LIMIT ${MAX_PER_USER})`,
      )
      .run(userId, userId);
    return isKnown;
  }
}

function hashOf({ device, address }: SignInPlace): string {
  const name = typeof device === 'string' ? device.slice(0, MAX_DEVICE_LENGTH).replace(/\d[\d._]*/g, '') : '';
  return sha256Hex(JSON.stringify([name, addressKey(address)]));
}
