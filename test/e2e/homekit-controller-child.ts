/**
 * A HomeKit controller on another computer: hap-controller's, which is no part of hearthd, and what multicast DNS shows
 * there. It does what its parent asks.
 */
import { createSocket } from 'node:dgram';
import { decode, encode, type Packet } from 'dns-packet';
import type { HttpClient } from 'hap-controller';
import { MDNS_GROUP, MDNS_PORT } from '../../src/drivers/discovery/multicast-socket.ts';
import { answerParent } from '../support/asked-process.ts';
import { controllerOf, type PairingData, pairWith, readBridge, type ShownBridge } from './publishing-fixture.ts';

export type HomeKitRequest =
  /** Everything that was received before counts no more. */
  | { readonly do: 'forget' }
  /** The services of a type that were announced since, and where they are. */
  | { readonly do: 'services'; readonly type: string }
  | { readonly do: 'pair'; readonly bridge: ShownBridge }
  | { readonly do: 'database'; readonly bridge: ShownBridge }
  /** Makes a new connection, and subscribes to a characteristic. */
  | { readonly do: 'subscribe'; readonly bridge: ShownBridge; readonly point: string }
  | { readonly do: 'read'; readonly point: string }
  | { readonly do: 'write'; readonly point: string; readonly value: unknown }
  /** The values of the events that arrived since it subscribed. */
  | { readonly do: 'events' };

export interface FoundService {
  readonly name: string;
  readonly port: number;
  /** IPv4. */
  readonly addresses: readonly string[];
}

const ASK_EVERY_MS = 500;
const TYPES = ['_hap._tcp.local', '_matter._tcp.local'];

const address = process.argv[2] ?? '';
const places = new Map<string, { readonly port: number; readonly target: string }>();
const hosts = new Map<string, Set<string>>();
let pairing: PairingData | undefined;
let client: HttpClient | undefined;
let events: unknown[] = [];

const socket = createSocket({ type: 'udp4', reuseAddr: true });
socket.on('message', (message) => {
  const packet = decode(message) as Packet;
  for (const record of [...(packet.answers ?? []), ...(packet.additionals ?? [])]) {
    if (record.type === 'SRV' && record.ttl !== 0) places.set(record.name, record.data);
    if (record.type === 'A' && record.ttl !== 0) {
      hosts.set(record.name, (hosts.get(record.name) ?? new Set()).add(record.data));
    }
  }
});
socket.bind(MDNS_PORT, '0.0.0.0', () => {
  socket.addMembership(MDNS_GROUP, address);
  socket.setMulticastInterface(address);
  const questions = TYPES.map((name) => ({ type: 'PTR' as const, name }));
  setInterval(() => socket.send(encode({ type: 'query', questions }), MDNS_PORT, MDNS_GROUP), ASK_EVERY_MS);
  answerParent(answer);
});

async function answer(request: HomeKitRequest): Promise<unknown> {
  switch (request.do) {
    case 'forget':
      places.clear();
      hosts.clear();
      return;
    case 'services':
      return servicesOf(request.type);
    case 'pair':
      pairing = await pairWith(request.bridge);
      return;
    case 'database':
      return readBridge(request.bridge, keys());
    case 'subscribe':
      return subscribe(request.bridge, request.point);
    case 'read':
      return (await connected().getCharacteristics([request.point])).characteristics[0]?.value;
    case 'write':
      return connected().setCharacteristics({ [request.point]: request.value });
    case 'events':
      return events;
  }
}

function servicesOf(type: string): readonly FoundService[] {
  return [...places]
    .filter(([name]) => name.endsWith(type))
    .map(([name, { port, target }]) => ({ name, port, addresses: [...(hosts.get(target) ?? [])] }));
}

async function subscribe(bridge: ShownBridge, point: string): Promise<void> {
  // That connection may lead nowhere any more.
  void client?.close().catch(() => {});
  const received: unknown[] = [];
  client = controllerOf(bridge, keys());
  client.on('event', (event) => received.push(event.characteristics[0]?.value));
  events = received;
  await client.subscribeCharacteristics([point]);
}

function keys(): PairingData {
  if (!pairing) throw new Error('Nothing is paired');
  return pairing;
}

function connected(): HttpClient {
  if (!client) throw new Error('It is not connected');
  return client;
}
