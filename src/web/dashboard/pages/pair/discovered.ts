/** The accessories on the network, most relevant first. */
import { graphql, type ResultOf } from '../../api/graphql.ts';

export const DiscoveredQuery = graphql(`
  query Discovered {
    discoveredAccessories {
      deviceId
      name
      model
      category
      pairable
      pairedHere
      addresses
      port
      via
    }
  }
`);

/** The name of an accessory's id in the address of the page that adds it. */
export const OFFERED = 'device';

/** Where an accessory is added; without an id, where one is chosen. */
export function pairAddress(deviceId?: string): string {
  return deviceId === undefined ? '/pair' : `/pair?${new URLSearchParams({ [OFFERED]: deviceId })}`;
}

export type Discovered = NonNullable<NonNullable<ResultOf<typeof DiscoveredQuery>['discoveredAccessories']>[number]>;

/** `new`: can be added. `elsewhere`: paired with another controller. */
export type DiscoveredState = 'new' | 'elsewhere' | 'here';

export function stateOf({ pairable, pairedHere }: Pick<Discovered, 'pairable' | 'pairedHere'>): DiscoveredState {
  if (pairedHere) return 'here';
  return pairable ? 'new' : 'elsewhere';
}

export function groupDiscovered(
  devices: readonly Discovered[],
): Readonly<Record<DiscoveredState, readonly Discovered[]>> {
  const groups: Record<DiscoveredState, Discovered[]> = { new: [], elsewhere: [], here: [] };
  for (const device of devices) groups[stateOf(device)].push(device);
  return groups;
}

/** `192.168.1.20:51827`, `[fe80::1]:80`, `lamp.local:80`: the formats that the relay accepts. */
export function isHostPort(text: string): boolean {
  const [, port] = /^(?:\[[0-9a-f:.%\w]+\]|[^\s:/[\]]+):(\d{1,5})$/i.exec(text.trim()) ?? [];
  return port !== undefined && Number(port) >= 1 && Number(port) <= 65_535;
}
