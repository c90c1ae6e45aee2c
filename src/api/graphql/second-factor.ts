/** The second step of signing in, of the signed-in user. A wrong code is an expected error, reported in the result. */
import type { SecondFactorSetup, SecondFactorStatus } from '../../app/users/second-factors.ts';
import { SecondFactorCode, SecondFactorStart, SecondFactor as StatusFields } from '../../contract/users.ts';
import { presentTime } from '../present/time.ts';
import { builder } from './builder.ts';
import { argumentsOf, fieldsOf } from './contract-fields.ts';
import { type ActionResult, CLOCK_DIFFERENCE, MutationResult, reportOutcome } from './result.ts';

const SecondFactorType = builder.objectRef<SecondFactorStatus>('SecondFactor').implement({
  description: 'Whether signing in with the password needs a code of an authenticator app.',
  fields: (t) =>
    fieldsOf(t, StatusFields, [], { createdAt: ({ createdAt }: SecondFactorStatus) => presentTime(createdAt) }),
});

const SetupResult = builder
  .objectRef<ActionResult & { readonly setup: SecondFactorSetup | null }>('SecondFactorSetupResult')
  .implement({
    description: 'What an authenticator app needs, shown once; or why there is none.',
    interfaces: [MutationResult],
    fields: (t) => ({
      secret: t.string({
        description: 'For typing into the app, in Base32.',
        resolve: ({ setup }) => setup?.secret ?? null,
      }),
      uri: t.string({ description: 'For a QR code: `otpauth://totp/…`', resolve: ({ setup }) => setup?.uri ?? null }),
    }),
  });

const RecoveryCodesResult = builder
  .objectRef<ActionResult & { readonly recoveryCodes: readonly string[] | null }>('RecoveryCodesResult')
  .implement({
    description: 'Recovery codes, shown only now; or why there are none.',
    interfaces: [MutationResult],
    fields: (t) => ({
      recoveryCodes: t.stringList({
        nullable: { list: true, items: false },
        description: 'Each works once, in place of a code.',
        resolve: ({ recoveryCodes }) => recoveryCodes && [...recoveryCodes],
      }),
      clockDifferenceSeconds: t.exposeInt('clockDifferenceSeconds', { description: CLOCK_DIFFERENCE }),
    }),
  });

const SecondFactorResult = builder.objectRef<ActionResult>('SecondFactorResult').implement({
  description: 'Whether the second step was turned off.',
  interfaces: [MutationResult],
  fields: (t) => ({
    clockDifferenceSeconds: t.exposeInt('clockDifferenceSeconds', { description: CLOCK_DIFFERENCE }),
  }),
});

const reportCodes = (act: () => readonly string[]) =>
  reportOutcome<{ recoveryCodes: readonly string[] | null }, { recoveryCodes: null }>(
    () => ({ recoveryCodes: act() }),
    {
      recoveryCodes: null,
    },
  );

builder.queryFields((t) => ({
  secondFactor: t.field({
    type: SecondFactorType,
    description: 'The second step of signing in, of the caller’s own account. For sessions only.',
    resolve: (_, __, { caller, deps }) => deps.secondFactors.status(caller),
  }),
}));

builder.mutationFields((t) => ({
  beginSecondFactor: t.field({
    type: SetupResult,
    description:
      'Makes a secret for an authenticator app. Nothing changes until `confirmSecondFactor`, within 30 minutes. For sessions only.',
    args: argumentsOf(t.arg, SecondFactorStart),
    resolve: (_, input, { caller, deps }) =>
      reportOutcome<{ setup: SecondFactorSetup | null }, { setup: null }>(
        async () => ({ setup: await deps.secondFactors.begin(caller, input) }),
        { setup: null },
      ),
  }),
  confirmSecondFactor: t.field({
    type: RecoveryCodesResult,
    description:
      'Turns the second step on with the first code of the app. Sessions, apps and access tokens stay. For sessions only.',
    args: argumentsOf(t.arg, SecondFactorCode),
    resolve: (_, input, { caller, deps }) => reportCodes(() => deps.secondFactors.confirm(caller, input)),
  }),
  renewRecoveryCodes: t.field({
    type: RecoveryCodesResult,
    description: 'Replaces the recovery codes; the earlier ones become invalid. For sessions only.',
    args: argumentsOf(t.arg, SecondFactorCode),
    resolve: (_, input, { caller, deps }) => reportCodes(() => deps.secondFactors.renewRecoveryCodes(caller, input)),
  }),
  turnOffSecondFactor: t.field({
    type: SecondFactorResult,
    description: 'Turns the second step off, with a code or a recovery code. For sessions only.',
    args: argumentsOf(t.arg, SecondFactorCode),
    resolve: (_, input, { caller, deps }) =>
      reportOutcome(() => {
        deps.secondFactors.turnOff(caller, input);
        return {};
      }, {}),
  }),
}));
