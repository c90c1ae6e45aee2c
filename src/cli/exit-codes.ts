/** Exit codes of the commands. `hearthd --help`, the manual and the code use this one table. */
import type { ErrorCode } from '../kernel/errors.ts';

export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  notRunning: 3,
  notFound: 4,
  refused: 5,
  unreachable: 6,
  pairing: 7,
  later: 75,
  config: 78,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** 75 and 78 are EX_TEMPFAIL and EX_CONFIG of sysexits(3): systemd restarts after 75 and not after 78. */
export const EXIT_MEANINGS: readonly (readonly [ExitCode, string])[] = [
  [EXIT.ok, 'done'],
  [EXIT.failed, 'failed, or doctor found an error'],
  [EXIT.usage, 'invalid option, argument or value'],
  [EXIT.notRunning, 'the daemon is not running'],
  [EXIT.notFound, 'not found'],
  [EXIT.refused, 'not allowed, or in conflict with the current state'],
  [EXIT.unreachable, 'the device does not respond, or its home is paused'],
  [EXIT.pairing, 'pairing failed'],
  [EXIT.later, 'busy, or too many attempts: try again later'],
  [EXIT.config, 'invalid configuration, or unusable data directory'],
];

export const EXIT_OF_ERROR: Readonly<Record<ErrorCode, ExitCode>> = {
  invalid_request: EXIT.usage,
  invalid_value: EXIT.usage,
  invalid_token: EXIT.refused,
  invalid_credentials: EXIT.refused,
  insufficient_permissions: EXIT.refused,
  insufficient_platform_privileges: EXIT.refused,
  developer_mode_required: EXIT.refused,
  passcode_required: EXIT.refused,
  forbidden_origin: EXIT.refused,
  not_found: EXIT.notFound,
  home_not_found: EXIT.notFound,
  room_not_found: EXIT.notFound,
  accessory_not_found: EXIT.notFound,
  scene_not_found: EXIT.notFound,
  zone_not_found: EXIT.notFound,
  service_group_not_found: EXIT.notFound,
  automation_not_found: EXIT.notFound,
  person_not_found: EXIT.notFound,
  user_not_found: EXIT.notFound,
  share_not_found: EXIT.notFound,
  webhook_not_found: EXIT.notFound,
  broker_not_found: EXIT.notFound,
  characteristic_not_found: EXIT.usage,
  characteristic_not_writable: EXIT.refused,
  relay_not_connected: EXIT.unreachable,
  accessory_unreachable: EXIT.unreachable,
  accessory_error: EXIT.unreachable,
  conflict: EXIT.refused,
  method_not_allowed: EXIT.failed,
  payload_too_large: EXIT.usage,
  unsupported_media_type: EXIT.failed,
  rate_limited: EXIT.later,
  pairing_failed: EXIT.pairing,
  storage_unavailable: EXIT.later,
  cloud_only: EXIT.notFound,
  internal: EXIT.failed,
};

/** An error of a command: the message and its exit code. */
export class CliError extends Error {
  readonly exitCode: ExitCode;
  /** For `--json`: the API's error code, or a code of the command line. */
  readonly code: string;

  constructor(exitCode: ExitCode, code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
    this.code = code;
  }
}

export function usageError(message: string): CliError {
  return new CliError(EXIT.usage, 'usage', message);
}

/** @throws `CliError` none of the changes is given */
export function requireChange<T extends object>(changes: T, help = ''): T {
  if (Object.values(changes).some((change) => change !== undefined)) return changes;
  throw usageError(`Pass at least one option.${help}`);
}
