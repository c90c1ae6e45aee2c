/**
 * Checks whether the running daemon can be discovered: queries it over multicast DNS without sending a packet outside
 * this computer.
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { SERVICE_TYPES } from '../../drivers/discovery/advertised-records.ts';
import { readResponse } from '../../drivers/discovery/dns-message.ts';
import { instanceName } from '../../drivers/discovery/dns-name.ts';
import { writeQuery } from '../../drivers/discovery/dns-writer.ts';
import { MDNS_GROUP, MDNS_PORT } from '../../drivers/discovery/multicast-socket.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { ApiClient } from '../api-client.ts';
import { type Finding, ok, warn } from './finding.ts';
import type { Interface } from './host-checks.ts';

const ANSWER_TIMEOUT_MS = 1_000;
/** A datagram with this TTL never leaves the host (RFC 1112 §6.1), but is delivered on it. */
const TTL_STAY_HERE = 0;

/** @param interfaces the daemon's interfaces */
export async function checkAdvertised(api: ApiClient, interfaces: readonly Interface[]): Promise<readonly Finding[]> {
  try {
    const { instanceId } = await api.get<{ readonly instanceId: string }>('/health');
    return await Promise.all(interfaces.map((one) => checkOne(one, instanceId)));
  } catch {
    // The finding about the socket reports this.
    return [];
  }
}

async function checkOne({ name, address }: Interface, instanceId: string): Promise<Finding> {
  const missing = (why: string): Finding =>
    warn(
      'advertising',
      `clients on ${name} cannot discover the daemon: ${why}`,
      'Check that it listens on an address of that interface (--host), and check its log for multicast errors. After a start, wait a few seconds.',
    );
  try {
    const found = await findInstance(address, instanceId);
    return found === undefined ? missing('no answer') : ok('advertising', `found on ${name} as ${found}`);
  } catch (error) {
    return missing(messageOf(error));
  }
}

/** @returns the instance's name; `undefined` if no service with this id responds. */
async function findInstance(address: string, instanceId: string): Promise<string | undefined> {
  const socket = createSocket('udp4');
  try {
    const listening = once(socket, 'listening');
    socket.bind({ port: 0, address });
    await listening;
    socket.setMulticastInterface(address);
    socket.setMulticastTTL(TTL_STAY_HERE);
    const found = new Promise<string>((resolve, reject) => {
      socket.on('error', reject);
      socket.on('message', (packet) => {
        for (const record of readResponse(packet) ?? []) {
          const isIt = record.type === 'TXT' && record.strings.some((string) => String(string) === `id=${instanceId}`);
          if (isIt) resolve(instanceName(record.name));
        }
      });
    });
    socket.send(writeQuery([{ name: SERVICE_TYPES[0], type: 'PTR' }]), MDNS_PORT, MDNS_GROUP);
    const timeout = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    return await Promise.race([found, once(timeout, 'abort').then(() => undefined)]);
  } finally {
    socket.close();
  }
}
