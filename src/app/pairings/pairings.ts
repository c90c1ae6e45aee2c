/** Discovery, pairing and unpairing of accessory servers as operations, over the pairing driver's port. */
import { ManualEntry, NewController, NewPairing } from '../../contract/pairings.ts';
import { parseInput } from '../../contract/parse.ts';
import { compareNamed } from '../../home/collection.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Accessory } from '../../home/model.ts';
import type {
  DiscoveredDevice,
  PairedDevice,
  PairingDriver,
  PairingStep,
  RegisteredController,
} from '../../home/pairing-driver.ts';
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import { requireMaker } from '../access/authority.ts';
import type { Access } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { managedHome } from '../access/managed-home.ts';
import { type DeviceReport, diagnosticsOf } from './device-diagnostics.ts';

export class Pairings {
  readonly #state: HomeState;
  readonly #access: Access;
  readonly #driver: PairingDriver;
  readonly #clock: Clock;

  constructor(deps: { state: HomeState; access: Access; driver: PairingDriver; clock: Clock }) {
    this.#clock = deps.clock;
    this.#state = deps.state;
    this.#access = deps.access;
    this.#driver = deps.driver;
  }

  /**
   * All discovered devices, by name. Requires an admin of any home; homes that the caller cannot view are not named.
   * @throws `insufficient_permissions`
   */
  listDiscovered(caller: Caller): readonly DiscoveredDevice[] {
    this.#access.authorizeAny(caller, 'manage');
    return this.#driver.listDiscovered().map((device) => {
      const isHidden = device.homeId !== null && this.#access.roleIn(caller, device.homeId) === undefined;
      return isHidden ? { ...device, homeId: null } : device;
    });
  }

  /**
   * Queries the network again; answers appear in `listDiscovered`. Requires an admin of any home.
   * @throws `insufficient_permissions`
   */
  refresh(caller: Caller): void {
    this.#access.authorizeAny(caller, 'manage');
    this.#driver.refreshDiscovery();
  }

  /**
   * Adds a `host:port` that multicast does not reach. Requires an admin of any home.
   * @throws `insufficient_permissions`, `invalid_value`
   */
  addManual(caller: Caller, hostPort: string): void {
    this.#access.authorizeAny(caller, 'manage');
    this.#driver.addManual(parseInput(ManualEntry, { hostPort }).hostPort);
  }

  /**
   * Removes a `host:port`; an unknown one changes nothing. Requires an admin of any home.
   * @throws `insufficient_permissions`, `invalid_value`
   */
  removeManual(caller: Caller, hostPort: string): void {
    this.#access.authorizeAny(caller, 'manage');
    this.#driver.removeManual(parseInput(ManualEntry, { hostPort }).hostPort);
  }

  /**
   * The paired devices with their connection status: of one home, or of every home that the caller manages.
   * @throws `home_not_found` · `insufficient_permissions`
   */
  list(caller: Caller, homeId?: string): readonly PairedDevice[] {
    if (homeId === undefined) {
      this.#access.authorizeAny(caller, 'manage');
      return this.#driver.listPaired().filter((device) => this.#access.mayIn(caller, 'manage', device.homeId));
    }
    const id = this.#authorizedHome(caller, homeId);
    return this.#driver.listPaired().filter((device) => device.homeId === id);
  }

  /** The accessories of a device from `list`, by name. */
  accessoriesOf({ deviceId, homeId }: Pick<PairedDevice, 'deviceId' | 'homeId'>): readonly Accessory[] {
    return this.#state
      .accessories(homeId)
      .filter(({ address }) => address.source === deviceId)
      .sort(compareNamed);
  }

  /**
   * What a device is and how it behaves, without names, serial numbers, ids, addresses and keys. Does not contact it.
   * Requires an admin of its home.
   * @returns times in milliseconds since the epoch
   * @throws `not_found` · `insufficient_permissions`
   */
  diagnose(caller: Caller, deviceId: string): DeviceReport {
    const device = this.#authorizedPairing(caller, deviceId);
    const trace = this.#driver.trace(device.deviceId);
    return diagnosticsOf({ device, trace, accessories: this.accessoriesOf(device), now: this.#clock.now() });
  }

  /**
   * Pairs with an accessory server and adds its accessories to a home. Requires an admin of that home.
   * @param onProgress called at each step, for display.
   * @throws `home_not_found` · `insufficient_permissions` · `invalid_request` which home? · `invalid_value` the setup
   *         code · `conflict` paired here already, or the home is paused · `not_found` no such device · `rate_limited`
   *         too many wrong codes · `pairing_failed` with what to do
   */
  async pair(
    caller: Caller,
    input: NewPairing,
    onProgress: (step: PairingStep) => void = () => {},
  ): Promise<PairedDevice> {
    const homeId = managedHome({ state: this.#state, access: this.#access }, caller, input.homeId);
    const { device, setupCode } = parseInput(NewPairing, input);
    if (this.#state.home(homeId)?.paused) {
      throw new HearthError('conflict', 'The home is paused. Resume it before you pair.', { reason: 'home_paused' });
    }
    return this.#driver.pair({ device, homeId, setupCode }, onProgress);
  }

  /**
   * Removes the relay's pairing from the device, then its accessories from the home. Requires an admin of its home.
   * @param force removes it here even if the device is unreachable.
   * @throws `not_found` · `insufficient_permissions` · `accessory_unreachable` · `conflict` it is being paired or
   *         unpaired
   */
  async unpair(caller: Caller, deviceId: string, force = false): Promise<void> {
    await this.#driver.unpair(this.#authorizedDevice(caller, deviceId), force);
  }

  /**
   * Drops the connection to a device, or the wait for the next attempt, and connects at once. Requires an admin of its
   * home.
   * @returns the device, connected
   * @throws `not_found` · `insufficient_permissions` · `conflict` its home is paused · `accessory_unreachable`
   */
  async reconnect(caller: Caller, deviceId: string): Promise<PairedDevice> {
    return this.#driver.reconnect(this.#authorizedDevice(caller, deviceId));
  }

  /**
   * Makes an unpaired accessory identify itself. Requires an admin of any home.
   * @throws `insufficient_permissions` · `not_found` · `accessory_unreachable` · `conflict` it is paired
   */
  async identifyUnpaired(caller: Caller, deviceId: string): Promise<void> {
    this.#access.authorizeAny(caller, 'manage');
    await this.#driver.identifyUnpaired(deviceId.toUpperCase());
  }

  /**
   * The controllers registered on a device, including the relay. Requires an admin of its home.
   * @throws as `unpair`, `accessory_error`
   */
  async listControllers(caller: Caller, deviceId: string): Promise<readonly RegisteredController[]> {
    return this.#driver.listControllers(this.#authorizedDevice(caller, deviceId));
  }

  /**
   * Adds another controller with its own key for the device, which stays valid after any change here. Requires a
   * signed-in admin of its home, or the system.
   * @throws as `unpair`, `accessory_error`, `invalid_value`
   */
  async addController(caller: Caller, deviceId: string, input: NewController): Promise<void> {
    const device = this.#authorizedDevice(caller, deviceId);
    requireMaker(caller, 'controller');
    await this.#driver.addController(device, parseInput(NewController, input));
  }

  /** Removes another controller. Requires an admin of its home. @throws as `unpair`, `accessory_error` */
  async removeController(caller: Caller, deviceId: string, controllerId: string): Promise<void> {
    await this.#driver.removeController(this.#authorizedDevice(caller, deviceId), controllerId);
  }

  #authorizedHome(caller: Caller, homeId: string): string {
    return this.#access.authorizeHome(caller, 'manage', this.#state.home(homeId)).id;
  }

  #authorizedDevice(caller: Caller, deviceId: string): string {
    return this.#authorizedPairing(caller, deviceId).deviceId;
  }

  #authorizedPairing(caller: Caller, deviceId: string): PairedDevice {
    const wanted = deviceId.toUpperCase();
    const device = this.#driver.listPaired().find((paired) => paired.deviceId.toUpperCase() === wanted);
    return this.#access.authorizeIn(caller, 'manage', device, 'not_found');
  }
}
