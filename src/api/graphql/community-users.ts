/**
 * The accounts of the relay, for the user who claimed it: created and removed without an invitation. Names are those of
 * existing clients of the Community edition. Their single role of a user is here the user's role in each home that they
 * are a member of.
 */
import type { SetupCode } from '../../app/users/setup-codes.ts';
import type { User } from '../../app/users/user.ts';
import { presentTime } from '../present/time.ts';
import { given } from './arguments.ts';
import { builder, LIST } from './builder.ts';
import { type ActionResult, MutationResult, reportOutcome } from './result.ts';

const ROLE_IN_HOME = 'The role in this home alone; in every home that they are a member of if left out.';

const CommunityUser = builder.objectRef<User>('CommunityUser').implement({
  description: 'A person with an account on this relay.',
  fields: (t) => ({
    id: t.exposeString('id', { nullable: false, description: 'A UUID.' }),
    name: t.exposeString('name', { description: 'What they are called.' }),
    email: t.exposeString('email', {
      nullable: false,
      description: 'What they sign in with: their address, or their name where they have none.',
    }),
    role: t.string({
      description: 'The strongest that they have in any home; null while they are in none.',
      resolve: ({ id }, _, { deps }) => deps.members.strongestRole(id),
    }),
    isFounder: t.exposeBoolean('isFounder', { nullable: false, description: 'Whether they claimed the relay.' }),
    hasSecondFactor: t.boolean({
      nullable: false,
      description: 'Whether their password needs a code of an authenticator app; `resetSecondFactor` turns that off.',
      resolve: ({ id }, _, { deps }) => deps.secondFactors.isOnFor(id),
    }),
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

const CommunityUserResult = builder
  .objectRef<ActionResult & { readonly userId: string }>('CommunityUserResult')
  .implement({
    description: 'Whether an account was changed or removed.',
    interfaces: [MutationResult],
    fields: (t) => ({ userId: t.exposeString('userId', { description: 'The user.' }) }),
  });

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
    description: 'All accounts, oldest first. For the founder.',
    resolve: (_, __, { caller, deps }) => deps.users.list(caller),
  }),
}));

builder.mutationFields((t) => ({
  createCommunityUser: t.field({
    type: CommunityUser,
    description: 'Makes an account without an invitation. For the founder.',
    args: {
      name: t.arg.string({ required: true, description: 'What they are called.' }),
      password: t.arg.string({ required: true, description: '8 characters or more.' }),
      role: t.arg.string({ description: 'What they are in the homes: `owner`, `admin`, `control` or `view`.' }),
      email: t.arg.string({ description: 'The address to sign in with. If left out, they sign in with `name`.' }),
      homeIds: t.arg.stringList({ description: 'The homes; every one that the caller owns if left out.' }),
    },
    resolve: (_, { name, email, password, role, homeIds }, { caller, deps }) =>
      deps.users.create(caller, { name, password, ...given({ email, role, homeIds }) }),
  }),
  renameCommunityUser: t.field({
    type: CommunityUser,
    description: 'Renames a user. For the founder.',
    args: { userId: t.arg.string({ required: true }), name: t.arg.string({ required: true }) },
    resolve: (_, { userId, name }, { caller, deps }) => deps.users.rename(caller, userId, name),
  }),
  changeCommunityUserPassword: t.field({
    type: CommunityUserResult,
    description: 'Sets a user’s password and ends all their sessions. For the founder.',
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
  resetSecondFactor: t.field({
    type: CommunityUserResult,
    description:
      'Turns the second step of a user off who has lost their authenticator app. Sessions stay. For the founder.',
    args: { userId: t.arg.string({ required: true }) },
    resolve: (_, { userId }, { caller, deps }) =>
      reportOutcome(
        () => {
          deps.secondFactors.reset(caller, userId);
          return { userId };
        },
        { userId },
      ),
  }),
  updateCommunityUserRole: t.field({
    type: CommunityUserResult,
    description: 'Changes the role of a user, in all their homes or in one. For owners of those homes.',
    args: {
      userId: t.arg.string({ required: true }),
      role: t.arg.string({ required: true, description: '`owner`, `admin`, `control` or `view`.' }),
      homeId: t.arg.string({ description: ROLE_IN_HOME }),
    },
    resolve: (_, { userId, role, homeId }, { caller, deps }) =>
      reportOutcome(
        () => {
          if (homeId) deps.members.setRole(caller, { homeId, memberId: userId, role });
          else deps.members.setRoleEverywhere(caller, { userId, role });
          return { userId };
        },
        { userId },
      ),
  }),
  renewSetupCode: t.field({
    type: SetupCodeType,
    description: 'Makes a new setup code, while the relay has no founder. For its command line.',
    resolve: (_, __, { caller, deps }) => deps.setupCodes.renew(caller),
  }),
  deleteCommunityUser: t.field({
    type: CommunityUserResult,
    description:
      'Deletes an account: its sessions, access tokens and apps end at once. For the founder; not their own.',
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
