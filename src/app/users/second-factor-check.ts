/**
 * Verifies the second factor of an account: a code of the authenticator app, or a recovery code. Each code works once.
 *
 * A code of another time, up to an hour away, is refused like any wrong one, and never works later. Two different ones
 * in a row with the same distance show that the clocks differ, and the refusal shows it.
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
import { looksLikeCode, STEP_MS, stepAt, stepOf, stepsOf } from './totp.ts';
import type { StoredUser } from './user-store.ts';

/** RFC 6238 §5.2: one step for the way of the code, and for clocks that differ a little. */
export const SKEW_STEPS = 1;
/** Clocks that differ by up to an hour are recognised. */
export const CLOCK_SKEW_STEPS = 120;
/** How far apart two codes may come that show the same difference. */
const IN_A_ROW_MS = 10 * 60_000;
const MAX_CODE_LENGTH = 64;

/** A correct code that is not used yet. */
export type SecondFactorProof =
  | { readonly kind: 'code'; readonly step: number }
  | { readonly kind: 'recovery_code'; readonly hash: string };

/** A refused code that is right at another time. */
interface OtherTime {
  /** It may be right at several. */
  readonly steps: readonly number[];
  /** The step in which it came. */
  readonly now: number;
  /** By the monotonic clock. */
  readonly at: number;
}

interface CheckDeps extends HomeDeps<'clock'> {
  readonly store: SecondFactorStore;
  readonly limits: SignInLimits;
  readonly sessions: Pick<Sessions, 'isAt'>;
}

export class SecondFactorCheck {
  readonly #deps: CheckDeps;
  /** By user: the last used step that is not in the database. */
  readonly #unsaved = new Map<string, number>();
  /** By secret: the code of another time that came last, if no other code came since. */
  readonly #otherTimes = new Map<string, OtherTime>();
  /** By secret: steps to come whose codes were refused; each until its time is over. */
  readonly #refused = new Map<string, Set<number>>();

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
    const text = typeof code === 'string' ? code.slice(0, MAX_CODE_LENGTH) : '';
    const proof = this.#proofOf(user.id, text);
    if (!proof) throw this.#refusalOf(user.id, text);
    attempt.succeeded();
    this.#forgetOtherTime(user.id);
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
    return step !== undefined && this.#isUnused(factor, step) ? { kind: 'code', step } : undefined;
  }

  #isUnused(factor: StoredSecondFactor, step: number): boolean {
    return step > this.#lastStep(factor) && this.#refused.get(factor.secret)?.has(step) !== true;
  }

  /** The same work for every code. */
  #refusalOf(userId: string, text: string): HearthError {
    const { store, clock } = this.#deps;
    const factor = store.find(userId);
    if (!factor) return wrongCode();
    const before = this.#otherTimes.get(factor.secret);
    this.#otherTimes.delete(factor.secret);
    const now = stepAt(clock.now());
    const steps = stepsOf(factor.secret, text, now, CLOCK_SKEW_STEPS).filter(
      (step) => Math.abs(step - now) > SKEW_STEPS,
    );
    if (steps.length === 0) return wrongCode();
    const other: OtherTime = { steps, now, at: clock.monotonic() };
    this.#otherTimes.set(factor.secret, other);
    this.#refuseLater(factor.secret, steps, now);
    const ahead = before && differenceOf(before, other);
    return ahead === undefined ? wrongCode() : clocksDiffer(ahead);
  }

  /** The code was sent: it is worth nothing when its time comes. */
  #refuseLater(secret: string, steps: readonly number[], now: number): void {
    this.#refused.set(secret, new Set([...(this.#refused.get(secret) ?? []), ...steps]));
    for (const [each, refused] of this.#refused) {
      for (const step of refused) if (step < now - SKEW_STEPS) refused.delete(step);
      if (refused.size === 0) this.#refused.delete(each);
    }
  }

  #forgetOtherTime(userId: string): void {
    const factor = this.#deps.store.find(userId);
    if (factor) this.#otherTimes.delete(factor.secret);
  }

  #requireUnused(userId: string, step: number): void {
    const factor = this.#deps.store.find(userId);
    if (!factor || !this.#isUnused(factor, step)) throw wrongCode();
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

/** The steps by which the phone's clock is ahead, if two different codes show the same. */
function differenceOf(before: OtherTime, after: OtherTime): number | undefined {
  if (after.at - before.at > IN_A_ROW_MS) return undefined;
  const step = after.steps.find((one) =>
    before.steps.some((other) => other !== one && Math.abs(one - after.now - (other - before.now)) <= 1),
  );
  return step === undefined ? undefined : step - after.now;
}

/** @param ahead steps by which the phone's clock is ahead */
export function clocksDiffer(ahead: number): HearthError {
  const clockDifferenceSeconds = (ahead * STEP_MS) / 1_000;
  const minutes = Math.round(Math.abs(clockDifferenceSeconds) / 60);
  const about = `${minutes} ${minutes === 1 ? 'minute' : 'minutes'} ${ahead > 0 ? 'ahead of' : 'behind'}`;
  return new HearthError(
    'invalid_credentials',
    `This code belongs to another time: the clock of the phone is about ${about} the relay’s. Let both set their time automatically, then try again.`,
    { reason: 'clocks_differ', field: 'code', clockDifferenceSeconds },
  );
}
