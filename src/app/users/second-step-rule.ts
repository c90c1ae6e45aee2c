/**
 * Which accounts must have a second step: an authenticator app or a passkey. By the strongest role that a person has in
 * any home, and a setting. An account without one can still sign in, and does nothing else before it has one.
 */
import type { Role } from '../access/caller.ts';
import type { Members } from './members.ts';
import type { PasskeyStore } from './passkey-store.ts';
import type { SecondFactorStore } from './second-factor-store.ts';

/** The values of the setting `second_step_required_for`. */
export type SecondStepAudience = 'none' | 'owners' | 'admins' | 'all';

const ROLES: Readonly<Record<SecondStepAudience, readonly (Role | null)[]>> = {
  none: [],
  owners: ['owner'],
  admins: ['owner', 'admin'],
  all: ['owner', 'admin', 'control', 'view', null],
};

interface RuleDeps {
  /** Read at each sign-in: it changes while the relay runs. */
  readonly audience: () => SecondStepAudience;
  readonly members: Pick<Members, 'strongestRole'>;
  readonly secondFactors: Pick<SecondFactorStore, 'find'>;
  readonly passkeys: Pick<PasskeyStore, 'hasAny' | 'listOf'>;
}

export class SecondStepRule {
  readonly #deps: RuleDeps;

  constructor(deps: RuleDeps) {
    this.#deps = deps;
  }

  /** Whether the account must set one up before anything else. */
  isDue(userId: string): boolean {
    return this.#isRequired(userId) && !this.#hasApp(userId) && !this.#deps.passkeys.hasAny(userId);
  }

  /** Whether the password does not sign in: the account must have a second step, and has passkeys alone. */
  needsPasskey(userId: string): boolean {
    return this.#isRequired(userId) && !this.#hasApp(userId) && this.#deps.passkeys.hasAny(userId);
  }

  mayTurnOffApp(userId: string): boolean {
    return !this.#isRequired(userId) || this.#deps.passkeys.hasAny(userId);
  }

  mayRemovePasskey(userId: string): boolean {
    return !this.#isRequired(userId) || this.#hasApp(userId) || this.#deps.passkeys.listOf(userId).length > 1;
  }

  #isRequired(userId: string): boolean {
    return ROLES[this.#deps.audience()].includes(this.#deps.members.strongestRole(userId));
  }

  #hasApp(userId: string): boolean {
    return this.#deps.secondFactors.find(userId) !== undefined;
  }
}
