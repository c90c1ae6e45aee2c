/** Advertises the relay to clients. */
import { advertisedRelay } from '../drivers/discovery/advertised-records.ts';
import { Advertiser } from '../drivers/discovery/advertiser.ts';
import { VERSION } from '../kernel/version.ts';
import type { ApiParts } from './build-api.ts';
import type { DeviceParts } from './build-devices.ts';
import type { OperationParts } from './build-operations.ts';
import type { RelayDeps } from './relay-deps.ts';

export function buildAdvertiser(
  { live, clock, logger }: RelayDeps,
  { multicast: network }: DeviceParts,
  { info: { name: hostname, instanceId } }: OperationParts,
  { server }: ApiParts,
): Advertiser {
  const { host, tls } = live.current;
  const service = () => {
    const { port, wsPort } = server;
    return advertisedRelay({ hostname, port, wsPort, hasTls: tls !== null, instanceId, version: VERSION });
  };
  return new Advertiser({ network, service, host, clock, logger });
}
