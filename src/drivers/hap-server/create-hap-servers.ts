/** Opens HAP servers on the interfaces and hosts of the daemon. */
import type { OpenBridge } from '../../home/publication-port.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { MulticastNetwork } from '../discovery/multicast-network.ts';
import { HapServer } from './hap-server.ts';

export interface HapServersDeps {
  readonly network: MulticastNetwork;
  /** Addresses and names to listen on; empty means every address. */
  readonly hosts: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
}

export function createHapServers({ network, hosts, clock, logger }: HapServersDeps): OpenBridge {
  const accepts = (address: string): boolean => network.isChosen(plainAddress(address));
  return (deps) => new HapServer({ ...deps, hosts, accepts, clock, logger });
}

/** Without a zone, and without the IPv6 form of an IPv4 address. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
}
