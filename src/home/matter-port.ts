/**
 * The port between what a home publishes and a Matter bridge. `app/publications` decides what is published, keeps the
 * numbers and ids for good and stores the bridge's data; the bridge speaks the protocol. Everything here is plain data
 * in Matter's own terms, because the bridge runs in a process of its own. Implementation: `drivers/matter`.
 */
import type { Startable } from '../kernel/lifecycle.ts';

/** UDP. Some ecosystems find a bridge only there. */
export const MATTER_PORT = 5_540;

/** Matter's device types that the home can publish, by their names in the Matter device library. */
export const MATTER_DEVICE_TYPES = [
  'onOffLight',
  'dimmableLight',
  'colorTemperatureLight',
  'extendedColorLight',
  'onOffPlugInUnit',
  'contactSensor',
  'occupancySensor',
  'temperatureSensor',
  'humiditySensor',
  'lightSensor',
  'pressureSensor',
  'waterLeakDetector',
  'smokeCoAlarm',
  'airQualitySensor',
  'doorLock',
  'thermostat',
  'fan',
  'airPurifier',
  'windowCovering',
  'waterValve',
  'genericSwitch',
] as const;
export type MatterDeviceType = (typeof MATTER_DEVICE_TYPES)[number];

/** The value of an attribute: numbers for enums, objects of booleans for bitmaps. */
export type MatterValue = boolean | number | string | null | { readonly [field: string]: MatterValue };

/** Attributes of one cluster, by their names in the specification: `{ currentLevel: 127 }`. */
export type MatterAttributes = Readonly<Record<string, MatterValue>>;

/** Attributes by cluster: `{ onOff: { onOff: true } }`. */
export type MatterClusters = Readonly<Record<string, MatterAttributes>>;

/**
 * A bridged device. Its type never changes under the same key. Other features make it another endpoint of the same
 * number and ids.
 */
export interface MatterEndpoint {
  /** Letters, digits and `-`; for good. */
  readonly key: string;
  /** Its endpoint number; for good, from 2 on. */
  readonly number: number;
  /** At most 32 characters; for good. */
  readonly uniqueId: string;
  readonly name: string;
  readonly vendor: string | null;
  readonly product: string | null;
  readonly serialNumber: string | null;
  readonly deviceType: MatterDeviceType;
  /** The features of clusters, by their names in the specification: `{ levelControl: ['Lighting', 'OnOff'] }`. */
  readonly features: Readonly<Record<string, readonly string[]>>;
  readonly clusters: MatterClusters;
  readonly reachable: boolean;
}

/** What never changes about a bridge, except by a reset. */
export interface MatterIdentity {
  /** At most 32 characters. */
  readonly uniqueId: string;
  readonly serialNumber: string;
  /** The name that controllers show. */
  readonly name: string;
  /** 1 to 99999998, not one of the trivial ones. */
  readonly passcode: number;
  /** 12 bits. */
  readonly discriminator: number;
}

/** A fabric of which the bridge is a part: one ecosystem's controllers. */
export interface MatterFabric {
  /** 1 to 254; not used again while the bridge exists. */
  readonly index: number;
  /** As the ecosystem named it; often empty. */
  readonly label: string;
  readonly vendorId: number;
  /** Hexadecimal: numbers of 64 bits. */
  readonly fabricId: string;
  readonly nodeId: string;
  readonly isConnected: boolean;
  /** Milliseconds since the epoch; `null` if it sent nothing since the bridge started. */
  readonly lastSeenAt: number | null;
}

/** What controllers changed at an endpoint by one command or write. */
export interface MatterWrite {
  readonly key: string;
  /** `null` for a group command without a fabric. */
  readonly fabricIndex: number | null;
  /** The new values of the attributes that the home controls. */
  readonly clusters: MatterClusters;
  /** What the controller gave as the PIN of a lock; absent without one. */
  readonly pin?: string | undefined;
}

/** Why a lock that asks for a PIN refuses. `last_wrong_pin`: wrong, and for a while none is taken, as `pin_blocked`. */
export type MatterPinRefusal = 'no_pin' | 'wrong_pin' | 'last_wrong_pin' | 'pin_blocked';

/** `busy` is for what may work in a moment, `invalid` for what never will. */
export type MatterWriteResult = 'ok' | 'unreachable' | 'busy' | 'denied' | 'invalid' | 'failed' | MatterPinRefusal;

/** What is behind a bridge. */
export interface MatterContent {
  endpoints(): readonly MatterEndpoint[];
  /** Rises when features of endpoints change. From 1. */
  configurationVersion(): number;
  /** Never throws. The controller waits for the answer, and the endpoint for the next command. */
  write(write: MatterWrite): Promise<MatterWriteResult>;
  /** Stops a covering that moves. Never throws. */
  stopMotion(key: string): void;
  /** Makes a device identify itself. Never throws. */
  identify(key: string): void;
}

/** One value that the bridge stores: fabrics, keys, sessions, counters. Opaque to all others. */
export interface MatterStoredValue {
  readonly context: string;
  readonly key: string;
  readonly value: Uint8Array;
}

export type MatterStorageChange =
  | ({ readonly type: 'set' } & MatterStoredValue)
  | { readonly type: 'delete'; readonly context: string; readonly key: string }
  /** Deletes a context and those below it: `a` and `a.b`, and not `ab`. The empty context: everything. */
  | { readonly type: 'clear'; readonly context: string };

/** Keeps the data of one bridge. What `apply` took is on the disk when it returns. */
export interface MatterStorage {
  load(): readonly MatterStoredValue[];
  /** All of the changes or none. @throws when they could not be stored */
  apply(changes: readonly MatterStorageChange[]): void;
}

export type MatterBridgeStatus =
  | { readonly state: 'stopped' }
  /** It starts, or waits to start again after an error. */
  | { readonly state: 'starting'; readonly error: string | null }
  | {
      readonly state: 'open';
      /** UDP. */
      readonly port: number;
      readonly manualCode: string;
      readonly qrCode: string;
      /** The end of the commissioning window; `null` while it is closed; `Infinity` until it has its first fabric. */
      readonly windowEndsAt: number | null;
      readonly fabrics: readonly MatterFabric[];
    };

/** What happened to a button. */
export type MatterPress = 'single' | 'double' | 'long';

/** One Matter bridge on the network. Calls never throw while it is not open: what they ask for is done once it is. */
export interface MatterBridge extends Startable {
  readonly status: MatterBridgeStatus;
  /** `endpoints()` changed: the list, features, a name, or whether one is reachable. */
  endpointsChanged(): void;
  /** Attributes have new values. Only those that are named. */
  valuesChanged(key: string, clusters: MatterClusters): void;
  pressed(key: string, press: MatterPress): void;
  /** @param durationS 180 to 900 seconds @throws when it is not open, or a controller has a window open */
  openWindow(durationS: number): Promise<void>;
  /** @throws when it is not open */
  closeWindow(): Promise<void>;
  /** Removes a fabric: its controllers are logged out. @throws when it is not open */
  removeFabric(index: number): Promise<void>;
}

export interface MatterBridgeDeps {
  readonly identity: MatterIdentity;
  readonly storage: MatterStorage;
  readonly content: MatterContent;
  /** The port of the last start. */
  readonly preferredPort: number | undefined;
  /** Another bridge of this relay had Matter's own port last: this one takes its own first. */
  readonly yieldsMatterPort: boolean;
  /** The status is another one. */
  onStatus(): void;
}

export type OpenMatterBridge = (deps: MatterBridgeDeps) => MatterBridge;
