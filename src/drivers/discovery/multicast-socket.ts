/**
 * One socket on one interface address, joined to the mDNS group. It hands out what it hears and reports when it has broken;
 * it never throws, and whoever opened it replaces it.
 */
import { createSocket, type Socket } from 'node:dgram';
import { messageOf } from '../../kernel/errors.ts';
import type { InterfaceAddress } from './network-interfaces.ts';

export const MDNS_GROUP = '224.0.0.251';
export const MDNS_PORT = 5353;
/** RFC 6762 §11: so that receivers can tell that a packet was not routed to them. */
const MULTICAST_TTL = 255;

export interface Destination {
  readonly address: string;
  readonly port: number;
}

export interface PacketSocket {
  /** To the group, or to one host. Resolves once the system has it, or has refused it. */
  send(packet: Buffer, to?: Destination): Promise<void>;
  /** Whether it still hears the group. An interface deleted and made again takes the membership with it, silently. */
  isJoined(): boolean;
  close(): void;
}

export interface PacketSocketEvents {
  readonly onReady: () => void;
  readonly onPacket: (packet: Buffer, sender: string, senderPort: number) => void;
  /** Once: after it the socket is closed. */
  readonly onBroken: (reason: string) => void;
}

export class MulticastSocket implements PacketSocket {
  readonly #address: InterfaceAddress;
  readonly #events: PacketSocketEvents;
  readonly #socket: Socket;
  #state: 'opening' | 'open' | 'closed' = 'opening';

  constructor(address: InterfaceAddress, events: PacketSocketEvents) {
    this.#address = address;
    this.#events = events;
    // Other mDNS software on this machine holds the port too.
    this.#socket = createSocket({ type: 'udp4', reuseAddr: true });
    this.#socket.on('error', (error) => this.#break(error));
    this.#socket.on('listening', () => this.#join());
    this.#socket.on('message', (packet, { address: sender, port }) => {
      // The kernel hands every socket on this port the multicast of every interface anyone has joined.
      if (address.isOnLink(sender)) events.onPacket(packet, sender, port);
    });
    // Bound to the interface's own address, a socket would hear no multicast (Linux).
    this.#socket.bind({ port: MDNS_PORT, address: '0.0.0.0' });
  }

  send(packet: Buffer, to?: Destination): Promise<void> {
    if (this.#state !== 'open') return Promise.resolve();
    const { address, port } = to ?? { address: MDNS_GROUP, port: MDNS_PORT };
    return new Promise((resolve) => {
      const settle = (error: unknown): void => {
        // That one host cannot be reached (its port may be nonsense) says nothing about the socket.
        if (error && !to) this.#break(error);
        resolve();
      };
      try {
        this.#socket.send(packet, port, address, settle);
      } catch (error) {
        settle(error);
      }
    });
  }

  isJoined(): boolean {
    if (this.#state !== 'open') return this.#state === 'opening';
    try {
      this.#socket.addMembership(MDNS_GROUP, this.#address.address);
      return false;
    } catch (error) {
      // Joined already: as it should be.
      return (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
    }
  }

  close(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#socket.close();
  }

  #join(): void {
    this.#attempt(() => {
      this.#socket.addMembership(MDNS_GROUP, this.#address.address);
      this.#socket.setMulticastInterface(this.#address.address);
      this.#socket.setMulticastTTL(MULTICAST_TTL);
      // Accessory servers on this very machine are to hear us, and we them.
      this.#socket.setMulticastLoopback(true);
      this.#state = 'open';
      this.#events.onReady();
    });
  }

  #attempt(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#break(error);
    }
  }

  #break(error: unknown): void {
    if (this.#state === 'closed') return;
    this.close();
    this.#events.onBroken(messageOf(error));
  }
}
