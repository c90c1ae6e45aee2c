/**
 * What a home is: home > room > accessory > service > characteristic (API §1). Plain values, no I/O.
 * Objects handed out by `HomeState` are live and must be treated as read only.
 */

/** A HAP accessory or instance id: an unsigned 64-bit number as decimal text, so that no float ever rounds it. */
export type HapId = string;

/** A characteristic's value. `data` and `tlv8` are base64 text; `uint64` beyond 2^53 is decimal text. */
export type CharacteristicValue = boolean | number | string | null;

/** HAP's characteristic formats (HAP specification, table 6-5), and the two an accessory may leave out or invent. */
export type CharacteristicFormat =
  | 'bool'
  | 'uint8'
  | 'uint16'
  | 'uint32'
  | 'uint64'
  | 'int'
  | 'float'
  | 'string'
  | 'tlv8'
  | 'data'
  | 'unknown';

/** HAP permissions: paired read, paired write, events, additional authorization, timed write, hidden, write response. */
export type Permission = 'pr' | 'pw' | 'ev' | 'aa' | 'tw' | 'hd' | 'wr';

export interface Characteristic {
  readonly iid: HapId;
  /** Canonical type: a HAP type's short id in upper case (`25`), any other UUID whole and in upper case. */
  readonly type: string;
  readonly format: CharacteristicFormat;
  readonly permissions: readonly Permission[];
  readonly unit?: string;
  readonly minValue?: number;
  readonly maxValue?: number;
  readonly minStep?: number;
  readonly maxLength?: number;
  readonly validValues?: readonly number[];
  readonly description?: string;
  /** The last value that the device reported; `null` where it has none or has not been read yet. */
  readonly value: CharacteristicValue;
}

export interface Service {
  readonly iid: HapId;
  /** Canonical type, as for characteristics: `43` is a lightbulb. */
  readonly type: string;
  readonly primary: boolean;
  readonly hidden: boolean;
  /** iids of the services that this one names as linked. */
  readonly linked: readonly HapId[];
  readonly characteristics: readonly Characteristic[];
}

/** Where an accessory lives: the driver's own address. `source` is a HAP device id (`AA:BB:CC:DD:EE:FF`) or `virtual`. */
export interface AccessoryAddress {
  readonly source: string;
  readonly aid: HapId;
}

export interface Accessory {
  /** UUID, lower case. */
  readonly id: string;
  readonly homeId: string;
  readonly roomId: string;
  readonly name: string;
  readonly address: AccessoryAddress;
  /** HAP category number of the accessory server it came with (10 sensor, 2 bridge …); 1 (other) where unknown. */
  readonly category: number;
  readonly reachable: boolean;
  /** When it was last heard from, in milliseconds since the epoch; `null` until then. */
  readonly lastSeenAt: number | null;
  /** When it vanished from its device, in milliseconds; `null` while it is there. Kept for 30 days (decisions §2). */
  readonly vanishedAt: number | null;
  readonly services: readonly Service[];
}

export interface Home {
  readonly id: string;
  readonly name: string;
  /** The relay account's rights on the home platform: `view` refuses native automations (decisions §7). */
  readonly privileges: 'edit' | 'view';
  /** `true` while the owner has paused the home's driver. */
  readonly paused: boolean;
  readonly createdAt: number;
}

export interface Room {
  readonly id: string;
  readonly homeId: string;
  readonly name: string;
  /** Every home has exactly one default room, so that `roomId` is never empty. */
  readonly isDefault: boolean;
  readonly createdAt: number;
}

/** One characteristic of one accessory, by the home's own id. */
export interface CharacteristicRef {
  readonly accessoryId: string;
  readonly iid: HapId;
}
