/**
 * Devices on the network: those that discovery sees and those that users added, found by device id or by `host:port`.
 * It restores the manual entries after a restart, and handles no pairings.
 */

import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { Advertisement, Discovery } from '../discovery/discovery.ts';
import { hostPortText, parseHostPort } from '../discovery/host-port.ts';
import type { ManualDevicesStore } from './manual-devices-store.ts';
import { canonicalDeviceId, isDeviceId } from './pairing/device-id.ts';
import type { DeviceToPair } from './pairing/pairer.ts';
import type { HostPort } from './wire/dial.ts';

const OTHER_CATEGORY = 1;

/** A device that may be paired or identified, and its addresses. */
export interface NearbyDevice extends Omit<DeviceToPair, 'rememberedMethod'> {
  /** Its current or last addresses: devices announce themselves again during pairing. */
  addresses(): readonly HostPort[];
}

export class NearbyDevices {
  readonly #discovery: Discovery;
  readonly #store: ManualDevicesStore;
  readonly #clock: Clock;

  constructor(deps: { readonly discovery: Discovery; readonly manual: ManualDevicesStore; readonly clock: Clock }) {
    this.#discovery = deps.discovery;
    this.#store = deps.manual;
    this.#clock = deps.clock;
  }

  /** Passes the stored manual entries to discovery. */
  restoreManual(): void {
    for (const hostPort of this.#store.list()) this.#discovery.addManual(hostPort);
  }

  /** @throws `invalid_value` */
  addManual(hostPort: string): void {
    const { text } = parseHostPort(hostPort);
    this.#discovery.addManual(text);
    this.#store.add(text, this.#clock.now());
  }

  /** @throws `invalid_value` */
  removeManual(hostPort: string): void {
    const { text } = parseHostPort(hostPort);
    this.#discovery.removeManual(text);
    this.#store.remove(text);
  }

  /**
   * @param device a device id, or `host:port`, which need not be known
   * @throws `not_found` · `invalid_value` a malformed `host:port`
   */
  find(device: string): NearbyDevice {
    const text = device.trim();
    if (isHostPort(text)) return this.#findByHostPort(text);
    const advertisement = this.#discovery.find(canonicalDeviceId(text));
    if (advertisement) return this.#describe(advertisement, []);
    throw new HearthError(
      'not_found',
      `No accessory ${text} has been seen on the network. See what is there with: hearthd discover`,
      { reason: 'not_seen' },
    );
  }

  #findByHostPort(input: string): NearbyDevice {
    const { text, host, port } = parseHostPort(input);
    const known =
      this.#discovery.find(text) ??
      this.#discovery
        .list()
        .find((one) => one.port === port && (one.host.toLowerCase() === host || one.addresses.includes(host)));
    if (known) return this.#describe(known, [{ host, port }]);
    return {
      deviceId: text,
      aliases: [],
      name: text,
      model: '',
      category: OTHER_CATEGORY,
      featureFlags: 0,
      addresses: () => [{ host, port }],
    };
  }

  /** @param fallback for an advertisement without an address, such as a host name that is not resolved yet */
  #describe(advertisement: Advertisement, fallback: readonly HostPort[]): NearbyDevice {
    const { deviceId, name, model, category, featureFlags } = advertisement;
    let last = addressesOf(advertisement);
    return {
      deviceId,
      aliases: [...last, ...fallback].map(hostPortText),
      name,
      model,
      category,
      featureFlags,
      addresses: () => {
        const now = this.#discovery.find(deviceId);
        const known = now ? addressesOf(now) : [];
        if (known.length > 0) last = known;
        return last.length > 0 ? last : fallback;
      },
    };
  }
}

/** Every address with the advertised port, best first. */
export function addressesOf({ addresses, port }: Advertisement): readonly HostPort[] {
  return addresses.map((host) => ({ host, port }));
}

/** True for `host:port`, but not for a device id with a byte missing. */
function isHostPort(text: string): boolean {
  return !isDeviceId(text) && (text.startsWith('[') || text.split(':').length === 2);
}
