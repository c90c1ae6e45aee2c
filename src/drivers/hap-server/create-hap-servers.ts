/** Opens HAP servers on the interfaces and hosts of the daemon. */
import type { OpenBridge } from '../../home/publication-port.ts';
import { HapServer, type HapServerDeps } from './hap-server.ts';

export type HapServersDeps = Pick<HapServerDeps, 'network' | 'hosts' | 'instanceId' | 'clock' | 'logger'>;

export function createHapServers(deps: HapServersDeps): OpenBridge {
  return (bridge) => new HapServer({ ...deps, ...bridge });
}
