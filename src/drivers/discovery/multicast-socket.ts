/**
 * One socket on one interface address, joined to the mDNS group. It emits received packets and reports when it breaks.
 * It never throws, and its owner replaces it.
 */
import { createSocket, type Socket } from 'node:dgram';
import { messageOf } from '../../kernel/errors.ts';
import type { InterfaceAddress } from './network-interfaces.ts';

export const MDNS_GROUP = '224.0.0.251';
export const MDNS_PORT = 5353;
/** RFC 6762 §11: receivers can check that the packet was not routed. */
const MULTICAST_TTL = 255;

export interface Destination {
  readonly address: string;
  readonly port: number;
}

export interface PacketSocket {
  /** Sends to the group, or to one host. Resolves when the system accepts or rejects the packet. */
  send(packet: Buffer, to?: Destination): Promise<void>;
  /**
   * Whether it is still in the group. If an interface is deleted and created again, the membership is lost without an
   * error.
   */
  isJoined(): boolean;
  close(): void;
}

export interface PacketSocketEvents {
  readonly onReady: () => void;
  readonly onPacket: (packet: Buffer, sender: string, senderPort: number) => void;
  /** Called once; the socket is then closed. */
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
    // Other mDNS software on this machine uses the same port.
    this.#socket = createSocket({ type: 'udp4', reuseAddr: true });
    this.#socket.on('error', (error) => this.#break(error));
    this.#socket.on('listening', () => this.#join());
    this.#socket.on('message', (packet, { address: sender, port }) => {
      // The kernel delivers the multicast of every joined interface to every socket on this port.
      if (address.isOnLink(sender)) events.onPacket(packet, sender, port);
    });
    // On Linux, a socket bound to the interface's own address receives no multicast.
    this.#socket.bind({ port: MDNS_PORT, address: '0.0.0.0' });
  }

  send(packet: Buffer, to?: Destination): Promise<void> {
    if (this.#state !== 'open') return Promise.resolve();
    const { address, port } = to ?? { address: MDNS_GROUP, port: MDNS_PORT };
    return new Promise((resolve) => {
      const settle = (error: unknown): void => {
        // An error for a single host (its port may be invalid) does not mean that the socket is broken.
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
      // Already joined, as expected.
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
      // Accessory servers on this machine and the relay must receive each other's packets.
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
