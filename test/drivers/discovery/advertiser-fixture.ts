/**
 * An `Advertiser` on a clock and networks that the test moves; dns-packet reads its messages, another implementation.
 */
import { type Answer, decode, encode, type Packet, type Question } from 'dns-packet';
import { type AdvertisedRelay, advertisedRelay } from '../../../src/drivers/discovery/advertised-records.ts';
import { Advertiser, type AdvertiserDeps } from '../../../src/drivers/discovery/advertiser.ts';
import { MulticastNetwork } from '../../../src/drivers/discovery/multicast-network.ts';
import type { Destination, PacketSocketEvents } from '../../../src/drivers/discovery/multicast-socket.ts';
import type { InterfaceAddress, NetworkInterfaces } from '../../../src/drivers/discovery/network-interfaces.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { TestClock } from '../../support/test-clock.ts';
import { ETH0 } from './discovery-fixture.ts';

export const RELAY: AdvertisedRelay = {
  hostname: 'nas',
  port: 5656,
  wsPort: 5657,
  hasTls: false,
  instanceId: '0badcafe',
  version: '1.2.3',
};

export interface Sent {
  readonly packet: Packet;
  readonly bytes: number;
  readonly on: string;
  /** One host; the group otherwise. */
  readonly to: Destination | undefined;
  readonly at: number;
}

interface FixtureSocket {
  readonly address: InterfaceAddress;
  readonly events: PacketSocketEvents;
  closed: boolean;
}

/** Room for random waits: probing is over after this, and both announcements are made. */
export const SETTLED_MS = 3_000;

export class AdvertiserFixture {
  readonly clock: TestClock;
  readonly sent: Sent[] = [];
  readonly advertiser: Advertiser;
  readonly sockets: FixtureSocket[] = [];
  interfaces: NetworkInterfaces;
  /**
   * Where the packets of this network go besides; every packet reaches our own sockets on the same network, as in
   * reality.
   */
  readonly others: AdvertiserFixture[] = [];

  constructor(
    options: Partial<AdvertiserDeps> & {
      readonly relay?: Partial<AdvertisedRelay>;
      readonly interfaces?: NetworkInterfaces;
      readonly clock?: TestClock;
    } = {},
  ) {
    this.clock = options.clock ?? new TestClock();
    this.interfaces = options.interfaces ?? { eth0: [ETH0] };
    const deps = { clock: this.clock, logger: silentLogger };
    const network = new MulticastNetwork({
      ...deps,
      interfaces: [],
      listInterfaces: () => this.interfaces,
      openSocket: (address, events) => this.#open(address, events),
    });
    const { random = () => 0.5, host = [] } = options;
    this.advertiser = new Advertiser({
      ...deps,
      network,
      random,
      host,
      service: options.service ?? (() => advertisedRelay({ ...RELAY, ...options.relay })),
    });
  }

  /** Started, its names its own, and its messages on the way forgotten. */
  async settle(): Promise<this> {
    await this.advertiser.start();
    await this.clock.advance(SETTLED_MS);
    this.sent.length = 0;
    return this;
  }

  get open(): readonly FixtureSocket[] {
    return this.sockets.filter(({ closed }) => !closed);
  }

  receive(packet: Buffer, sender: Destination | string = '192.0.2.10', on?: string): void {
    const { address, port } = typeof sender === 'string' ? { address: sender, port: 5353 } : sender;
    for (const socket of this.open) {
      if (on !== undefined && socket.address.name !== on) continue;
      if (socket.address.isOnLink(address)) socket.events.onPacket(packet, address, port);
    }
  }

  ask(questions: readonly Asked[], more: Partial<Packet> = {}, sender?: Destination | string): void {
    this.receive(query(questions, more), sender);
  }

  /** Its messages within the time; it forgets them. */
  async sentWithin(ms: number): Promise<readonly Sent[]> {
    await this.clock.advance(ms);
    return this.sent.splice(0);
  }

  #open(address: InterfaceAddress, events: PacketSocketEvents) {
    const socket: FixtureSocket = { address, events, closed: false };
    this.sockets.push(socket);
    this.clock.after(0, () => !socket.closed && events.onReady());
    return {
      send: async (bytes: Buffer, to?: Destination) => {
        const entry = {
          packet: decode(bytes) as Packet,
          bytes: bytes.length,
          on: address.name,
          to,
          at: this.clock.monotonic(),
        };
        this.sent.push(entry);
        if (to) return;
        for (const fixture of [this, ...this.others])
          this.clock.after(0, () => fixture.receive(bytes, address.address));
      },
      isJoined: () => true,
      close: () => {
        socket.closed = true;
      },
    };
  }
}

export interface Asked {
  /** ANY as well, which dns-packet knows and its types do not. */
  readonly type: string;
  readonly name: string;
  readonly class?: 'IN' | 'CH';
}

export function query(questions: readonly Asked[], more: Partial<Packet> = {}): Buffer {
  return encode({ type: 'query', questions: questions as Question[], ...more });
}

/** `PTR _hearthd._tcp.local → nas._hearthd._tcp.local`, one a record. */
export function reported(records: readonly Answer[] | undefined): string[] {
  return (records ?? []).map((record) => `${record.type} ${record.name} ${dataOf(record)}`);
}

function dataOf(record: Answer): string {
  if (record.type === 'SRV') return `${record.data.target}:${record.data.port}`;
  if (record.type === 'TXT') return ([record.data].flat() as (Buffer | string)[]).map(String).join(' ');
  if (record.type === 'NSEC') return record.data.rrtypes.join(' ');
  return 'data' in record ? String(record.data) : '';
}
