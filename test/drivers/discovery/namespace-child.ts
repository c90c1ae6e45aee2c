/** What runs inside a network namespace: discovery itself, or an accessory's responder that speaks only when asked. */
import { createSocket } from 'node:dgram';
import { decode, type Packet } from 'dns-packet';
import { MdnsDiscovery } from '../../../src/drivers/discovery/mdns-discovery.ts';
import { MulticastNetwork } from '../../../src/drivers/discovery/multicast-network.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { announcement, device } from './packets.ts';

export type Role =
  | { readonly role: 'discover'; readonly interfaces: readonly string[] }
  | { readonly role: 'answer'; readonly address: string; readonly id: string };

export interface Line {
  readonly kind: string;
  readonly id: string;
  readonly addresses: readonly string[];
}

function print(line: Line): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function discover(interfaces: readonly string[]): void {
  const ground = { clock: systemClock, logger: silentLogger };
  const discovery = new MdnsDiscovery({ ...ground, network: new MulticastNetwork({ ...ground, interfaces }) });
  discovery.onSighting(({ kind, advertisement: { deviceId, addresses } }) => print({ kind, id: deviceId, addresses }));
  discovery.start();
  // Discovery without a network holds no socket that would keep the process alive.
  setInterval(() => {}, 60_000);
}

function answer(address: string, id: string): void {
  const packet = announcement(device({ id, name: id, host: `${id.replaceAll(':', '')}.local`, ipv4: [address] }));
  const socket = createSocket({ type: 'udp4', reuseAddr: true });
  socket.on('message', (message) => {
    if ((decode(message) as Packet).type === 'query') socket.send(packet, 5353, '224.0.0.251');
  });
  socket.bind(5353, '0.0.0.0', () => {
    socket.addMembership('224.0.0.251', address);
    socket.setMulticastInterface(address);
    print({ kind: 'ready', id, addresses: [address] });
  });
}

const argument = JSON.parse(process.argv[2] ?? '{}') as Role;
if (argument.role === 'discover') discover(argument.interfaces);
else answer(argument.address, argument.id);
