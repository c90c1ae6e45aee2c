/**
 * Argon2id hashing (RFC 9106) with OWASP's parameters for servers. One hash takes 19 MiB and some
 * ten milliseconds on a thread of Node's pool. So at most two hashes run at once, and a call behind a long queue is
 * refused.
 */
import { randomBytes } from 'node:crypto';
import { MAX_PASSWORD } from '../../contract/account-fields.ts';
import { HearthError } from '../../kernel/errors.ts';
import { loadOnce } from '../../kernel/load-once.ts';

/** OWASP Password Storage Cheat Sheet: m=19 MiB, t=2, p=1. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const;
const SALT_BYTES = 16;
const MAX_AT_ONCE = 2;
/** A whole family signing in several times over. */
const MAX_WAITING = 32;
const RETRY_AFTER_S = 5;

/** The hash function: Argon2id, unless a test replaces it. */
export interface Hasher {
  /** @returns the hash in PHC form, with its salt and parameters. */
  hash(password: string): Promise<string>;
  verify(hash: string, password: string): Promise<boolean>;
}

/** Argon2id is the library's default. Loaded on first use. */
const ARGON2ID: Hasher = {
  hash: async (password) => (await loadArgon2()).hash(password, PARAMETERS),
  verify: async (stored, password) => (await loadArgon2()).verify(stored, password),
};

const loadArgon2 = loadOnce(() => import('@node-rs/argon2'));

export class Passwords {
  readonly #hasher: Hasher;
  /** A hash of no password, with the same parameters: verifying it takes as long as any other. */
  readonly #nobodys = phcOfNothing();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(hasher: Hasher = ARGON2ID) {
    this.#hasher = hasher;
  }

  /**
   * @param password the result of `parsePassword` or of a passcode's own rule. @throws `rate_limited` too many at once
   */
  hash(password: string): Promise<string> {
    return this.#inTurn(() => this.#hasher.hash(password));
  }

  /**
   * Whether the password is correct. Takes the same time if there is no hash to compare with.
   * @param hash `undefined` if there is none.
   * @throws `rate_limited` too many at once
   */
  verify(hash: string | undefined, input: unknown): Promise<boolean> {
    const password = typeof input === 'string' ? input.normalize('NFC') : '';
    const isPossible = hash !== undefined && password.length <= 2 * MAX_PASSWORD;
    return this.#inTurn(async () => {
      const isRight = await this.#hasher.verify(hash ?? this.#nobodys, password.slice(0, 2 * MAX_PASSWORD));
      return isRight && isPossible;
    });
  }

  async #inTurn<T>(compute: () => Promise<T>): Promise<T> {
    if (this.#waiting.length >= MAX_WAITING) {
      throw new HearthError('rate_limited', 'Too many people sign in at this moment. Try again in a few seconds.', {
        retryAfterSeconds: RETRY_AFTER_S,
      });
    }
    if (this.#running < MAX_AT_ONCE) this.#running += 1;
    // A finished call hands its place over to the next one waiting.
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await compute();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}

function phcOfNothing(): string {
  const { memoryCost: m, timeCost: t, parallelism: p, outputLen } = PARAMETERS;
  const text = (bytes: number): string => randomBytes(bytes).toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=${m},t=${t},p=${p}$${text(SALT_BYTES)}$${text(outputLen)}`;
}
