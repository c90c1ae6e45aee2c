/** Why a pairing failed and what to do, by the reason that the relay gives. */
import { ApiError } from '../../api/api-error.ts';

/** @returns `undefined`: it has no words of its own on this page. */
export function pairingFailure<T extends object>(error: unknown, failures: T): T[keyof T] | undefined {
  const reason = error instanceof ApiError ? error.reason : undefined;
  return reason !== undefined && Object.hasOwn(failures, reason) ? failures[reason as keyof T] : undefined;
}
