/**
 * The challenges of passkeys. Each is good for five minutes, for one purpose, one origin and one session or page, and
 * once.
 *
 * A challenge carries its end and a MAC, so that nothing is kept for the many that strangers ask for. What is kept are
 * those that a genuine passkey has answered, until their end.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import { equalSecrets } from '../../kernel/secrets.ts';

const LIFE_MS = 5 * 60_000;
/** Far more than people sign in; beyond it, the next one waits. */
const MAX_USED = 2_000;
const NONCE_BYTES = 16;
const END_BYTES = 6;
const MAC_BYTES = 32;

export interface ChallengeUse {
  readonly purpose: 'create' | 'sign_in' | 'prove';
  readonly origin: string;
  /** The session that asked, or the form of a page; `null` for programs that sign in. */
  readonly askedBy: string | null;
}

export class PasskeyChallenges {
  readonly #clock: Clock;
  /** New at every start: challenges end with the process. */
  readonly #key = randomBytes(MAC_BYTES);
  /** Answered challenges, with their end by the monotonic clock. */
  readonly #used = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @returns base64url. */
  issue(use: ChallengeUse): string {
    const head = Buffer.alloc(NONCE_BYTES + END_BYTES);
    randomBytes(NONCE_BYTES).copy(head);
    head.writeUIntBE(Math.floor(this.#clock.monotonic() + LIFE_MS), NONCE_BYTES, END_BYTES);
    return Buffer.concat([head, this.#macOf(head, use)]).toString('base64url');
  }

  /** @throws `invalid_credentials` it was not issued for this use, is over, or was answered before */
  require(challenge: string, use: ChallengeUse): void {
    const bytes = Buffer.from(challenge, 'base64url');
    const head = bytes.subarray(0, NONCE_BYTES + END_BYTES);
    const isOurs =
      bytes.length === NONCE_BYTES + END_BYTES + MAC_BYTES &&
      bytes.toString('base64url') === challenge &&
      equalSecrets(bytes.subarray(head.length).toString('base64url'), this.#macOf(head, use).toString('base64url'));
    if (!isOurs || this.#clock.monotonic() >= endOf(head) || this.#used.has(challenge)) throw challengeOver();
  }

  /**
   * Marks it as answered. @throws `invalid_credentials` it was answered meanwhile · `rate_limited` too many are
   */
  use(challenge: string, use: ChallengeUse): void {
    this.require(challenge, use);
    const now = this.#clock.monotonic();
    for (const [one, endsAt] of this.#used) if (now >= endsAt) this.#used.delete(one);
    if (this.#used.size >= MAX_USED) {
      throw new HearthError('rate_limited', 'Too many people are signing in. Try again in some minutes.', {
        retryAfterSeconds: LIFE_MS / 1_000,
      });
    }
    this.#used.set(challenge, endOf(Buffer.from(challenge, 'base64url')));
  }

  #macOf(head: Uint8Array, { purpose, origin, askedBy }: ChallengeUse): Buffer {
    return createHmac('sha256', this.#key)
      .update(head)
      .update(JSON.stringify([purpose, origin, askedBy]))
      .digest();
  }
}

function endOf(bytes: Buffer): number {
  return bytes.readUIntBE(NONCE_BYTES, END_BYTES);
}

function challengeOver(): HearthError {
  return new HearthError('invalid_credentials', 'This took too long, or was done already. Try again.', {
    reason: 'passkey_challenge_over',
  });
}
