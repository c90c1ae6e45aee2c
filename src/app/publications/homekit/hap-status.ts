/** HAP status codes for what operations throw. */
import type { ErrorCode } from '../../../kernel/errors.ts';

export const SUCCESS = 0;
export const UNREACHABLE = -70402;
export const BUSY = -70403;
export const READ_ONLY = -70404;
export const WRITE_ONLY = -70405;
export const NO_RESOURCES = -70407;
export const NOT_FOUND = -70409;
export const INVALID_VALUE = -70410;
const NOT_ALLOWED = -70401;

const STATUS_CODES: Readonly<Partial<Record<ErrorCode, number>>> = {
  accessory_not_found: NOT_FOUND,
  characteristic_not_found: NOT_FOUND,
  scene_not_found: NOT_FOUND,
  service_group_not_found: NOT_FOUND,
  characteristic_not_writable: READ_ONLY,
  invalid_value: INVALID_VALUE,
  invalid_request: INVALID_VALUE,
  insufficient_permissions: NOT_ALLOWED,
  rate_limited: BUSY,
  storage_unavailable: NO_RESOURCES,
};

/** For every other error: the accessory could not be reached. */
export function hapStatus(code: ErrorCode): number {
  return STATUS_CODES[code] ?? UNREACHABLE;
}
