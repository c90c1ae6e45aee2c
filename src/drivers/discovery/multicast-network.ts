/**
 * Sockets on every chosen interface address, kept in step with a network that comes, goes and changes: looked at every few
 * seconds and after each socket error. Having no network is an ordinary state here.
 */
import { networkInterfaces } from 'node:os';
import type { Clock } from '../../kernel/clock.ts';
import { type Logger, LogThrottle } from '../../kernel/logger.ts';
import { MulticastSocket, type PacketSocket, type PacketSocketEvents } from './multicast-socket.ts';
import { chooseInterfaces, type InterfaceAddress, type NetworkInterfaces } from './network-interfaces.ts';
import type { Origin } from './record-cache.ts';

export interface MulticastNetworkOptions {
  /** Empty: all interfaces that are not loopback and can do multicast. */
  readonly interfaces: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onPacket: (packet: Buffer, origin: Origin) => void;
  /** A socket has come up: whoever is out there may not have heard us before. */
  readonly onReady: () => void;
  readonly listInterfaces?: () => NetworkInterfaces;
  readonly openSocket?: (address: InterfaceAddress, events: PacketSocketEvents) => PacketSocket;
}

/** Node has no event for changes of the network; asking the kernel costs about 0.1 ms. */
export const WATCH_INTERVAL_MS = 5_000;
/** After a socket error look sooner, yet not in a circle. */
const RETRY_MS = 1_000;

export class MulticastNetwork {
  readonly #options: MulticastNetworkOptions;
  readonly #throttle: LogThrottle;
  readonly #sockets = new Map<string, PacketSocket>();
  #cancelWatch: (() => void) | undefined;
  #lastCheckAt = { wall: 0, monotonic: 0 };
  #running = false;

  constructor(options: MulticastNetworkOptions) {
    this.#options = options;
    this.#throttle = new LogThrottle(options.clock);
  }

  start(): void {
    this.#running = true;
    this.#lastCheckAt = this.#time();
    this.#check();
  }

  stop(): void {
    this.#running = false;
    this.#cancelWatch?.();
    for (const socket of this.#sockets.values()) socket.close();
    this.#sockets.clear();
  }

  send(packet: Buffer): void {
    // A copy: a socket that breaks while sending leaves the map.
    for (const socket of [...this.#sockets.values()]) socket.send(packet);
  }

  #check(): void {
    this.#watchIn(WATCH_INTERVAL_MS);
    const chosen = new Map(this.#listChosen().map((address) => [address.identity, address]));
    const slept = this.#hasSlept();
    for (const [identity, socket] of [...this.#sockets]) {
      if (chosen.has(identity) && !slept && socket.isJoined()) continue;
      this.#options.logger.debug({ interface: identity }, 'An interface has changed; its multicast socket is closed');
      this.#sockets.delete(identity);
      socket.close();
    }
    for (const [identity, address] of chosen) {
      if (!this.#sockets.has(identity)) this.#open(address);
    }
    if (chosen.size === 0) {
      this.#throttle.once('none', () =>
        this.#options.logger.warn(
          { interfaces: this.#options.interfaces },
          'No network interface to discover accessories on; waiting for one to come up',
        ),
      );
    }
  }

  #listChosen(): readonly InterfaceAddress[] {
    try {
      return chooseInterfaces((this.#options.listInterfaces ?? networkInterfaces)(), this.#options.interfaces);
    } catch (error) {
      // uv_interface_addresses fails where the sandbox forbids netlink.
      this.#throttle.once('list', () =>
        this.#options.logger.warn({ error: String(error) }, 'The network interfaces cannot be listed'),
      );
      return [];
    }
  }

  #open(address: InterfaceAddress): void {
    const { identity, name, loopback } = address;
    let socket: PacketSocket | undefined;
    const isCurrent = (): boolean => this.#running && this.#sockets.get(identity) === socket;
    const events: PacketSocketEvents = {
      onReady: () => {
        if (!isCurrent()) return;
        this.#options.logger.debug({ interface: name, address: address.address }, 'Listening for accessories');
        this.#options.onReady();
      },
      onPacket: (packet, sender) => {
        if (isCurrent()) this.#options.onPacket(packet, { interfaceName: name, loopback, sender });
      },
      onBroken: (reason) => {
        if (!isCurrent()) return;
        this.#sockets.delete(identity);
        this.#throttle.once(identity, (suppressed) =>
          this.#options.logger.warn(
            { interface: name, address: address.address, reason, suppressed },
            'Discovery on this interface failed; trying again',
          ),
        );
        this.#watchIn(RETRY_MS);
      },
    };
    try {
      socket = (this.#options.openSocket ?? openMulticastSocket)(address, events);
      this.#sockets.set(identity, socket);
    } catch (error) {
      this.#throttle.once(identity, () =>
        this.#options.logger.warn({ interface: name, error: String(error) }, 'A multicast socket cannot be opened'),
      );
    }
  }

  #watchIn(delayMs: number): void {
    this.#cancelWatch?.();
    this.#cancelWatch = this.#options.clock.after(delayMs, () => {
      if (this.#running) this.#check();
    });
  }

  /** Whether wall time ran far ahead of ours since the last look: the machine was asleep, and may be elsewhere now. */
  #hasSlept(): boolean {
    const before = this.#lastCheckAt;
    this.#lastCheckAt = this.#time();
    const wall = this.#lastCheckAt.wall - before.wall;
    return wall - (this.#lastCheckAt.monotonic - before.monotonic) > WATCH_INTERVAL_MS;
  }

  #time(): { wall: number; monotonic: number } {
    return { wall: this.#options.clock.now(), monotonic: this.#options.clock.monotonic() };
  }
}

function openMulticastSocket(address: InterfaceAddress, events: PacketSocketEvents): PacketSocket {
  return new MulticastSocket(address, events);
}
