/**
 * The home model: home > room > accessory > service > characteristic (API §1). Plain values, no I/O. `HomeState`
 * returns live objects: treat them as read only.
 */
import type { HapFormat, HapPermission } from '../hap-spec/formats.ts';
import type { IconName } from './vocabulary/icon-names.ts';
import type { HomeBackground, RoomColor } from './vocabulary/room-looks.ts';

/** A HAP accessory or instance id: an unsigned 64-bit number as decimal text, so that no float rounds it. */
export type HapId = string;

/** A characteristic's value. `data` and `tlv8` are base64 text; `uint64` beyond 2^53 is decimal text. */
export type CharacteristicValue = boolean | number | string | null;

/** HAP's characteristic formats, and `unknown` for a missing or invented one. */
export type CharacteristicFormat = HapFormat | 'unknown';

/** Paired read, paired write, events, additional authorization, timed write, hidden, write response. */
export type Permission = HapPermission;

/** The rule for a text, if more than its length is limited (see `vocabulary/text-rules.ts`). */
export type TextRule =
  /** One of these. */
  | { readonly kind: 'options'; readonly options: readonly string[] }
  /** The minimum length, and a regular expression for the whole text if there is one. */
  | { readonly kind: 'pattern'; readonly minLength: number; readonly pattern: string | null }
  /** A date, a time of day, or both, in ISO 8601 without a zone. */
  | { readonly kind: 'moment'; readonly hasDate: boolean; readonly hasTime: boolean }
  /** A timer: certain words start it, every other word stops it. */
  | { readonly kind: 'timer' };

export interface Characteristic {
  readonly iid: HapId;
  /** Canonical type: the short id of a HAP type in upper case (`25`), any other UUID complete and in upper case. */
  readonly type: string;
  readonly format: CharacteristicFormat;
  readonly permissions: readonly Permission[];
  readonly unit?: string;
  readonly minValue?: number;
  readonly maxValue?: number;
  readonly minStep?: number;
  readonly maxLength?: number;
  readonly validValues?: readonly number[];
  /** The rule for a text beyond its length. Only virtual accessories have one. */
  readonly textRule?: TextRule;
  readonly description?: string;
  /** The last value that the device reported; `null` before the first read or without a value. */
  readonly value: CharacteristicValue;
}

export interface Service {
  readonly iid: HapId;
  /** Canonical type, as for characteristics: `43` is a lightbulb. */
  readonly type: string;
  readonly primary: boolean;
  readonly hidden: boolean;
  /** iids of the services that this service lists as linked. */
  readonly linked: readonly HapId[];
  readonly characteristics: readonly Characteristic[];
}

/** The driver's address of an accessory. `source` is a HAP device id (`AA:BB:CC:DD:EE:FF`) or `virtual:` and a UUID. */
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
  /** HAP category number of its accessory server (10 sensor, 2 bridge …); 1 (other) if unknown. */
  readonly category: number;
  readonly reachable: boolean;
  /** The time of the last message, in milliseconds since the epoch; `null` before the first one. */
  readonly lastSeenAt: number | null;
  /**
   * The time when it vanished from its device, in milliseconds; `null` while it exists. Kept for 30 days (decisions
   * §2).
   */
  readonly vanishedAt: number | null;
  /** The icon that a user chose; `null` for the icon of its kind. */
  readonly icon: IconName | null;
  /** The configuration of a virtual accessory (API §2.3); `null` for a device. */
  readonly virtual: VirtualConfig | null;
  readonly services: readonly Service[];
}

export interface Home {
  readonly id: string;
  readonly name: string;
  /** The relay account's rights on the home platform: `view` forbids native automations (decisions §7). */
  readonly privileges: 'edit' | 'view';
  /** `true` while the owner has paused the home's driver. */
  readonly paused: boolean;
  /** IANA time zone of the home; `null` for the computer's own. */
  readonly timeZone: string | null;
  /** The position of the home, for sunrise, sunset and presence; `null` if not set. */
  readonly location: HomeLocation | null;
  /** What is behind its tiles; `null` for nothing. */
  readonly background: HomeBackground | null;
  /** The hash of its picture, which counts before the background; `null` without one. */
  readonly pictureHash: string | null;
  readonly createdAt: number;
}

export interface HomeLocation {
  /** Degrees, north and east positive (WGS 84). */
  readonly latitude: number;
  readonly longitude: number;
  /** A person within this distance in metres is at home. */
  readonly radiusM: number;
}

export interface Room {
  readonly id: string;
  readonly homeId: string;
  readonly name: string;
  /** Every home has exactly one default room, so that `roomId` is never empty. */
  readonly isDefault: boolean;
  readonly color: RoomColor | null;
  /** The hash of its picture; `null` without one. */
  readonly pictureHash: string | null;
  readonly createdAt: number;
}

/** One characteristic of one accessory, by the accessory's id in the home. */
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

/** The configuration of a virtual accessory (wire-facts §7). Its current values are in its characteristic. */
export type VirtualConfig = {
  readonly icon: string | null;
  /** `false`: users can only read it; automations can still write. */
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

/** One service of one accessory, by the accessory's id in the home. */
export interface ServiceRef {
  readonly accessoryId: string;
  readonly serviceIid: HapId;
}

/** A scene's setting of one characteristic. */
export interface SceneAction {
  readonly accessoryId: string;
  /** The service, if several have the characteristic; `null` for the one with the plain name. */
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
  /** The native automation that owns the scene; such a scene cannot be changed on its own. */
  readonly automationId: string | null;
  /** Of its tile; `null` for one by its name. */
  readonly icon: IconName | null;
  readonly color: RoomColor | null;
  readonly createdAt: number;
}

/** A named set of rooms (the home's own term; HAP has none). */
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

/** A named set of services of one kind, controlled together (API §2.2, `group`). */
export interface ServiceGroup {
  /** UUID, lower case. Its last four characters differ from those of every accessory of the home. */
  readonly id: string;
  readonly homeId: string;
  readonly name: string;
  readonly kind: ServiceGroupKind;
  /** In the order given; the group is in the room of the first member. */
  readonly members: readonly ServiceRef[];
  /** The icon that a user chose; `null` for the icon of its kind. */
  readonly icon: IconName | null;
  readonly createdAt: number;
}
