/** An `MdnsDiscovery` on a clock and a network that the test moves; nothing leaves the process. */
import type { Sighting } from '../../../src/drivers/discovery/discovery.ts';
import { MdnsDiscovery, type MdnsDiscoveryDeps } from '../../../src/drivers/discovery/mdns-discovery.ts';
import { MulticastNetwork, type MulticastNetworkDeps } from '../../../src/drivers/discovery/multicast-network.ts';
import { MDNS_PORT, type PacketSocketEvents } from '../../../src/drivers/discovery/multicast-socket.ts';
import type { InterfaceAddress, NetworkInterfaces } from '../../../src/drivers/discovery/network-interfaces.ts';
import type { Logger } from '../../../src/kernel/logger.ts';
import { TestClock } from '../../support/test-clock.ts';
import { questionsOf } from './packets.ts';

export interface FakeSocket {
  readonly address: InterfaceAddress;
  readonly events: PacketSocketEvents;
  joined: boolean;
  closed: boolean;
}

export interface LogLine {
  readonly level: string;
  readonly fields: object;
  readonly message: string;
}

export const ETH0 = ipv4('192.0.2.2');

export function ipv4(address: string, overrides: { internal?: boolean; mac?: string } = {}) {
  const { internal = false, mac = '02:00:00:00:00:01' } = overrides;
  return { address, netmask: '255.255.255.0', family: 'IPv4' as const, mac, internal, cidr: `${address}/24` };
}

export class DiscoveryFixture {
  readonly clock = new TestClock();
  readonly sightings: Sighting[] = [];
  readonly sockets: FakeSocket[] = [];
  readonly sent: { readonly packet: Buffer; readonly at: number }[] = [];
  readonly log: LogLine[] = [];
  readonly discovery: MdnsDiscovery;
  interfaces: NetworkInterfaces = { eth0: [ETH0] };
  /** What happens to a packet that is sent: the test may play the network's answer, or break the socket. */
  onSend: ((packet: Buffer, socket: FakeSocket) => void) | undefined;

  constructor(options: Partial<Omit<MdnsDiscoveryDeps, 'network'>> & { network?: Partial<MulticastNetworkDeps> } = {}) {
    const common = { clock: this.clock, logger: this.#logger() };
    const network = new MulticastNetwork({
      ...common,
      interfaces: [],
      listInterfaces: () => this.interfaces,
      openSocket: (address, events) => this.#open(address, events),
      ...options.network,
    });
    this.discovery = new MdnsDiscovery({ ...common, random: () => 0, ...options, network });
    this.discovery.onSighting((sighting) => this.sightings.push(sighting));
  }

  /** Started, and past the first query. */
  async start(): Promise<this> {
    this.discovery.start();
    await this.clock.advance(0);
    return this;
  }

  /** Open sockets. */
  get open(): readonly FakeSocket[] {
    return this.sockets.filter(({ closed }) => !closed);
  }

  receive(packet: Buffer, sender = '192.0.2.10', interfaceName = 'eth0'): void {
    const socket = this.open.find(({ address }) => address.name === interfaceName);
    if (!socket) throw new Error(`No socket on ${interfaceName}`);
    socket.events.onPacket(packet, sender, MDNS_PORT);
  }

  /** The open socket fails and closes itself, as a real one does. */
  breakSocket(reason: string): void {
    const [socket] = this.open;
    if (!socket) throw new Error('No socket is open');
    socket.closed = true;
    socket.events.onBroken(reason);
  }

  /** `found Lamp`, `changed Lamp` …, and forgets them. */
  takeSightings(): string[] {
    return this.sightings.splice(0).map(({ kind, advertisement }) => `${kind} ${advertisement.name}`);
  }

  /** Questions asked since the last call. */
  takeQuestions(): string[] {
    return this.sent.splice(0).flatMap(({ packet }) => questionsOf(packet));
  }

  warnings(): string[] {
    return this.log.filter(({ level }) => level === 'warn').map(({ message }) => message);
  }

  #open(address: InterfaceAddress, events: PacketSocketEvents) {
    const socket: FakeSocket = { address, events, joined: true, closed: false };
    this.sockets.push(socket);
    this.clock.after(0, () => !socket.closed && events.onReady());
    return {
      send: async (packet: Buffer) => {
        this.sent.push({ packet, at: this.clock.monotonic() });
        this.onSend?.(packet, socket);
      },
      isJoined: () => socket.joined,
      close: () => {
        socket.closed = true;
      },
    };
  }

  #logger(): Logger {
    const add = (level: string) => (fields: object, message: string) => void this.log.push({ level, fields, message });
    const logger: Logger = {
      debug: add('debug'),
      info: add('info'),
      warn: add('warn'),
      error: add('error'),
      child: () => logger,
    };
    return logger;
  }
}
