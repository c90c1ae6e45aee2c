/**
 * Verifies the second factor of an account: a code of the authenticator app, or a recovery code. Each code works once.
 *
 * While the disk is full, used codes of the app are in memory, so that people can sign in. `saveUnsaved` writes them
 * once there is room. A recovery code must be deleted, so it does not work meanwhile.
 */
import { emailKey } from '../../contract/account-fields.ts';
import type { HomeDeps } from '../../home/home-deps.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { Caller } from '../access/caller.ts';
import { hashOfRecoveryCode } from './recovery-codes.ts';
import type { SecondFactorStore, StoredSecondFactor } from './second-factor-store.ts';
import type { Sessions } from './sessions.ts';
import type { SignInLimits } from './sign-in-limits.ts';
import { looksLikeCode, stepAt, stepOf } from './totp.ts';
import type { StoredUser } from './user-store.ts';

/** RFC 6238 §5.2: one step for the way of the code, and for clocks that differ a little. */
const SKEW_STEPS = 1;
const MAX_CODE_LENGTH = 64;

/** A correct code that is not used yet. */
export type SecondFactorProof =
  | { readonly kind: 'code'; readonly step: number }
  | { readonly kind: 'recovery_code'; readonly hash: string };

interface CheckDeps extends HomeDeps<'clock'> {
  readonly store: SecondFactorStore;
  readonly limits: SignInLimits;
  readonly sessions: Pick<Sessions, 'isAt'>;
}

export class SecondFactorCheck {
  readonly #deps: CheckDeps;
  /** By user: the last used step that is not in the database. */
  readonly #unsaved = new Map<string, number>();

  constructor(deps: CheckDeps) {
    this.#deps = deps;
  }

  isOn(userId: string): boolean {
    return this.#deps.store.find(userId) !== undefined;
  }

  /**
   * Counts the attempt, and verifies the code of an account with a second factor.
   * @returns a proof for `use`.
   * @throws `invalid_credentials` · `rate_limited`
   */
  require(caller: Caller, user: Pick<StoredUser, 'id' | 'email'>, code: unknown): SecondFactorProof {
    const { limits, sessions } = this.#deps;
    const attempt = limits.beginCode(caller, emailKey(user.email), sessions.isAt(user.id, caller.address));
    const proof = this.#proofOf(user.id, typeof code === 'string' ? code.slice(0, MAX_CODE_LENGTH) : '');
    if (!proof) throw wrongCode();
    attempt.succeeded();
    return proof;
  }

  /**
   * Marks the code as used, in the transaction of what it allows. @throws `invalid_credentials` it was used meanwhile
   */
  use(userId: string, proof: SecondFactorProof): void {
    const { store } = this.#deps;
    if (proof.kind === 'recovery_code') {
      if (!store.deleteRecoveryCode(userId, proof.hash)) throw wrongCode();
      return;
    }
    this.#requireUnused(userId, proof.step);
    store.setLastStep(userId, proof.step);
  }

  /**
   * As `use` while the disk is full, for a code of the app alone. @throws `invalid_credentials` it was used meanwhile
   */
  useInMemory(userId: string, { step }: Extract<SecondFactorProof, { kind: 'code' }>): void {
    this.#requireUnused(userId, step);
    this.#unsaved.set(userId, step);
  }

  /** Part of `AccessUpkeep`. */
  saveUnsaved(): void {
    for (const [userId, step] of this.#unsaved) {
      this.#deps.store.setLastStep(userId, step);
      this.#unsaved.delete(userId);
    }
  }

  #proofOf(userId: string, text: string): SecondFactorProof | undefined {
    const { store, clock } = this.#deps;
    const factor = store.find(userId);
    if (!factor) return undefined;
    if (!looksLikeCode(text)) {
      const hash = hashOfRecoveryCode(userId, text);
      return store.hasRecoveryCode(userId, hash) ? { kind: 'recovery_code', hash } : undefined;
    }
    const step = stepOf(factor.secret, text, stepAt(clock.now()), SKEW_STEPS);
    return step !== undefined && step > this.#lastStep(factor) ? { kind: 'code', step } : undefined;
  }

  #requireUnused(userId: string, step: number): void {
    const factor = this.#deps.store.find(userId);
    if (!factor || step <= this.#lastStep(factor)) throw wrongCode();
  }

  #lastStep({ userId, lastStep }: StoredSecondFactor): number {
    return Math.max(lastStep, this.#unsaved.get(userId) ?? 0);
  }
}

function wrongCode(): HearthError {
  return new HearthError(
    'invalid_credentials',
    'This code is wrong, or was used before. Enter the one that the app shows now; the clocks of the phone and of the relay must be right.',
    { reason: 'wrong_second_factor', field: 'code' },
  );
}
