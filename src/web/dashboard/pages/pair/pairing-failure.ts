/** The reason of a failed pairing and the remedy, by the relay's reason code. */
import { ApiError } from '../../api/api-error.ts';

/** @returns `undefined`: this page has no text of its own for it. */
export function pairingFailure<T extends object>(error: unknown, failures: T): T[keyof T] | undefined {
  const reason = error instanceof ApiError ? error.reason : undefined;
  return reason !== undefined && Object.hasOwn(failures, reason) ? failures[reason as keyof T] : undefined;
}
