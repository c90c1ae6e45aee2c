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

/** What a text must be, where more than its length is known (see `vocabulary/text-rules.ts`). */
export type TextRule =
  /** One of these. */
  | { readonly kind: 'options'; readonly options: readonly string[] }
  /** At least so long, and wholly matched by a regular expression where there is one. */
  | { readonly kind: 'pattern'; readonly minLength: number; readonly pattern: string | null }
  /** A date, a time of day, or both, as ISO 8601 writes them without a zone. */
  | { readonly kind: 'moment'; readonly hasDate: boolean; readonly hasTime: boolean }
  /** A timer: some words start it, every other one stops it. */
  | { readonly kind: 'timer' };

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
  /** What a text must be beyond its length. Only virtual accessories say. */
  readonly textRule?: TextRule;
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

/** Where an accessory lives: the driver's own address. `source` is a HAP device id (`AA:BB:CC:DD:EE:FF`) or `virtual:` and a UUID. */
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
  /** What a virtual accessory was made as (API §2.3); `null` for a device. */
  readonly virtual: VirtualConfig | null;
  readonly services: readonly Service[];
}

export interface Home {
  readonly id: string;
  readonly name: string;
  /** The relay account's rights on the home platform: `view` refuses native automations (decisions §7). */
  readonly privileges: 'edit' | 'view';
  /** `true` while the owner has paused the home's driver. */
  readonly paused: boolean;
  /** IANA time zone that its wall clocks show; `null` for the computer's own. */
  readonly timeZone: string | null;
  /** Where the house stands, for sunrise, sunset and who is at home; `null` while nobody has said. */
  readonly location: HomeLocation | null;
  readonly createdAt: number;
}

export interface HomeLocation {
  /** Degrees, north and east positive (WGS 84). */
  readonly latitude: number;
  readonly longitude: number;
  /** Whoever is within so many metres of it is at home. */
  readonly radiusM: number;
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

/** The kinds of virtual accessories, by the API document's names (§2.3). */
export const VIRTUAL_TYPES = [
  'input_boolean',
  'input_select',
  'counter',
  'timer',
  'input_number',
  'input_text',
  'input_datetime',
] as const;
export type VirtualType = (typeof VIRTUAL_TYPES)[number];

/** How a virtual accessory was set up (wire-facts §7). What it holds now are values of its characteristic. */
export type VirtualConfig = {
  readonly icon: string | null;
  /** `false`: people only read it; automations may still write. */
  readonly controllable: boolean;
} & (
  | { readonly virtualType: 'input_boolean'; readonly initialValue: boolean }
  | { readonly virtualType: 'input_select'; readonly options: readonly string[]; readonly initialValue: string }
  | {
      readonly virtualType: 'counter';
      readonly initial: number;
      readonly step: number;
      readonly min: number | null;
      readonly max: number | null;
    }
  | { readonly virtualType: 'timer'; readonly durationMs: number; readonly restoreOnRestart: boolean }
  | {
      readonly virtualType: 'input_number';
      readonly min: number;
      readonly max: number;
      readonly step: number;
      readonly initialValue: number;
      readonly unit: string | null;
      readonly control: 'stepper' | 'field';
    }
  | {
      readonly virtualType: 'input_text';
      readonly minLength: number;
      readonly maxLength: number;
      readonly pattern: string | null;
      readonly initialValue: string;
    }
  | {
      readonly virtualType: 'input_datetime';
      readonly hasDate: boolean;
      readonly hasTime: boolean;
      readonly initialValue: string;
    }
);

/** One service of one accessory, by the home's own id. */
export interface ServiceRef {
  readonly accessoryId: string;
  readonly serviceIid: HapId;
}

/** What a scene does to one characteristic. */
export interface SceneAction {
  readonly accessoryId: string;
  /** Which of several services that have the characteristic; `null` for the one that has the plain name. */
  readonly serviceIid: HapId | null;
  /** Canonical characteristic type. */
  readonly type: string;
  readonly value: CharacteristicValue;
}

export interface Scene {
  /** UUID, lower case. */
  readonly id: string;
  readonly homeId: string;
  /** Ends with a letter or a number; unique in its home, ignoring case. */
  readonly name: string;
  readonly actions: readonly SceneAction[];
  /** The native automation that owns it; it can't be changed by itself then. */
  readonly automationId: string | null;
  readonly createdAt: number;
}

/** A named set of rooms (HAP has none: it is the home's own word). */
export interface Zone {
  readonly id: string;
  readonly homeId: string;
  readonly name: string;
  readonly roomIds: readonly string[];
  readonly createdAt: number;
}

/** A named set of rooms made for sharing (API §2.5). */
export type RoomGroup = Zone;

export const SERVICE_GROUP_KINDS = ['light', 'switch', 'outlet', 'fan', 'blind'] as const;
export type ServiceGroupKind = (typeof SERVICE_GROUP_KINDS)[number];

/** A named set of services of one kind, which act as one (API §2.2, `group`). */
export interface ServiceGroup {
  /** UUID, lower case. Its last four characters differ from those of every accessory of the home. */
  readonly id: string;
  readonly homeId: string;
  readonly name: string;
  readonly kind: ServiceGroupKind;
  /** In the order given; the first one's room is the group's. */
  readonly members: readonly ServiceRef[];
  readonly createdAt: number;
}
