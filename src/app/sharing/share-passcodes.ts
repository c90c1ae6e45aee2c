/**
 * Passcodes of shares: hashed like passwords, with limited attempts. Every attempt counts, through every API, before
 * any computation; a correct one is refunded.
 */
import { MAX_PASSCODE_LENGTH } from '../../home/vocabulary/sharing.ts';
import { HearthError } from '../../kernel/errors.ts';
import { type AttemptRule, type Attempts, addressKey } from '../access/attempts.ts';
import type { SecretHasher } from '../access/secret-hasher.ts';
import { foldPasscode } from './share-rules.ts';
import type { StoredShare } from './share-store.ts';

const QUARTER_MS = 15 * 60_000;
/** Per address and passcode (decisions §8): a correct one resets its own count, not that of the others. */
const FROM_ONE_ADDRESS: AttemptRule = { name: 'share-passcode-address', limit: 5, windowMs: QUARTER_MS };
/** For all addresses together: limits an attacker with many addresses. */
const IN_ALL: AttemptRule = { name: 'share-passcode', limit: 25, windowMs: QUARTER_MS };

export class SharePasscodes {
  readonly #attempts: Attempts;
  readonly #hasher: SecretHasher;

  constructor(deps: { attempts: Attempts; hasher: SecretHasher }) {
    this.#attempts = deps.attempts;
    this.#hasher = deps.hasher;
  }

  hash(passcode: string): Promise<string> {
    return this.#hasher.hash(passcode);
  }

  /**
   * Finds the rows with this passcode; counts one attempt, however many rows there are.
   * @param rows the rows of one entity, for which attempts count.
   * @throws `rate_limited`
   */
  async matching(rows: readonly StoredShare[], passcode: string, address: string | undefined): Promise<StoredShare[]> {
    const [first] = rows;
    if (!first) return [];
    const entity = `${first.entityType}:${first.linkId}`;
    this.#attempts.require(IN_ALL, entity);
    const keyOf = ({ id }: StoredShare): string => `${entity} ${id} ${addressKey(address)}`;
    const { open, refusal } = this.#triable(rows, keyOf);
    if (open.length === 0 && refusal) throw refusal;
    const inAll = this.#attempts.spend(IN_ALL, entity);
    const spent = open.map((row) => ({ row, attempt: this.#attempts.spend(FROM_ONE_ADDRESS, keyOf(row)) }));
    let wasWrong = false;
    try {
      const matches = await this.#verify(open, passcode);
      wasWrong = matches.length === 0;
      for (const row of matches) this.#attempts.clear(FROM_ONE_ADDRESS, keyOf(row));
      // The passcode may be that of a row that allows no more attempts.
      if (wasWrong && refusal) throw refusal;
      return matches;
    } finally {
      // An attempt refused because of too many concurrent ones does not count.
      if (!wasWrong) for (const { refund } of [inAll, ...spent.map(({ attempt }) => attempt)]) refund();
    }
  }

  /** The rows that this address may still try, and the error for the others. */
  #triable(rows: readonly StoredShare[], keyOf: (row: StoredShare) => string) {
    const open: StoredShare[] = [];
    let refusal: HearthError | undefined;
    for (const row of rows) {
      try {
        this.#attempts.require(FROM_ONE_ADDRESS, keyOf(row));
        open.push(row);
      } catch (error) {
        if (!(error instanceof HearthError)) throw error;
        refusal ??= error;
      }
    }
    return { open, refusal };
  }

  /** Sequentially: each takes memory and a thread. */
  async #verify(rows: readonly StoredShare[], input: string): Promise<StoredShare[]> {
    // Also before composing: composed text may be shorter than as typed.
    if (input.length > 4 * MAX_PASSCODE_LENGTH) return [];
    const passcode = foldPasscode(input);
    const matches: StoredShare[] = [];
    for (const row of rows) {
      if (row.passcodeHash !== null && (await this.#hasher.verify(row.passcodeHash, passcode))) matches.push(row);
    }
    return matches;
  }
}
