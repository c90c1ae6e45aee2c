/** The relay's keys, by name: 256 random bits each, created on first use and kept in the database for good. */
import type { Clock } from '../../kernel/clock.ts';
import { isDiskFailure } from '../../kernel/errors.ts';
import { randomToken } from '../../kernel/secrets.ts';
import type { SigningKeyStore } from './signing-key-store.ts';

const KEY_BYTES = 32;

export class SigningKeys {
  readonly #store: SigningKeyStore;
  readonly #clock: Clock;
  readonly #keys = new Map<string, Uint8Array>();
  /** Created while the disk was full. */
  readonly #unsaved = new Map<string, string>();

  constructor({ store, clock }: { store: SigningKeyStore; clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Returns the same 32 bytes at every call, also after a restart.
   * @param mayWait a new key may stay in memory while the disk is full: for uses that end with the process anyway.
   */
  key(name: string, { mayWait = false }: { mayWait?: boolean } = {}): Uint8Array {
    const known = this.#keys.get(name);
    if (known && (mayWait || !this.#unsaved.has(name))) return known;
    const key = Buffer.from(this.#findOrMake(name, mayWait), 'base64url');
    // A key shortened by a damaged disk could be guessed.
    if (key.length !== KEY_BYTES) throw new Error(`The signing key "${name}" is damaged`);
    this.#keys.set(name, key);
    return key;
  }

  /** Part of `AccessUpkeep`. */
  saveUnsaved(): void {
    for (const [name, value] of this.#unsaved) {
      this.#store.findOrInsert(name, value, this.#clock.now());
      this.#unsaved.delete(name);
    }
  }

  #findOrMake(name: string, mayWait: boolean): string {
    const value = this.#unsaved.get(name) ?? randomToken(KEY_BYTES);
    try {
      const kept = this.#store.findOrInsert(name, value, this.#clock.now());
      this.#unsaved.delete(name);
      return kept;
    } catch (error) {
      if (!mayWait || !isDiskFailure(error)) throw error;
      this.#unsaved.set(name, value);
      return value;
    }
  }
}
