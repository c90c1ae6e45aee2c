/**
 * HAP servers that publish a home: our own, and those of other relays like this one. None of them is a device to pair:
 * values and commands would travel in circles.
 */
import { HearthError } from '../../kernel/errors.ts';
import type { Discovery } from '../discovery/discovery.ts';
import { canonicalDeviceId } from './pairing/device-id.ts';

export interface PublishedServersDeps {
  readonly discovery: Pick<Discovery, 'find'>;
  /** Device ids of our own servers, in upper case. */
  readonly ownDeviceIds: ReadonlySet<string>;
  /** For tests: they may be paired like any device. */
  readonly arePairable: boolean;
}

export class PublishedServers {
  readonly #deps: PublishedServersDeps;

  constructor(deps: PublishedServersDeps) {
    this.#deps = deps;
  }

  has(deviceId: string): boolean {
    const { discovery, ownDeviceIds, arePairable } = this.#deps;
    if (arePairable) return false;
    const id = canonicalDeviceId(deviceId);
    return ownDeviceIds.has(id) || discovery.find(id)?.publishedBy !== undefined;
  }

  /** @throws `conflict` */
  refuse(deviceId: string, name: string): void {
    if (!this.has(deviceId)) return;
    throw new HearthError(
      'conflict',
      `“${name}” (${canonicalDeviceId(deviceId)}) publishes a home of this relay or of another hearthd. Pair the accessories themselves instead.`,
      { reason: 'published' },
    );
  }
}
