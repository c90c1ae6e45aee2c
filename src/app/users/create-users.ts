/** Builds the services for accounts and access tokens over one database. Contains no rules of its own. */
import type { Database } from '../../storage/database.ts';
import { AccessTokenStore } from '../access/access-token-store.ts';
import { AccessTokens } from '../access/access-tokens.ts';
import type { AppDeps } from '../access/app-deps.ts';
import { AttemptStore } from '../access/attempt-store.ts';
import { Attempts } from '../access/attempts.ts';
import { SigningKeyStore } from '../access/signing-key-store.ts';
import { SigningKeys } from '../access/signing-keys.ts';
import { FreshProofs } from './fresh-proofs.ts';
import { Grants } from './grants.ts';
import { InvitationStore } from './invitation-store.ts';
import { KnownDevices } from './known-devices.ts';
import type { MemberRoles } from './member-roles.ts';
import { MemberStore } from './member-store.ts';
import { Members } from './members.ts';
import { PasskeyStore } from './passkey-store.ts';
import { Passkeys } from './passkeys.ts';
import { type Hasher, Passwords } from './passwords.ts';
import { PendingSignIns } from './pending-sign-ins.ts';
import { Proofs } from './proofs.ts';
import { SecondFactorCheck } from './second-factor-check.ts';
import { SecondFactorStore } from './second-factor-store.ts';
import { SecondFactors } from './second-factors.ts';
import { type SecondStepAudience, SecondStepRule } from './second-step-rule.ts';
import { SessionStore } from './session-store.ts';
import { Sessions } from './sessions.ts';
import { SetupCodes } from './setup-codes.ts';
import { SignInLimits } from './sign-in-limits.ts';
import { UserSettings } from './user-settings.ts';
import { UserStore } from './user-store.ts';
import { Users } from './users.ts';

interface Deps extends AppDeps<'state' | 'access' | 'makers' | 'bus' | 'clock' | 'logger'> {
  readonly database: Database;
  readonly memberRoles: MemberRoles;
  /** The setting `second_step_required_for`. */
  readonly secondStepRequiredFor: () => SecondStepAudience;
  /** Default: Argon2id. */
  readonly passwordHasher?: Hasher | undefined;
}

export type UserOperations = ReturnType<typeof createUsers>;

export function createUsers(deps: Deps) {
  const { database, memberRoles: roles, clock } = deps;
  const store = new UserStore(database);
  const attempts = new Attempts({ store: new AttemptStore(database), clock });
  const signingKeys = new SigningKeys({ store: new SigningKeyStore(database), clock });
  const passwords = new Passwords(deps.passwordHasher);
  const sessions = new Sessions({ ...deps, store: new SessionStore(database), keys: signingKeys });
  const setupCodes = new SetupCodes({ store, clock });
  const userSettings = new UserSettings({ ...deps, store });
  const tokens = new AccessTokens({ ...deps, store: new AccessTokenStore(database), developers: userSettings });
  const members = new Members({
    ...deps,
    store: new MemberStore(database),
    invitations: new InvitationStore(database),
    users: store,
    roles,
  });
  const limits = new SignInLimits(attempts);
  const secondFactorStore = new SecondFactorStore(database);
  const secondFactorCheck = new SecondFactorCheck({ store: secondFactorStore, limits, sessions, clock });
  const passkeyStore = new PasskeyStore(database);
  const grants = new Grants({ ...deps, roles, members });
  const secondStepRule = new SecondStepRule({
    audience: deps.secondStepRequiredFor,
    members,
    secondFactors: secondFactorStore,
    passkeys: passkeyStore,
  });
  const knownDevices = new KnownDevices(database);
  const freshProofs = new FreshProofs(clock);
  const people = { store, passwords, sessions, members, grants, knownDevices, freshProofs };
  const accounts = { ...deps, ...people, limits, secondFactorCheck, secondStepRule };
  const pendingSignIns = new PendingSignIns(clock);
  const users = new Users({ ...accounts, setupCodes, tokens, pendingSignIns });
  const secondFactors = new SecondFactors({ ...accounts, secondFactorStore, passkeyStore });
  const passkeys = new Passkeys({ ...accounts, passkeyStore, pendingSignIns });
  const proofs = new Proofs({ ...accounts, passkeys });
  return {
    users,
    secondFactors,
    secondFactorCheck,
    passkeys,
    proofs,
    sessions,
    setupCodes,
    members,
    userSettings,
    tokens,
    attempts,
    signingKeys,
    passwords,
  };
}

/** Deletes expired sessions, invitations and attempts, every night. */
export function pruneUsers({
  sessions,
  members,
  attempts,
}: Pick<UserOperations, 'sessions' | 'members' | 'attempts'>): void {
  sessions.prune();
  members.prune();
  attempts.prune();
}
