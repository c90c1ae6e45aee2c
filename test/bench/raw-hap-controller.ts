/** hap-controller's own client as the baseline: what a program would use that has no daemon. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { HttpClient } from 'hap-controller';
import type { FleetMember } from '../support/accessories/fleet.ts';
import { hapControllerPairing } from '../support/accessories/identity.ts';
import { CONTROLLER } from './bench-daemon.ts';
import { compileChild } from './compiled-child.ts';
import { connectRaw, type RawMember } from './raw-client.ts';

export function rawMember({ deviceId, port, accessoryPublicKey }: FleetMember): RawMember {
  return { deviceId, port, pairing: hapControllerPairing(CONTROLLER, { deviceId, publicKey: accessoryPublicKey }) };
}

export function rawClient(member: FleetMember): HttpClient {
  return connectRaw(rawMember(member));
}

/** Brings a whole home up in a process of its own. @returns seconds from the process's start, and its memory in MB */
export async function measureRawHome(
  members: readonly FleetMember[],
  settleMs: number,
): Promise<{ seconds: number; residentMb: number }> {
  const program = await compileChild('raw-home-child');
  const started = performance.now();
  // A session of its own, as the daemon has.
  const child = fork(program, { execArgv: [], detached: true });
  child.send({ members: members.map(rawMember) });
  await once(child, 'message');
  const seconds = (performance.now() - started) / 1_000;
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  child.send('memory');
  const [residentMb] = (await once(child, 'message')) as [number];
  child.kill();
  return { seconds, residentMb };
}
