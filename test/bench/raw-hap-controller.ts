/** hap-controller's own client as the baseline: what a program would use that has no daemon. */
import { HttpClient } from 'hap-controller';
import type { FleetMember } from '../support/accessories/fleet.ts';
import { hapControllerPairing } from '../support/accessories/identity.ts';
import { CONTROLLER } from './bench-daemon.ts';

export function rawClient(member: FleetMember): HttpClient {
  const accessory = { deviceId: member.deviceId, publicKey: member.accessoryPublicKey };
  return new HttpClient(member.deviceId, '127.0.0.1', member.port, hapControllerPairing(CONTROLLER, accessory), {
    usePersistentConnections: true,
  });
}
