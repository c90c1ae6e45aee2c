/** Account functions of the Cloud edition alone, for clients that offer them: it sends mails, and a relay does not. */
import { HearthError } from '../../kernel/errors.ts';
import { builder } from './builder.ts';
import { type ActionResult, MutationResult, reportOutcome } from './result.ts';

const CloudOnlyResult = builder.objectRef<ActionResult>('CloudOnlyResult').implement({
  description: 'Always a failure: `cloud_only`.',
  interfaces: [MutationResult],
});

const NO_MAILS = 'A relay sends no mails, so it verifies no addresses.';
const NO_RESET =
  'A relay sends no mails to reset a password with. The founder sets a new one, or "hearthd user password" on the computer that it runs on.';

const refuse = (sentence: string): Promise<ActionResult> =>
  reportOutcome<object, object>(() => {
    throw new HearthError('cloud_only', sentence);
  }, {});

builder.mutationFields((t) => ({
  verifyEmail: t.field({
    type: CloudOnlyResult,
    description: 'Cloud edition only.',
    args: { token: t.arg.string({ required: true }) },
    resolve: () => refuse(NO_MAILS),
  }),
  resendVerificationEmail: t.field({
    type: CloudOnlyResult,
    description: 'Cloud edition only.',
    args: { email: t.arg.string() },
    resolve: () => refuse(NO_MAILS),
  }),
  requestPasswordReset: t.field({
    type: CloudOnlyResult,
    description: 'Cloud edition only.',
    args: { email: t.arg.string({ required: true }) },
    resolve: () => refuse(NO_RESET),
  }),
  resetPassword: t.field({
    type: CloudOnlyResult,
    description: 'Cloud edition only.',
    args: { token: t.arg.string({ required: true }), newPassword: t.arg.string({ required: true }) },
    resolve: () => refuse(NO_RESET),
  }),
}));
