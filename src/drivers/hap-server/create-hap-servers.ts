/** Opens HAP servers on the interfaces and hosts of the daemon, and knows their device ids. */
import type { OpenBridge } from '../../home/publication-port.ts';
import { HapServer, type HapServerDeps } from './hap-server.ts';

export type HapServersDeps = Pick<HapServerDeps, 'network' | 'hosts' | 'instanceId' | 'clock' | 'logger'>;

export interface HapServers {
  readonly openBridge: OpenBridge;
  /** Of every server that was opened since the start, in upper case: none of them is a device to pair. */
  readonly deviceIds: ReadonlySet<string>;
}

export function createHapServers(deps: HapServersDeps): HapServers {
  const deviceIds = new Set<string>();
  const openBridge: OpenBridge = (bridge) => {
    deviceIds.add(bridge.identity.deviceId.toUpperCase());
    return new HapServer({ ...deps, ...bridge });
  };
  return { openBridge, deviceIds };
}
