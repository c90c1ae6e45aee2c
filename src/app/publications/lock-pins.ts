/**
 * PINs of locks: hashed like passwords. Wrong ones are counted for all locks of a publication together, because they
 * have one PIN; a right one, and another PIN, end the count.
 */
import type { PublicationKind } from '../../contract/publications.ts';
import type { MatterPinRefusal } from '../../home/matter-port.ts';
import { LOCK_PIN_PAUSE_S, LOCK_PIN_TRIES } from '../../home/vocabulary/lock-pins.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { AttemptRule, Attempts, SpentAttempt } from '../access/attempts.ts';
import type { SecretHasher } from '../access/secret-hasher.ts';
import type { LockPin, Publication } from './publication.ts';

const RULE: AttemptRule = {
  name: 'lock-pin',
  free: LOCK_PIN_TRIES,
  firstDelayMs: LOCK_PIN_PAUSE_S * 1_000,
  maxDelayMs: 15 * 60_000,
};

export const NO_LOCK_PIN: LockPin = { hash: null, changes: 0 };

export function withHash({ hash: before, changes }: LockPin, hash: string | null): LockPin {
  return { hash, changes: changes + Number((before === null) !== (hash === null)) };
}

interface LockPinsDeps {
  readonly attempts: Pick<Attempts, 'require' | 'spend' | 'clear'>;
  readonly hasher: SecretHasher;
}

export class LockPins {
  readonly #deps: LockPinsDeps;

  constructor(deps: LockPinsDeps) {
    this.#deps = deps;
  }

  /**
   * @param pin `null` for none
   * @throws `invalid_value` the kind has no locks with a PIN · `rate_limited` too many secrets are hashed at once
   */
  async hash(pin: string | null, kind: PublicationKind): Promise<string | null> {
    if (pin === null) return null;
    if (kind !== 'matter') {
      throw new HearthError('invalid_value', 'Invalid value for lockPin: only locks over Matter ask for a PIN.', {
        field: 'lockPin',
      });
    }
    return this.#deps.hasher.hash(pin);
  }

  /** Wrong PINs of before do not count. */
  forget(publicationId: string): void {
    this.#deps.attempts.clear(RULE, publicationId);
  }

  /** @param pin `undefined` if the controller gave none. @throws `rate_limited` too many secrets are hashed at once */
  async check({ id, lockPin }: Pick<Publication, 'id' | 'lockPin'>, pin?: string): Promise<'ok' | MatterPinRefusal> {
    if (lockPin.hash === null) return 'ok';
    if (pin === undefined) return 'no_pin';
    const attempt = this.#spend(id);
    if (!attempt) return 'pin_blocked';
    try {
      if (await this.#deps.hasher.verify(lockPin.hash, pin)) {
        this.forget(id);
        return 'ok';
      }
    } catch (error) {
      // It was not tried.
      attempt.refund();
      throw error;
    }
    return this.#isBlocked(id) ? 'last_wrong_pin' : 'wrong_pin';
  }

  #spend(id: string): SpentAttempt | undefined {
    return this.#isBlocked(id) ? undefined : this.#deps.attempts.spend(RULE, id);
  }

  #isBlocked(id: string): boolean {
    try {
      this.#deps.attempts.require(RULE, id);
      return false;
    } catch (error) {
      if (error instanceof HearthError && error.code === 'rate_limited') return true;
      throw error;
    }
  }
}
