import type { Pairings } from '../../app/pairings/pairings.ts';
import type { DiscoveredDevice, Pairing } from '../../contract/pairings.ts';
import type { DiscoveredDevice as KnownDevice, PairedDevice } from '../../home/pairing-driver.ts';
import { presentTime } from './time.ts';

export function presentDiscovered({ lastSeenAt, ...device }: KnownDevice): DiscoveredDevice {
  return { ...device, lastSeenAt: presentTime(lastSeenAt) };
}

export function presentPairing(device: PairedDevice, pairings: Pairings): Pairing {
  return {
    ...device,
    since: presentTime(device.since),
    pairedAt: presentTime(device.pairedAt),
    lastSeenAt: presentTime(device.lastSeenAt),
    lastErrorAt: presentTime(device.lastErrorAt),
    accessories: pairings.accessoriesOf(device).map(({ id, name, reachable }) => ({ id, name, reachable })),
  };
}
