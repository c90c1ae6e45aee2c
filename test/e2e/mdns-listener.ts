/**
 * Listens, inside a network namespace, to what is multicast over mDNS, and prints each packet's sender as a line. Sends
 * nothing.
 */
import { createSocket } from 'node:dgram';
import { MDNS_GROUP, MDNS_PORT } from '../../src/drivers/discovery/multicast-socket.ts';

/** The first line reports that it listens. */
export type Received = { readonly from: string } | { readonly listening: true };

const print = (line: Received): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

const { address } = JSON.parse(process.argv[2] ?? '{}') as { address: string };
const socket = createSocket({ type: 'udp4', reuseAddr: true });
socket.on('message', (_packet, sender) => print({ from: `${sender.address}:${sender.port}` }));
socket.bind(MDNS_PORT, '0.0.0.0', () => {
  socket.addMembership(MDNS_GROUP, address);
  print({ listening: true });
});
