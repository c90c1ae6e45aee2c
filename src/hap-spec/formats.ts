/** HAP's characteristic formats and permissions (HAP specification, tables 6-4 and 6-5) as data. */

export type HapFormat =
  | 'bool'
  | 'uint8'
  | 'uint16'
  | 'uint32'
  | 'uint64'
  | 'int'
  | 'float'
  | 'string'
  | 'tlv8'
  | 'data';

export type HapPermission = 'pr' | 'pw' | 'ev' | 'aa' | 'tw' | 'hd' | 'wr';

export interface IntegerLimits {
  readonly min: number;
  readonly max: number;
}

/** The limits of HAP's integer formats. `uint64` exceeds the range of exact JavaScript numbers. */
export const INTEGER_LIMITS: Readonly<Partial<Record<HapFormat, IntegerLimits>>> = {
  uint8: { min: 0, max: 0xff },
  uint16: { min: 0, max: 0xffff },
  uint32: { min: 0, max: 0xffffffff },
  uint64: { min: 0, max: 2 ** 64 },
  int: { min: -(2 ** 31), max: 2 ** 31 - 1 },
};

/**
 * The maximum length of a `string` if its characteristic does not define one (HAP specification, table 6-3, `maxLen`).
 */
export const DEFAULT_MAX_LENGTH = 64;

export const FORMATS: ReadonlySet<string> = new Set<HapFormat>([
  'bool',
  'uint8',
  'uint16',
  'uint32',
  'uint64',
  'int',
  'float',
  'string',
  'tlv8',
  'data',
]);

/** What each permission allows a controller to do. */
export const PERMISSIONS: Readonly<Record<HapPermission, string>> = {
  pr: 'paired read',
  pw: 'paired write',
  ev: 'events',
  aa: 'additional authorization',
  tw: 'timed write',
  hd: 'hidden',
  wr: 'write response',
};
