/**
 * HAP status codes (HAP specification, table 6-11): an accessory's result for one characteristic in a request. Some
 * devices send them without the sign, and some send their own codes, so use `statusOf` for lookups.
 */

export interface StatusSpec {
  /** Zero or negative. */
  readonly code: number;
  readonly name: string;
  /** For people: the error and what to do. */
  readonly sentence: string;
}

export const STATUS_CODES: readonly StatusSpec[] = [
  { code: 0, name: 'success', sentence: 'The request succeeded.' },
  {
    code: -70401,
    name: 'insufficient_privileges',
    sentence: 'The accessory does not let this relay do that: check that the pairing has admin rights, or pair again.',
  },
  {
    code: -70402,
    name: 'service_communication_failure',
    sentence: 'The accessory’s server can’t reach it: check that it is powered and within reach of its bridge.',
  },
  {
    code: -70403,
    name: 'resource_busy',
    sentence: 'The accessory is busy: try again in a few seconds.',
  },
  {
    code: -70404,
    name: 'read_only_characteristic',
    sentence: 'The accessory reports that this characteristic is read only: it can be watched but not set.',
  },
  {
    code: -70405,
    name: 'write_only_characteristic',
    sentence: 'The accessory reports that this characteristic is write only: it can be set but not read.',
  },
  {
    code: -70406,
    name: 'notification_not_supported',
    sentence: 'The accessory sends no events for this characteristic: it has to be polled.',
  },
  {
    code: -70407,
    name: 'out_of_resources',
    sentence: 'The accessory is out of resources: ask for less at once, or restart it if this goes on.',
  },
  {
    code: -70408,
    name: 'operation_timed_out',
    sentence: 'The accessory did not finish in time: try again, and check its power and network if this goes on.',
  },
  {
    code: -70409,
    name: 'resource_does_not_exist',
    sentence: 'The accessory does not know this characteristic any more: its database has changed and is read again.',
  },
  {
    code: -70410,
    name: 'invalid_value',
    sentence: 'The accessory refused the value: send one within the range that it states.',
  },
  {
    code: -70411,
    name: 'insufficient_authorization',
    sentence: 'The accessory wants further authorization for this: allow it in the maker’s app.',
  },
  {
    code: -70412,
    name: 'not_allowed_in_current_state',
    sentence: 'The accessory does not allow this in its present state: change that state first, or try later.',
  },
];

const byNumber: ReadonlyMap<number, StatusSpec> = new Map(STATUS_CODES.map((spec) => [Math.abs(spec.code), spec]));

/** @param code as the device sent it, with or without its sign. An unknown code gets a generic description. */
export function statusOf(code: number): StatusSpec {
  return (
    byNumber.get(Math.abs(code)) ?? {
      code: code > 0 ? -code : code,
      name: 'unknown',
      sentence: `The accessory answered with status ${code}, which HAP does not define: try again, or restart it.`,
    }
  );
}
