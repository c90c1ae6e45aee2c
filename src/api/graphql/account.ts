/**
 * Signing in, and the account of the signed-in user. A wrong password is an expected error, reported in the result.
 * Signing in and up are public (`public-fields.ts`), and every such field counts as an attempt.
 */
import type { SignedIn, User } from '../../app/users/user.ts';
import { NewUser, PasswordChange, ProfileChanges, User as UserFields } from '../../contract/users.ts';
import { presentTime } from '../present/time.ts';
import { given } from './arguments.ts';
import { builder } from './builder.ts';
import { argumentsOf, fieldsOf } from './contract-fields.ts';
import { type ActionResult, CLOCK_DIFFERENCE, MutationResult, reportOutcome } from './result.ts';

/** Clients of the Cloud edition request the plan of an account. */
const ACCOUNT_TYPE = 'community';

const UserType = builder.objectRef<User>('User').implement({
  description: 'A person with an account. Times are ISO 8601 in UTC.',
  fields: (t) => ({
    ...fieldsOf(t, UserFields.omit({ isFounder: true }), [], {
      createdAt: ({ createdAt }: User) => presentTime(createdAt),
      lastLoginAt: ({ lastLoginAt }: User) => presentTime(lastLoginAt),
    }),
    isAdmin: t.boolean({
      nullable: false,
      description: 'Whether they may make and remove accounts: true for the founder.',
      resolve: ({ isFounder }) => isFounder,
    }),
    accountType: t.string({ nullable: false, description: 'Always `community`.', resolve: () => ACCOUNT_TYPE }),
    emailVerified: t.boolean({
      nullable: false,
      description: 'Always true: a relay sends no mails to verify addresses with.',
      resolve: () => true,
    }),
  }),
});

type SignInOutcome = ActionResult & { readonly signedIn: SignedIn | null };

export const AuthResult = builder.objectRef<SignInOutcome>('AuthResult').implement({
  description: 'A session, or why there is none. A wrong address, password or code gives the same sentence.',
  interfaces: [MutationResult],
  fields: (t) => ({
    token: t.string({
      description: 'Sent from now on as `Authorization: Bearer <token>`.',
      resolve: ({ signedIn }) => signedIn?.token ?? null,
    }),
    expiresAt: t.string({
      description: 'When it ends, ISO 8601. After that a person signs in again.',
      resolve: ({ signedIn }) => presentTime(signedIn?.expiresAt ?? null),
    }),
    needsSecondStep: t.boolean({
      nullable: false,
      description:
        'Whether the session can only set a second step up, which its account must have: `beginSecondFactor` or `beginPasskey`.',
      resolve: ({ signedIn }) => signedIn?.needsSecondStep ?? false,
    }),
    user: t.field({
      type: UserType,
      description: 'Who is signed in.',
      resolve: ({ signedIn }) => signedIn?.user ?? null,
    }),
    userId: t.string({ description: 'Their id.', resolve: ({ signedIn }) => signedIn?.user.id ?? null }),
    email: t.string({ description: 'Their address.', resolve: ({ signedIn }) => signedIn?.user.email ?? null }),
    clockDifferenceSeconds: t.exposeInt('clockDifferenceSeconds', { description: CLOCK_DIFFERENCE }),
    message: t.string({ description: 'Always null: `error` has the reason.', resolve: () => null }),
  }),
});

const UpdateProfileResult = builder
  .objectRef<ActionResult & { readonly user: User | null }>('UpdateProfileResult')
  .implement({
    description: 'An account as it is now, or why it is as it was.',
    interfaces: [MutationResult],
    fields: (t) => ({ user: t.expose('user', { type: UserType, description: 'The account; null where it failed.' }) }),
  });

const AccountInfo = builder.objectRef<{ readonly accountType: string }>('AccountInfo').implement({
  description:
    'What clients of the Cloud edition ask about their plan. Here there is none: nothing costs, nothing is limited.',
  fields: (t) => ({
    accountType: t.exposeString('accountType', { nullable: false, description: 'Always `community`.' }),
    accessoryLimit: t.int({ description: 'Always null: no limit.', resolve: () => null }),
    hasSubscription: t.boolean({ nullable: false, description: 'Always false.', resolve: () => false }),
    subscriptionSource: t.string({ description: 'Always null.', resolve: () => null }),
    cloudSignupsAvailable: t.boolean({ nullable: false, description: 'Always false.', resolve: () => false }),
    adsenseAdsEnabled: t.boolean({ nullable: false, description: 'Always false.', resolve: () => false }),
    smartDealsEnabled: t.boolean({ nullable: false, description: 'Always false.', resolve: () => false }),
  }),
});

export const signIn = (act: () => Promise<SignedIn>): Promise<SignInOutcome> =>
  reportOutcome<{ signedIn: SignedIn | null }, { signedIn: null }>(async () => ({ signedIn: await act() }), {
    signedIn: null,
  });

builder.queryFields((t) => ({
  isOnboarded: t.boolean({
    nullable: false,
    description: 'Whether the relay has a founder; until then `signup` takes its setup code. For everyone.',
    resolve: (_, __, { deps }) => deps.users.isClaimed(),
  }),
  relayReady: t.boolean({
    nullable: false,
    description: 'Always true: it answers. For everyone.',
    resolve: () => true,
  }),
  authEnabled: t.boolean({
    nullable: false,
    description: 'Always true: an account is needed. For everyone.',
    resolve: () => true,
  }),
  isWaitlistMode: t.boolean({
    nullable: false,
    description: 'Always false: there is no waiting list. For everyone.',
    resolve: () => false,
  }),
  me: t.field({
    type: UserType,
    description:
      'The person that the caller acts for; the founder for tokens of the command line without home limits. FORBIDDEN for what acts for no person.',
    resolve: (_, __, { caller, deps }) => deps.users.me(caller),
  }),
  account: t.field({
    type: AccountInfo,
    description: 'The plan of whom the caller acts for. FORBIDDEN as for `me`.',
    resolve: (_, __, { caller, deps }) => {
      deps.users.me(caller);
      return { accountType: ACCOUNT_TYPE };
    },
  }),
}));

builder.mutationFields((t) => ({
  login: t.field({
    type: AuthResult,
    description: 'Signs a person in. For everyone. After two wrong tries each further one waits longer: RATE_LIMITED.',
    args: {
      email: t.arg.string({ required: true }),
      password: t.arg.string({ required: true }),
      code: t.arg.string({
        description:
          'For an account with a second step: a code of its authenticator app, or a recovery code. Without it, `reason` is `second_factor_required`.',
      }),
    },
    resolve: (_, input, { caller, deps, device }) => signIn(() => deps.users.logIn(caller, { ...input, device })),
  }),
  signup: t.field({
    type: AuthResult,
    description:
      'Makes an account and signs in: the first one with the setup code that the relay printed at its start (`hearthd setup-code` makes a new one), every other with an invitation. For everyone.',
    args: {
      email: t.arg.string({ required: true }),
      ...argumentsOf(t.arg, NewUser.pick({ password: true, name: true })),
      setupCode: t.arg.string({ description: '`XXXX-XXXX`; for the first account.' }),
      invitationCode: t.arg.string({ description: 'The last part of an invitation’s address.' }),
    },
    resolve: (_, { email, password, name, setupCode, invitationCode }, { caller, deps, device }) => {
      const account = { email, password, device, ...given({ name }) };
      return signIn(() =>
        typeof setupCode === 'string'
          ? deps.users.claim(caller, { ...account, setupCode })
          : deps.users.signUp(caller, { ...account, invitationCode }),
      );
    },
  }),
  changePassword: t.field({
    type: AuthResult,
    description:
      'Changes the caller’s own password and ends every session, this one too; the answer is a new one. For sessions only.',
    args: argumentsOf(t.arg, PasswordChange),
    resolve: (_, input, { caller, deps, device }) =>
      signIn(() => deps.users.changePassword(caller, { ...input, device })),
  }),
  renewSession: t.field({
    type: AuthResult,
    description:
      'Gives the session that asks seven days from now, and another token. The one from before is good until its own end. For sessions only.',
    resolve: (_, __, { caller, deps }) => signIn(() => deps.users.renewSession(caller)),
  }),
  updateProfile: t.field({
    type: UpdateProfileResult,
    description:
      'Changes the caller’s own name; the founder changes their address too, with the current password. For sessions only.',
    args: argumentsOf(t.arg, ProfileChanges),
    resolve: (_, changes, { caller, deps }) =>
      reportOutcome<{ user: User | null }, { user: null }>(
        async () => ({ user: await deps.users.update(caller, given(changes)) }),
        { user: null },
      ),
  }),
}));
