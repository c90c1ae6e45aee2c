/**
 * Operations with which a signed-in person proves once more who they are: with the password, a code of the second
 * factor, or a passkey. `fresh-proofs.ts` keeps for how long that is enough.
 */
import { emailKey } from '../../contract/account-fields.ts';
import { parseInput } from '../../contract/parse.ts';
import { SignInProof } from '../../contract/users.ts';
import { HearthError } from '../../kernel/errors.ts';
import { notFound, requireSession } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { type AccountDeps, AccountWrites, wrongPassword } from './account-writes.ts';
import type { PasskeyRequestOptions } from './passkey-ceremonies.ts';
import type { Passkeys, Reached } from './passkeys.ts';
import type { StoredUser } from './user-store.ts';

interface ProofDeps extends AccountDeps {
  readonly passkeys: Pick<Passkeys, 'beginProof' | 'prove'>;
}

export class Proofs {
  readonly #deps: ProofDeps;
  readonly #accounts: AccountWrites;

  constructor(deps: ProofDeps) {
    this.#deps = deps;
    this.#accounts = new AccountWrites(deps);
  }

  /**
   * Begins a proof with a passkey; `give` follows within five minutes, in the same session. For signed-in users.
   * @returns what the browser's `navigator.credentials.get` takes.
   * @throws `insufficient_permissions` · `conflict` browsers have no passkeys at this address
   */
  begin(caller: Caller, at: Reached): Promise<PasskeyRequestOptions> {
    requireSession(caller);
    return this.#deps.passkeys.beginProof(caller, at);
  }

  /**
   * Takes one proof. For the next ten minutes the session may change what asks for one. For signed-in users.
   * @throws `insufficient_permissions` · `invalid_value` there is not exactly one · `invalid_credentials` it is wrong ·
   *         `conflict` a code without a second factor · `rate_limited`
   */
  async give(caller: Caller, input: SignInProof, at: Reached): Promise<void> {
    const userId = requireSession(caller);
    const { currentPassword, code, response } = parseInput(SignInProof, input);
    if ([currentPassword, code, response].filter((each) => each !== undefined).length !== 1) throw notOne();
    if (currentPassword !== undefined) await this.#provePassword(caller, this.#find(userId), currentPassword);
    else if (code !== undefined) this.#proveCode(caller, this.#find(userId), code);
    else await this.#deps.passkeys.prove(caller, { ...at, response });
    // Meanwhile the session may have ended.
    const { principal } = caller;
    const { sessions, freshProofs } = this.#deps;
    if (principal.kind === 'user' && sessions.isLive(principal)) freshProofs.note(principal.sessionId);
  }

  async #provePassword(caller: Caller, user: StoredUser, password: string): Promise<void> {
    const isRight = await this.#accounts.isPassword(caller, emailKey(user.email), user, password);
    // During the comparison it may have been changed.
    if (!isRight || this.#deps.store.find(user.id)?.passwordHash !== user.passwordHash) throw wrongPassword();
  }

  #proveCode(caller: Caller, user: StoredUser, code: string): void {
    const { secondFactorCheck: check } = this.#deps;
    if (!check.isOn(user.id)) {
      throw new HearthError('conflict', 'This account has no authenticator app. Use the password or a passkey.', {
        reason: 'second_factor_off',
      });
    }
    const proof = check.require(caller, user, code);
    this.#accounts.write(() => check.use(user.id, proof));
  }

  #find(userId: string): StoredUser {
    const user = this.#deps.store.find(userId);
    if (!user) throw notFound('user_not_found');
    return user;
  }
}

function notOne(): HearthError {
  return new HearthError('invalid_value', 'Send one of `currentPassword`, `code` and `response`.');
}
