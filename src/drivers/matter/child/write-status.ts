import { Status, StatusResponseError } from '@matter/main/types';
import type { MatterWriteResult } from '../../../home/matter-port.ts';

const STATUS: Readonly<Record<Exclude<MatterWriteResult, 'ok'>, Status>> = {
  unreachable: Status.Timeout,
  busy: Status.Busy,
  denied: Status.UnsupportedAccess,
  invalid: Status.ConstraintError,
  failed: Status.Failure,
  // As the specification has it for locks (§5.2.10).
  no_pin: Status.Failure,
  wrong_pin: Status.Failure,
  last_wrong_pin: Status.Failure,
  pin_blocked: Status.Failure,
};

/** @throws the status for a controller, unless the home did what it asked for */
export function requireOk(result: MatterWriteResult): void {
  if (result !== 'ok') throw new StatusResponseError(`The home answered "${result}"`, STATUS[result]);
}
