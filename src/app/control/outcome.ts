/** Outcomes of settings, and the caller's errors for a device's failures. */
import type { FailureReason, WriteOutcome } from '../../home/accessory-driver.ts';
import type { CharacteristicValue } from '../../home/model.ts';
import { type ErrorCode, HearthError } from '../../kernel/errors.ts';

export type SettingOutcome =
  | { readonly property: string; readonly ok: true; readonly value: CharacteristicValue }
  | { readonly property: string; readonly ok: false; readonly code: ErrorCode; readonly message: string };

/** The outcome of one write of `writeCharacteristics`. */
export type CharacteristicOutcome = {
  /** Both as given in the request. */
  readonly accessoryId: string;
  readonly characteristicType: string;
} & (
  | { readonly ok: true; readonly value: CharacteristicValue }
  | { readonly ok: false; readonly code: ErrorCode; readonly message: string }
);

export interface AccessoryOutcome {
  readonly accessoryId: string;
  /** One per property, in the order given. */
  readonly settings: readonly SettingOutcome[];
}

interface Failure {
  readonly code: ErrorCode;
  readonly sentence: string;
  /** Whether the driver's own message is more helpful. */
  readonly withDetail: boolean;
}

/** The error for each failure of a device. */
const FAILURES: Readonly<Record<FailureReason, Failure>> = {
  unreachable: { code: 'accessory_unreachable', sentence: 'Accessory unreachable', withDetail: false },
  busy: { code: 'accessory_error', sentence: 'The accessory is busy; try again in a moment', withDetail: false },
  read_only: { code: 'characteristic_not_writable', sentence: 'Characteristic not writable', withDetail: false },
  invalid_value: { code: 'invalid_value', sentence: 'Invalid value: the accessory refused it', withDetail: false },
  not_found: {
    code: 'characteristic_not_found',
    sentence: 'The accessory does not know this characteristic',
    withDetail: false,
  },
  not_authorized: { code: 'accessory_error', sentence: 'The accessory did not authorize this', withDetail: true },
  device_error: { code: 'accessory_error', sentence: 'The accessory reported an error', withDetail: true },
};

/** The error for a failed write. */
export function failureOf(outcome: Extract<WriteOutcome, { ok: false }> | undefined): HearthError {
  const { reason, detail } = outcome ?? { reason: 'device_error' as const, detail: '' };
  const { code, sentence, withDetail } = FAILURES[reason];
  return new HearthError(code, withDetail && detail ? `${sentence}: ${detail}` : sentence);
}

/** Converts expected errors to values; any other error is a bug and stays thrown. */
export function attempt<T>(act: () => T): T | HearthError {
  try {
    return act();
  } catch (error) {
    if (error instanceof HearthError) return error;
    throw error;
  }
}
