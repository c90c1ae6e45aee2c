/**
 * Operations on the second factor of accounts: turning it on with an authenticator app, new recovery codes, turning it
 * off. `second-factor-check.ts` verifies codes. Sessions, apps and access tokens stay: the second factor belongs to
 * signing in with the password.
 */
import { emailKey } from '../../contract/account-fields.ts';
import { parseInput } from '../../contract/parse.ts';
import { SecondFactorCode, SecondFactorStart } from '../../contract/users.ts';
import { HearthError } from '../../kernel/errors.ts';
import { notFound, requirePerson } from '../access/authorize.ts';
import { type Caller, sessionOf } from '../access/caller.ts';
import { type AccountDeps, AccountWrites, requireHead, wrongPassword } from './account-writes.ts';
import type { PasskeyStore } from './passkey-store.ts';
import { generateRecoveryCodes, hashOfRecoveryCode } from './recovery-codes.ts';
import { CLOCK_SKEW_STEPS, clocksDiffer, SKEW_STEPS } from './second-factor-check.ts';
import type { SecondFactorStore } from './second-factor-store.ts';
import { generateSecret, setupUri, stepAt, stepOf } from './totp.ts';
import type { StoredUser } from './user-store.ts';

/** Time enough to install an app. */
const SETUP_MS = 30 * 60_000;

export interface SecondFactorStatus {
  readonly isOn: boolean;
  /** Milliseconds since the epoch. */
  readonly createdAt: number | null;
  readonly recoveryCodesLeft: number;
}

/** What an authenticator app needs; shown once. */
export interface SecondFactorSetup {
  /** Base32. */
  readonly secret: string;
  readonly uri: string;
}

interface Setup {
  readonly secret: string;
  /** By the monotonic clock. */
  readonly endsAt: number;
  /** That began. */
  readonly sessionId: string | null;
}

interface SecondFactorDeps extends AccountDeps {
  readonly secondFactorStore: SecondFactorStore;
  readonly passkeyStore: PasskeyStore;
}

export class SecondFactors {
  readonly #deps: SecondFactorDeps;
  readonly #accounts: AccountWrites;
  /** By user: secrets that no code has confirmed yet. */
  readonly #setups = new Map<string, Setup>();

  constructor(deps: SecondFactorDeps) {
    this.#deps = deps;
    this.#accounts = new AccountWrites(deps);
    deps.bus.on('user.removed', ({ userId }) => this.#setups.delete(userId));
  }

  /** The caller's own. For signed-in users. @throws `insufficient_permissions` */
  status(caller: Caller): SecondFactorStatus {
    const { id } = this.#signedIn(caller);
    const { secondFactorStore: factors } = this.#deps;
    const factor = factors.find(id);
    return {
      isOn: factor !== undefined,
      createdAt: factor?.createdAt ?? null,
      recoveryCodesLeft: factors.countRecoveryCodes(id),
    };
  }

  /** Whether an account has an authenticator app or a passkey. For callers that have authorized the access. */
  isOnFor(userId: string): boolean {
    return this.#deps.secondFactorCheck.isOn(userId) || this.#deps.passkeyStore.hasAny(userId);
  }

  /**
   * Creates a secret for an authenticator app. Nothing changes until `confirm`, within 30 minutes. For signed-in users.
   * @throws `insufficient_permissions` · `invalid_credentials` the password · `conflict` it is on · `rate_limited`
   */
  async begin(caller: Caller, input: SecondFactorStart): Promise<SecondFactorSetup> {
    const user = this.#signedIn(caller);
    const { currentPassword } = parseInput(SecondFactorStart, input);
    this.#requireOff(user.id);
    if (!(await this.#accounts.isPassword(caller, emailKey(user.email), user, currentPassword))) throw wrongPassword();
    const { id, email } = this.#signedIn(caller);
    const secret = generateSecret();
    const endsAt = this.#deps.clock.monotonic() + SETUP_MS;
    this.#setups.set(id, { secret, endsAt, sessionId: sessionOf(caller) });
    return { secret, uri: setupUri(secret, email) };
  }

  /**
   * The setup under way, until `confirm`. For signed-in users, with the session that began: another one of theirs may
   * be a thief's, and the secret is worth more than a session. @throws `insufficient_permissions`
   */
  pending(caller: Caller): SecondFactorSetup | undefined {
    const { id, email } = this.#signedIn(caller);
    const setup = this.#setups.get(id);
    if (!setup || setup.sessionId !== sessionOf(caller) || this.#deps.clock.monotonic() >= setup.endsAt)
      return undefined;
    return { secret: setup.secret, uri: setupUri(setup.secret, email) };
  }

  /**
   * Turns the second factor on with the first code of the app. For signed-in users.
   * @returns the recovery codes, shown only once.
   * @throws `insufficient_permissions` · `conflict` no setup is under way, or it is on · `invalid_credentials` the
   *         code · `rate_limited`
   */
  confirm(caller: Caller, input: SecondFactorCode): readonly string[] {
    const user = this.#signedIn(caller);
    const { code } = parseInput(SecondFactorCode, input);
    const { clock, limits, sessions, secondFactorStore: factors } = this.#deps;
    this.#requireOff(user.id);
    const setup = this.#setups.get(user.id);
    if (!setup || clock.monotonic() >= setup.endsAt) throw setupOver();
    const attempt = limits.begin(caller, emailKey(user.email), sessions.isAt(user.id, caller.address));
    const now = stepAt(clock.now());
    const lastStep = stepOf(setup.secret, code, now, SKEW_STEPS);
    if (lastStep === undefined) {
      // At once: the secret is this session's own until the first code.
      const other = stepOf(setup.secret, code, now, CLOCK_SKEW_STEPS);
      throw other === undefined ? wrongFirstCode() : clocksDiffer(other - now);
    }
    attempt.succeeded();
    const codes = generateRecoveryCodes();
    const hashes = codes.map((each) => hashOfRecoveryCode(user.id, each));
    factors.replace({ userId: user.id, secret: setup.secret, lastStep, createdAt: clock.now() }, hashes);
    this.#setups.delete(user.id);
    sessions.enrolled(caller);
    this.#accounts.secondStepChanged(caller, user.id, 'app_added');
    return codes;
  }

  /**
   * Replaces the recovery codes; the earlier ones become invalid. For signed-in users, with a code.
   * @returns the new ones, shown only once.
   * @throws `insufficient_permissions` · `conflict` it is off · `invalid_credentials` · `rate_limited`
   */
  renewRecoveryCodes(caller: Caller, input: SecondFactorCode): readonly string[] {
    const user = this.#signedIn(caller);
    const { code } = parseInput(SecondFactorCode, input);
    const { secondFactorStore: factors } = this.#deps;
    const codes = generateRecoveryCodes();
    this.#withCode(caller, user, code, () => {
      factors.replaceRecoveryCodes(
        user.id,
        codes.map((each) => hashOfRecoveryCode(user.id, each)),
      );
    });
    this.#accounts.secondStepChanged(caller, user.id, 'recovery_codes_renewed');
    return codes;
  }

  /**
   * Turns the caller's own second factor off. For signed-in users, with a code.
   * @throws `insufficient_permissions` · `conflict` it is off, or the account must have one · `invalid_credentials` ·
   *         `rate_limited`
   */
  turnOff(caller: Caller, input: SecondFactorCode): void {
    const user = this.#signedIn(caller);
    const { code } = parseInput(SecondFactorCode, input);
    if (!this.#deps.secondStepRule.mayTurnOffApp(user.id)) throw secondStepNeeded();
    this.#withCode(caller, user, code, () => this.#deps.secondFactorStore.delete(user.id));
    this.#accounts.secondStepChanged(caller, user.id, 'app_removed');
  }

  /**
   * Turns it off and removes the passkeys, for a person who has lost them or the app and the recovery codes. For the
   * system and the founder. The founder turns the own one off with a code.
   * @throws `insufficient_permissions` also without a fresh proof · `user_not_found` · `conflict` the founder's own, or
   *         it is off
   */
  reset(caller: Caller, userId: string): Pick<StoredUser, 'id'> {
    requireHead(caller, this.#deps.store);
    const user = this.#deps.store.find(userId.toLowerCase());
    if (!user) throw notFound('user_not_found');
    if (caller.principal.kind === 'user' && caller.principal.userId === user.id) {
      throw new HearthError('conflict', 'Turn your own second step off with a code, or use: hearthd user reset-2fa');
    }
    if (!this.isOnFor(user.id)) throw isOff();
    this.#deps.freshProofs.require(caller);
    this.#accounts.write(() => {
      this.#deps.secondFactorStore.delete(user.id);
      this.#deps.passkeyStore.deleteOf(user.id);
    });
    this.#accounts.secondStepChanged(caller, user.id, 'all_removed');
    return { id: user.id };
  }

  // — inside —

  #withCode(caller: Caller, user: StoredUser, code: string, write: () => void): void {
    const { secondFactorCheck: check } = this.#deps;
    this.#requireOn(user.id);
    const proof = check.require(caller, user, code);
    this.#accounts.write(() => {
      check.use(user.id, proof);
      write();
    });
  }

  #signedIn(caller: Caller): StoredUser {
    const user = this.#deps.store.find(requirePerson(caller));
    if (!user) throw notFound('user_not_found');
    return user;
  }

  #requireOff(userId: string): void {
    if (!this.#deps.secondFactorCheck.isOn(userId)) return;
    throw new HearthError('conflict', 'The second step is on already. Turn it off first.', {
      reason: 'second_factor_on',
    });
  }

  #requireOn(userId: string): void {
    if (this.#deps.secondFactorCheck.isOn(userId)) return;
    throw isOff();
  }
}

function isOff(): HearthError {
  return new HearthError('conflict', 'This account has no second step.', { reason: 'second_factor_off' });
}

/** The account must have a second step, and this is the last one. */
export function secondStepNeeded(): HearthError {
  return new HearthError(
    'conflict',
    'Your role needs a second step, and this is your last one. Set another one up first.',
    {
      reason: 'second_step_needed',
    },
  );
}

function setupOver(): HearthError {
  return new HearthError('conflict', 'This setup took too long, or has ended. Begin again.', {
    reason: 'second_factor_setup_over',
  });
}

function wrongFirstCode(): HearthError {
  return new HearthError('invalid_credentials', 'This code is wrong. Enter the one that the app shows now.', {
    reason: 'wrong_second_factor',
    field: 'code',
  });
}
