/**
 * The port between what a home publishes and the server that other controllers reach: a HAP bridge, or an accessory
 * that stands alone. `app/publications` decides what is published and keeps ids, keys and controllers; the server
 * speaks the protocol. Implementations: `drivers/hap-server`, and the fake server of the tests.
 */
import type { Startable } from '../kernel/lifecycle.ts';
import type { PictureSize } from './camera-driver.ts';
import type { Characteristic, CharacteristicValue, HapId, Service } from './model.ts';

export type PublishedCharacteristic = Omit<Characteristic, 'value' | 'textRule'>;

export interface PublishedService extends Omit<Service, 'characteristics'> {
  readonly characteristics: readonly PublishedCharacteristic[];
}

/** An accessory as controllers see it. Its aid and iids never change. */
export interface PublishedAccessory {
  readonly aid: HapId;
  readonly services: readonly PublishedService[];
}

/** What never changes about a bridge, except by a reset. */
export interface BridgeIdentity {
  /** `AA:BB:CC:DD:EE:FF` */
  readonly deviceId: string;
  /** The name that controllers show before pairing, and that is advertised. */
  readonly name: string;
  readonly model: string;
  /** HAP category number: 2 for a bridge. */
  readonly category: number;
  /** `XXX-XX-XXX` */
  readonly setupCode: string;
  /** Four characters: with the setup code, they make the text of the QR code. */
  readonly setupId: string;
  /** The 32 bytes from which the bridge's Ed25519 key derives. */
  readonly secretKey: Buffer;
}

/** A controller that paired with a bridge. */
export interface PairedController {
  /** The controller's pairing identifier, usually a UUID in upper case. */
  readonly identifier: string;
  /** Ed25519, 32 bytes. */
  readonly publicKey: Buffer;
  /** May add and remove controllers. */
  readonly isAdmin: boolean;
}

/** Keeps the controllers of one bridge. What it accepted is on the disk when the call returns. */
export interface BridgeControllers {
  list(): readonly PairedController[];
  /** Adds a controller, or changes what it may do. @throws when it could not be stored */
  put(controller: PairedController): void;
  /** Removes a controller; all of them if it was the last admin (HAP specification §5.11). */
  remove(identifier: string): void;
  /** Called at each verified connection and request, at most once a minute. */
  seen(identifier: string): void;
}

/** HAP status codes that a bridge answers, as numbers of `hap-spec/status-codes.ts`. */
export type ReadResult =
  | { readonly ok: true; readonly value: CharacteristicValue }
  | { readonly ok: false; readonly status: number };

export interface BridgeWrite {
  readonly aid: HapId;
  readonly iid: HapId;
  /** As the controller sent it: not validated yet. */
  readonly value: unknown;
}

/** A HAP status, 0 for success; or success with the value for a controller that asks for an answer to its write. */
export type BridgeWriteResult = number | { readonly value: CharacteristicValue };

/** What is behind a bridge. Reads never wait for a device. */
export interface BridgeContent {
  /** All accessories, the bridge itself (aid 1) first. */
  accessories(): readonly PublishedAccessory[];
  /** Rises whenever `accessories()` changes. */
  configNumber(): number;
  /**
   * A readable characteristic's value.
   * @param controller the identifier of the controller that reads: some answers are for one alone
   */
  read(aid: HapId, iid: HapId, controller?: string): ReadResult;
  /**
   * @param controller the identifier of the controller that writes
   * @returns one result per write, in the order given. Never throws.
   */
  write(controller: string, writes: readonly BridgeWrite[]): Promise<readonly BridgeWriteResult[]>;
  /**
   * A picture of a camera, as JPEG. @param aid `undefined`: of the only one. @returns a HAP status if there is none.
   * Never throws.
   */
  picture(controller: string, aid: HapId | undefined, size: PictureSize): Promise<Buffer | number>;
  /** Makes an accessory identify itself; the bridge before it is paired (aid 1). Never throws. */
  identify(aid: HapId): Promise<void>;
}

/** A connection of a controller that is verified now. */
export interface BridgeConnection {
  readonly identifier: string;
  readonly address: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** One server on the network: started when the home is loaded, stopped with goodbyes. */
export interface BridgeServer extends Startable {
  /** The TCP port while it runs; `undefined` before. */
  readonly port: number | undefined;
  connections(): readonly BridgeConnection[];
  /** A value changed. Subscribed controllers get an event, except the one whose write caused it. */
  valueChanged(aid: HapId, iid: HapId, value: CharacteristicValue): void;
  /** `accessories()` changed: the new configuration number is advertised. */
  databaseChanged(): void;
  /** Controllers were removed from the outside: closes their connections and advertises whether it can be paired. */
  controllersChanged(): void;
}

export interface BridgeServerDeps {
  readonly identity: BridgeIdentity;
  readonly controllers: BridgeControllers;
  readonly content: BridgeContent;
  /** The port of the last start, taken again if it is free. `undefined`: any. */
  readonly preferredPort: number | undefined;
}

export type OpenBridge = (deps: BridgeServerDeps) => BridgeServer;
