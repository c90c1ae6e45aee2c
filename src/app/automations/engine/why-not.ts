import { HearthError } from '../../../kernel/errors.ts';
import { ActionFailure } from '../actions/action-kind.ts';
import type { WhyNot } from '../program.ts';
import { EndedSignal, FailedSignal } from './signals.ts';
import { whyNotIn } from './trace-recorder.ts';

/** The details of a failure besides its message. */
export function whyNotOf(error: unknown): WhyNot {
  if (error instanceof FailedSignal) return error.whyNot;
  if (error instanceof EndedSignal) return whyNotIn(error.end);
  if (!(error instanceof HearthError)) return {};
  const refusals = error instanceof ActionFailure ? error.refusals : [];
  return { reason: error.details.reason ?? error.code, ...(refusals.length > 0 && { refusals }) };
}
