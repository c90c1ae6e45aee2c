/**
 * Passcodes of shares: hashed like passwords, and guessed at slowly. Every try counts, through whichever door it comes, before
 * anything is computed; one that turns out right does not.
 */
import { type AttemptRule, type Attempts, addressKey } from '../access/attempts.ts';
import { foldPasscode, MAX_PASSCODE_LENGTH } from './share-input.ts';
import type { StoredShare } from './share-store.ts';

const QUARTER_MS = 15 * 60_000;
/** Of one who tries (decisions §8). */
const FROM_ONE_ADDRESS: AttemptRule = { name: 'share-passcode-address', limit: 5, windowMs: QUARTER_MS };
/** Of all who try: somebody with many addresses. */
const IN_ALL: AttemptRule = { name: 'share-passcode', limit: 25, windowMs: QUARTER_MS };

/** What hashes secrets that people choose: slowly, and a few at a time. */
export interface SecretHasher {
  hash(secret: string): Promise<string>;
  verify(hash: string, secret: string): Promise<boolean>;
}

export class SharePasscodes {
  readonly #attempts: Attempts;
  readonly #hasher: SecretHasher;

  constructor(parts: { attempts: Attempts; hasher: SecretHasher }) {
    this.#attempts = parts.attempts;
    this.#hasher = parts.hasher;
  }

  hash(passcode: string): Promise<string> {
    return this.#hasher.hash(passcode);
  }

  /**
   * Those of the rows whose passcode it is; one try, however many rows there are.
   * @param rows of one entity, which tries are counted for.
   * @throws `rate_limited`
   */
  async matching(rows: readonly StoredShare[], passcode: string, address: string | undefined): Promise<StoredShare[]> {
    const [first] = rows;
    if (!first) return [];
    const entity = `${first.entityType}:${first.linkId}`;
    const own = `${entity} ${addressKey(address)}`;
    this.#attempts.require(IN_ALL, entity);
    const spent = [this.#attempts.spend(FROM_ONE_ADDRESS, own), this.#attempts.spend(IN_ALL, entity)];
    let wasWrong = false;
    try {
      const matches = await this.#verify(rows, passcode);
      wasWrong = matches.length === 0;
      if (!wasWrong) this.#attempts.clear(FROM_ONE_ADDRESS, own);
      return matches;
    } finally {
      // Sent away by a crowd is no try either.
      if (!wasWrong) for (const attempt of spent) attempt.refund();
    }
  }

  /** One after the other: each takes memory and a thread. */
  async #verify(rows: readonly StoredShare[], input: string): Promise<StoredShare[]> {
    // Twice: what is composed when it is compared may be longer as it was typed.
    if (input.length > 4 * MAX_PASSCODE_LENGTH) return [];
    const passcode = foldPasscode(input);
    const matches: StoredShare[] = [];
    for (const row of rows) {
      if (row.passcodeHash !== null && (await this.#hasher.verify(row.passcodeHash, passcode))) matches.push(row);
    }
    return matches;
  }
}
