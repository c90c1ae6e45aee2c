/**
 * The port between the home and the drivers of accessories. A driver uses its own addresses (device id and aid) and
 * reports to a `DriverSink`. The home assigns ids, names and rooms. Implementations: HAP, virtual accessories, and the
 * fake driver of the tests.
 */
import type { Startable } from '../kernel/lifecycle.ts';
import type { AccessoryAddress, CharacteristicValue, HapId, Service, VirtualConfig } from './model.ts';

/** An accessory as its device describes it. */
export interface DescribedAccessory {
  readonly aid: HapId;
  /** The name that the accessory reports; trimmed, never empty. */
  readonly name: string;
  readonly category: number;
  readonly services: readonly Service[];
  /** The configuration of a virtual accessory. */
  readonly virtual?: VirtualConfig;
  /** The room for an accessory that is new to the home; the default room if omitted. */
  readonly firstRoomId?: string;
}

export interface ReportedValue {
  readonly aid: HapId;
  readonly iid: HapId;
  readonly value: CharacteristicValue;
  /** `event`: the device sent an event. `read`: the relay read the value. `write`: the device confirmed our write. */
  readonly via: 'event' | 'read' | 'write';
}

/** Receives the reports of a driver. Every call takes effect before it returns and never throws. */
export interface DriverSink {
  /**
   * The complete list of accessories that `source` has now. An accessory missing from the list vanishes but keeps its
   * id and settings; if it returns, it gets them back.
   */
  describe(homeId: string, source: string, accessories: readonly DescribedAccessory[]): void;
  /** Values as reported by the device, oldest first. A stateless switch's event counts each time, equal or not. */
  report(source: string, values: readonly ReportedValue[]): void;
  /** Reachability after hysteresis, for one accessory of `source`, or for all of them if `aid` is left out. */
  setReachable(source: string, reachable: boolean, aid?: HapId): void;
  /**
   * The source is gone (unpaired). The home no longer shows its accessories, but keeps their ids, names and rooms for
   * 30 days. A new description of the source restores them.
   */
  forget(source: string): void;
  /** Whether the home's driver runs. `false` makes every command fail with `relay_not_connected`. */
  setConnected(homeId: string, connected: boolean): void;
}

export interface DriverWrite {
  readonly address: AccessoryAddress;
  readonly iid: HapId;
  /** Already validated against format, range and permissions. */
  readonly value: CharacteristicValue;
}

export type FailureReason =
  /** No response from the device: off, out of reach, timed out, or −70402. */
  | 'unreachable'
  /** The device stays busy (−70403). */
  | 'busy'
  /** The device reports that the characteristic is read-only (−70404). */
  | 'read_only'
  /** The device rejects the value (−70410). */
  | 'invalid_value'
  /** The device does not know the id (−70409). */
  | 'not_found'
  /** The device requires more authorization (−70401, −70411). */
  | 'not_authorized'
  /** Any other error from the device. */
  | 'device_error';

/** The result of one write: the confirmed value, or the error. `detail` is a readable sentence. */
export type WriteOutcome =
  | { readonly ok: true; readonly value: CharacteristicValue }
  | { readonly ok: false; readonly reason: FailureReason; readonly detail: string };

export interface AccessoryDriver extends Startable {
  /**
   * Writes to any number of accessories: one request per connection, connections in parallel.
   * @returns one outcome per write, in the order given. Never throws, and always settles within the deadline.
   */
  write(writes: readonly DriverWrite[]): Promise<readonly WriteOutcome[]>;
  /**
   * Makes the accessory identify itself (HAP characteristic Identify). @throws `accessory_unreachable`,
   * `accessory_error`
   */
  identify(address: AccessoryAddress): Promise<void>;
}
