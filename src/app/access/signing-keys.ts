/** Keys of our own, by name: 256 random bits each, made when first asked for and kept in the database for good. */
import type { Clock } from '../../kernel/clock.ts';
import { randomToken } from '../../kernel/secrets.ts';
import type { SigningKeyStore } from './signing-key-store.ts';

const KEY_BYTES = 32;

export class SigningKeys {
  readonly #store: SigningKeyStore;
  readonly #clock: Clock;
  readonly #keys = new Map<string, Uint8Array>();

  constructor({ store, clock }: { store: SigningKeyStore; clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
  }

  /** The same 32 bytes at every call, today and after any restart. */
  key(name: string): Uint8Array {
    const known = this.#keys.get(name);
    if (known) return known;
    const key = Buffer.from(this.#store.findOrInsert(name, randomToken(KEY_BYTES), this.#clock.now()), 'base64url');
    // What a damaged disk has shortened would be a key that can be guessed.
    if (key.length !== KEY_BYTES) throw new Error(`The signing key "${name}" is damaged`);
    this.#keys.set(name, key);
    return key;
  }
}
