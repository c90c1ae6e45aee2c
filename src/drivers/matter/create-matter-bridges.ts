/** Opens Matter bridges on the daemon's interfaces. Nothing of the library is loaded here. */
import type { OpenMatterBridge } from '../../home/matter-port.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import { VERSION } from '../../kernel/version.ts';
import type { MulticastNetwork } from '../discovery/multicast-network.ts';
import { spawnMatterChild } from './child-process.ts';
import { MatterSupervisor } from './supervisor.ts';

interface MatterBridgesDeps {
  /** Names of network interfaces; empty means every one. The library takes one or all. */
  readonly interfaces: readonly string[];
  readonly network: MulticastNetwork;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function createMatterBridges({ interfaces, network, clock, logger }: MatterBridgesDeps): OpenMatterBridge {
  const [only, ...others] = interfaces;
  const networkInterface = only === undefined || others.length > 0 ? null : only;
  const common = { spawn: spawnMatterChild, networkInterface, network, version: VERSION, clock, logger };
  return (deps) => new MatterSupervisor({ ...deps, ...common });
}
