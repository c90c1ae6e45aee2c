/**
 * What runs inside a network namespace: discovery, an accessory's responder that speaks only when asked, our own
 * advertisement, or who looks for it.
 */
import { createSocket } from 'node:dgram';
import { decode, encode, type Packet } from 'dns-packet';
import { advertisedRelay } from '../../../src/drivers/discovery/advertised-records.ts';
import { Advertiser } from '../../../src/drivers/discovery/advertiser.ts';
import { MdnsDiscovery } from '../../../src/drivers/discovery/mdns-discovery.ts';
import { MulticastNetwork } from '../../../src/drivers/discovery/multicast-network.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { announcement, device } from './packets.ts';

export type Role =
  | { readonly role: 'discover'; readonly interfaces: readonly string[] }
  | { readonly role: 'answer'; readonly address: string; readonly id: string }
  | { readonly role: 'advertise'; readonly port: number }
  | { readonly role: 'look'; readonly address: string };

export interface Line {
  readonly kind: string;
  readonly id: string;
  readonly addresses: readonly string[];
}

function print(line: Line): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function discover(interfaces: readonly string[]): void {
  const deps = { clock: systemClock, logger: silentLogger };
  const discovery = new MdnsDiscovery({ ...deps, network: new MulticastNetwork({ ...deps, interfaces }) });
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

function advertise(port: number): void {
  const deps = { clock: systemClock, logger: silentLogger };
  const network = new MulticastNetwork({ ...deps, interfaces: [] });
  const relay = { hostname: 'nas', port, wsPort: port + 1, hasTls: false, instanceId: '0badcafe', version: '1.2.3' };
  const advertiser = new Advertiser({ ...deps, network, host: [], service: () => advertisedRelay(relay) });
  void advertiser.start();
  setInterval(() => {}, 60_000);
}

/** Prints every SRV record of ours and the addresses beside it, and asks once. */
function look(address: string): void {
  const socket = createSocket({ type: 'udp4', reuseAddr: true });
  socket.on('message', (message) => {
    const { answers = [], additionals = [] } = decode(message) as Packet;
    const records = [...answers, ...additionals];
    for (const record of records) {
      if (record.type !== 'SRV' || !record.name.endsWith('._hearthd._tcp.local')) continue;
      const addresses = records.flatMap((other) => (other.type === 'A' ? [other.data] : []));
      print({
        kind: record.ttl === 0 ? 'lost' : 'found',
        id: `${record.name.split('.')[0]}:${record.data.port}`,
        addresses,
      });
    }
  });
  socket.bind(5353, '0.0.0.0', () => {
    socket.addMembership('224.0.0.251', address);
    socket.setMulticastInterface(address);
    socket.send(
      encode({ type: 'query', questions: [{ type: 'PTR', name: '_hearthd._tcp.local' }] }),
      5353,
      '224.0.0.251',
    );
    print({ kind: 'ready', id: '', addresses: [address] });
  });
}

const argument = JSON.parse(process.argv[2] ?? '{}') as Role;
if (argument.role === 'discover') discover(argument.interfaces);
else if (argument.role === 'answer') answer(argument.address, argument.id);
else if (argument.role === 'advertise') advertise(argument.port);
else look(argument.address);
