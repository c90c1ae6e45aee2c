/** Builds what belongs to people with accounts, their access tokens included, over one database. Holds no rule of its own. */
import type { HomeEvents } from '../../home/events.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { EventBus } from '../../kernel/event-bus.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Database } from '../../storage/database.ts';
import { AccessTokenStore } from '../access/access-token-store.ts';
import { AccessTokens } from '../access/access-tokens.ts';
import { AttemptStore } from '../access/attempt-store.ts';
import { Attempts } from '../access/attempts.ts';
import type { Access } from '../access/authorize.ts';
import { SigningKeyStore } from '../access/signing-key-store.ts';
import { SigningKeys } from '../access/signing-keys.ts';
import { Grants } from './grants.ts';
import { InvitationStore } from './invitation-store.ts';
import type { MemberRoles } from './member-roles.ts';
import { MemberStore } from './member-store.ts';
import { Members } from './members.ts';
import { type Hasher, Passwords } from './passwords.ts';
import { SessionStore } from './session-store.ts';
import { Sessions } from './sessions.ts';
import { SetupCodes } from './setup-codes.ts';
import { SignInLimits } from './sign-in-limits.ts';
import { UserSettings } from './user-settings.ts';
import { UserStore } from './user-store.ts';
import { Users } from './users.ts';

interface Ground {
  readonly database: Database;
  readonly state: HomeState;
  readonly access: Access;
  readonly memberRoles: MemberRoles;
  /** Argon2id where left out. */
  readonly passwordHasher?: Hasher | undefined;
  readonly bus: EventBus<HomeEvents>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export type UserOperations = ReturnType<typeof createUsers>;

export function createUsers(ground: Ground) {
  const { database, memberRoles: roles, clock } = ground;
  const store = new UserStore(database);
  const attempts = new Attempts({ store: new AttemptStore(database), clock });
  const signingKeys = new SigningKeys({ store: new SigningKeyStore(database), clock });
  const passwords = new Passwords(ground.passwordHasher);
  const sessions = new Sessions({ ...ground, store: new SessionStore(database), keys: signingKeys });
  const setupCodes = new SetupCodes({ store, clock });
  const userSettings = new UserSettings({ ...ground, store });
  const tokens = new AccessTokens({ ...ground, store: new AccessTokenStore(database), developers: userSettings });
  const members = new Members({
    ...ground,
    store: new MemberStore(database),
    invitations: new InvitationStore(database),
    users: store,
    roles,
  });
  const users = new Users({
    ...ground,
    store,
    passwords,
    sessions,
    setupCodes,
    members,
    grants: new Grants({ ...ground, roles, members }),
    tokens,
    limits: new SignInLimits(attempts),
  });
  return {
    users,
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

/** Lets go, every night, of what counts no more. */
export function pruneUsers({
  sessions,
  members,
  attempts,
}: Pick<UserOperations, 'sessions' | 'members' | 'attempts'>): void {
  sessions.prune();
  members.prune();
  attempts.prune();
}
