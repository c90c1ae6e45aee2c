/**
 * The accounts of the relay, for whoever claimed it: made and removed without an invitation. Names as existing clients of the
 * Community edition have them; what those call a user's one role is here their role in each home that they are a member of.
 */
import { type Caller, ROLES, type Role } from '../../app/access/caller.ts';
import type { Member } from '../../app/users/member.ts';
import type { SetupCode } from '../../app/users/setup-codes.ts';
import type { User } from '../../app/users/user.ts';
import { HearthError } from '../../kernel/errors.ts';
import { presentTime } from '../rest/present-time.ts';
import { given, type Maybe } from './arguments.ts';
import { builder, LIST } from './builder.ts';
import type { GraphqlContext, GraphqlDeps } from './context.ts';
import { MutationResult, type Outcome, reportOutcome } from './result.ts';

const ROLE_IN_HOME = 'The role in this home alone; in every home that they are a member of if left out.';

const CommunityUser = builder.objectRef<User>('CommunityUser').implement({
  description: 'Somebody with an account on this relay.',
  fields: (t) => ({
    id: t.exposeString('id', { nullable: false, description: 'A UUID.' }),
    name: t.exposeString('name', { description: 'What they are called.' }),
    email: t.exposeString('email', { nullable: false, description: 'The address that they sign in with.' }),
    role: t.string({
      description: 'The strongest that they have in any home; null while they are in none.',
      resolve: ({ id }, _, { deps }) => strongestRole(deps, id),
    }),
    isFounder: t.exposeBoolean('isFounder', { nullable: false, description: 'Whether they claimed the relay.' }),
    createdAt: t.string({
      nullable: false,
      description: 'When the account was made, ISO 8601.',
      resolve: ({ createdAt }) => presentTime(createdAt),
    }),
    lastLoginAt: t.string({
      description: 'When they signed in last.',
      resolve: ({ lastLoginAt }) => presentTime(lastLoginAt),
    }),
  }),
});

const CommunityUserResult = builder.objectRef<Outcome & { readonly userId: string }>('CommunityUserResult').implement({
  description: 'Whether an account was changed or removed.',
  interfaces: [MutationResult],
  fields: (t) => ({ userId: t.exposeString('userId', { description: 'The user.' }) }),
});

/** The homes that a user belongs to, with their role there. */
function rolesOf({ access, state }: GraphqlDeps, userId: string): readonly { homeId: string; role: Role }[] {
  // What they may do is asked as they would: nothing else is done with this caller.
  const asThem: Caller = { principal: { kind: 'user', userId, sessionId: '' }, requestId: '', depth: 0 };
  return state.homes().flatMap(({ id: homeId }) => {
    const role = access.roleIn(asThem, homeId);
    return role === undefined ? [] : [{ homeId, role }];
  });
}

function strongestRole(deps: GraphqlDeps, userId: string): Role | null {
  return rolesOf(deps, userId).reduce<Role | null>(
    (strongest, { role }) => (strongest && ROLES.indexOf(strongest) >= ROLES.indexOf(role) ? strongest : role),
    null,
  );
}

/** @throws `conflict` they are a member of no home · what changing a member throws */
function setRoles({ caller, deps }: GraphqlContext, userId: string, role: string, homeId: Maybe<string>): Member[] {
  const homeIds = homeId ? [homeId] : rolesOf(deps, userId).map((one) => one.homeId);
  if (homeIds.length === 0) {
    throw new HearthError('conflict', 'They are a member of no home yet: invite them into one.', { field: 'userId' });
  }
  return homeIds.map((id) => deps.members.setRole(caller, { homeId: id, memberId: userId, role }));
}

const SetupCodeType = builder.objectRef<SetupCode>('SetupCode').implement({
  description: 'With which the first person claims the relay.',
  fields: (t) => ({
    code: t.exposeString('code', { nullable: false, description: '`XXXX-XXXX`' }),
    expiresAt: t.string({
      nullable: false,
      description: 'Until when, ISO 8601.',
      resolve: ({ expiresAt }) => presentTime(expiresAt),
    }),
  }),
});

builder.queryFields((t) => ({
  communityUsers: t.field({
    type: [CommunityUser],
    nullable: LIST,
    description: 'Everybody with an account, oldest first. For whoever claimed the relay.',
    resolve: (_, __, { caller, deps }) => deps.users.list(caller),
  }),
}));

builder.mutationFields((t) => ({
  createCommunityUser: t.field({
    type: CommunityUser,
    description: 'Makes an account without an invitation. For whoever claimed the relay.',
    args: {
      name: t.arg.string({ required: true, description: 'What they are called.' }),
      password: t.arg.string({ required: true, description: '8 characters or more.' }),
      role: t.arg.string({ description: 'What they are in the homes: `owner`, `admin`, `control` or `view`.' }),
      email: t.arg.string({ description: 'The address to sign in with; `name` is it if left out.' }),
      homeIds: t.arg.stringList({ description: 'The homes; every one that the caller owns if left out.' }),
    },
    resolve: (_, { name, email, password, role, homeIds }, { caller, deps }) =>
      deps.users.create(caller, { email: email ?? name, name, password, ...given({ role, homeIds }) }),
  }),
  renameCommunityUser: t.field({
    type: CommunityUser,
    description: 'Changes what somebody is called. For whoever claimed the relay.',
    args: { userId: t.arg.string({ required: true }), name: t.arg.string({ required: true }) },
    resolve: (_, { userId, name }, { caller, deps }) => deps.users.rename(caller, userId, name),
  }),
  changeCommunityUserPassword: t.field({
    type: CommunityUserResult,
    description: 'Sets somebody’s password and ends all their sessions. For whoever claimed the relay.',
    args: { userId: t.arg.string({ required: true }), password: t.arg.string({ required: true }) },
    resolve: (_, { userId, password }, { caller, deps }) =>
      reportOutcome(
        async () => {
          await deps.users.setPassword(caller, userId, password);
          return { userId };
        },
        { userId },
      ),
  }),
  updateCommunityUserRole: t.field({
    type: CommunityUserResult,
    description: 'Changes what somebody may do, in all their homes or in one. For owners of those homes.',
    args: {
      userId: t.arg.string({ required: true }),
      role: t.arg.string({ required: true, description: '`owner`, `admin`, `control` or `view`.' }),
      homeId: t.arg.string({ description: ROLE_IN_HOME }),
    },
    resolve: (_, { userId, role, homeId }, context) =>
      reportOutcome(
        () => {
          setRoles(context, userId, role, homeId);
          return { userId };
        },
        { userId },
      ),
  }),
  renewSetupCode: t.field({
    type: SetupCodeType,
    description: 'Makes a new setup code, while nobody has claimed the relay. For its command line.',
    resolve: (_, __, { caller, deps }) => deps.setupCodes.renew(caller),
  }),
  deleteCommunityUser: t.field({
    type: CommunityUserResult,
    description:
      'Deletes an account: its sessions, access tokens and apps end at once. For whoever claimed the relay; not themselves.',
    args: { userId: t.arg.string({ required: true }) },
    resolve: (_, { userId }, { caller, deps }) =>
      reportOutcome(
        () => {
          deps.users.delete(caller, userId);
          return { userId };
        },
        { userId },
      ),
  }),
}));
