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

/** What fits into HAP's integer formats. `uint64` reaches beyond what a JavaScript number holds exactly. */
export const INTEGER_LIMITS: Readonly<Partial<Record<HapFormat, IntegerLimits>>> = {
  uint8: { min: 0, max: 0xff },
  uint16: { min: 0, max: 0xffff },
  uint32: { min: 0, max: 0xffffffff },
  uint64: { min: 0, max: 2 ** 64 },
  int: { min: -(2 ** 31), max: 2 ** 31 - 1 },
};

/** Characters a `string` may have where its characteristic does not say (HAP specification, table 6-3, `maxLen`). */
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

/** What each permission lets a controller do. */
export const PERMISSIONS: Readonly<Record<HapPermission, string>> = {
  pr: 'paired read',
  pw: 'paired write',
  ev: 'events',
  aa: 'additional authorization',
  tw: 'timed write',
  hd: 'hidden',
  wr: 'write response',
};
