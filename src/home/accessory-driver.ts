/**
 * The port between the home and whatever drives accessories. A driver speaks in its own addresses (device id and aid) and
 * reports to a `DriverSink`; ids, names and rooms are the home's business. Drivers behind it: HAP, virtual accessories, and
 * the fake one of the tests.
 */
import type { Startable } from '../kernel/lifecycle.ts';
import type { AccessoryAddress, CharacteristicValue, HapId, Service, VirtualConfig } from './model.ts';

/** An accessory as its device describes it. */
export interface DescribedAccessory {
  readonly aid: HapId;
  /** The name it gives itself; trimmed, never empty. */
  readonly name: string;
  readonly category: number;
  readonly services: readonly Service[];
  /** For a virtual accessory: how it was set up. */
  readonly virtual?: VirtualConfig;
  /** The room it is put into when the home sees it for the first time; the default room if left out. */
  readonly firstRoomId?: string;
}

export interface ReportedValue {
  readonly aid: HapId;
  readonly iid: HapId;
  readonly value: CharacteristicValue;
  /** `event`: the device said so by itself. `read`: it was asked. `write`: it confirmed our write. */
  readonly via: 'event' | 'read' | 'write';
}

/** What a driver tells the home. Every call takes effect before it returns and never throws. */
export interface DriverSink {
  /**
   * The complete list of accessories that `source` has now. Ones not listed any more vanish but keep their id and settings;
   * ones that return find them again.
   */
  describe(homeId: string, source: string, accessories: readonly DescribedAccessory[]): void;
  /** Values as reported by the device, oldest first. A stateless switch's event counts each time, equal or not. */
  report(source: string, values: readonly ReportedValue[]): void;
  /** Reachability after hysteresis, for one accessory of `source`, or for all of them if `aid` is left out. */
  setReachable(source: string, reachable: boolean, aid?: HapId): void;
  /**
   * The source is gone (unpaired): its accessories are shown no more. Their ids, names and rooms are remembered for 30 days, and
   * are theirs again when it is described anew.
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
  /** No answer from the device: off, out of reach, timed out, or −70402. */
  | 'unreachable'
  /** The device is busy (−70403) and stayed so. */
  | 'busy'
  /** The device holds the characteristic to be read-only (−70404). */
  | 'read_only'
  /** The device refused the value (−70410). */
  | 'invalid_value'
  /** The device does not know the id (−70409). */
  | 'not_found'
  /** The device wants more authorization (−70401, −70411). */
  | 'not_authorized'
  /** Any other refusal. */
  | 'device_error';

/** What became of one write: the confirmed value, or why not. `detail` is a sentence for people. */
export type WriteOutcome =
  | { readonly ok: true; readonly value: CharacteristicValue }
  | { readonly ok: false; readonly reason: FailureReason; readonly detail: string };

export interface AccessoryDriver extends Startable {
  /**
   * Writes to any number of accessories: one request per connection, connections in parallel.
   * @returns one outcome per write, in the order given. Never throws, and always settles within the deadline.
   */
  write(writes: readonly DriverWrite[]): Promise<readonly WriteOutcome[]>;
  /** Makes the accessory show itself (HAP characteristic Identify). @throws `accessory_unreachable`, `accessory_error` */
  identify(address: AccessoryAddress): Promise<void>;
}
