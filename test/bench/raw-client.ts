/** hap-controller's client and nothing else, for processes whose start and memory are measured. */
import { HttpClient } from 'hap-controller';
import type { FleetMember } from '../support/accessories/fleet.ts';
import type { hapControllerPairing } from '../support/accessories/identity.ts';

/** An accessory with its pairing, as text that can be sent to another process. */
export interface RawMember extends Pick<FleetMember, 'deviceId'> {
  readonly port: number;
  readonly pairing: ReturnType<typeof hapControllerPairing>;
}

export function connectRaw({ deviceId, port, pairing }: RawMember): HttpClient {
  return new HttpClient(deviceId, '127.0.0.1', port, pairing, { usePersistentConnections: true });
}
