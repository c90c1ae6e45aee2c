/**
 * Results of mutations that delete or act: the result reports expected errors, beside what succeeded. Only missing
 * permissions and internal errors are an error of the whole field.
 */
import { type ErrorCode, HearthError } from '../../kernel/errors.ts';
import type { ErrorReason } from '../../kernel/reasons.ts';
import { builder } from './builder.ts';

/** Authentication and authorization (decisions §7), storage errors, and unexpected errors. */
const THROWN: ReadonlySet<ErrorCode> = new Set([
  'invalid_token',
  'insufficient_permissions',
  'insufficient_platform_privileges',
  'developer_mode_required',
  'forbidden_origin',
  'storage_unavailable',
  'internal',
]);

/** Why an action failed; all `null` if it succeeded. */
export interface ActionResult {
  readonly success: boolean;
  /** A sentence for people. */
  readonly error: string | null;
  /** A word for machines. */
  readonly code: ErrorCode | null;
  /** Which of that code's causes applies, if it has several. */
  readonly reason?: ErrorReason | null;
  readonly clockDifferenceSeconds?: number | null;
}

export const MutationResult = builder.interfaceRef<ActionResult>('MutationResult').implement({
  description:
    'How a mutation that deletes or acts went. Expected failures are here; a missing permission is an error of the field.',
  fields: (t) => ({
    success: t.exposeBoolean('success', { nullable: false, description: 'Whether all of it was done.' }),
    error: t.exposeString('error', { description: 'What went wrong, as a sentence for people; null if nothing did.' }),
    code: t.exposeString('code', {
      description: 'What went wrong, as the word that REST gives in `code`: `accessory_unreachable`, `invalid_value` …',
    }),
    reason: t.exposeString('reason', {
      description:
        'Which of the code’s causes it was, where it has several that call for different remedies, as REST’s `reason`: `wrong_code`, `paired_elsewhere` …',
    }),
  }),
});

const SUCCEEDED: ActionResult = { success: true, error: null, code: null };

/**
 * Executes an action and reports its outcome.
 * @param act its return value is merged with the outcome.
 * @param rest the result's other fields if it fails.
 */
export async function reportOutcome<T extends object, R extends object>(
  act: () => T | Promise<T>,
  rest: R,
): Promise<ActionResult & (T | R)> {
  try {
    return { ...SUCCEEDED, ...(await act()) };
  } catch (error) {
    if (!(error instanceof HearthError) || THROWN.has(error.code)) throw error;
    const { message, code, details } = error;
    const { reason = null, clockDifferenceSeconds = null } = details;
    return { ...rest, success: false, error: message, code, reason, clockDifferenceSeconds };
  }
}

/** For results of mutations that take a code of an authenticator app. */
export const CLOCK_DIFFERENCE =
  'With the reason `clocks_differ`: the seconds by which the phone’s clock is ahead of the relay’s, negative if it is behind.';
