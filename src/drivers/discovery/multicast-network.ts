/**
 * Sockets on every chosen interface address, updated as the network changes: checked every few seconds and after each
 * socket error. No network is a normal state. Discovery and the advertiser share the sockets, which are open while
 * there is a listener.
 */
import { networkInterfaces } from 'node:os';
import type { HomeDeps } from '../../home/home-deps.ts';
import { messageOf } from '../../kernel/errors.ts';
import { type Logger, LogThrottle } from '../../kernel/logger.ts';
import { type Destination, MulticastSocket, type PacketSocket, type PacketSocketEvents } from './multicast-socket.ts';
import { chooseInterfaces, type InterfaceAddress, type NetworkInterfaces } from './network-interfaces.ts';

/** One socket, as listeners see it. */
export interface NetworkLink {
  readonly name: string;
  readonly loopback: boolean;
  /** Every current address of the interface, the socket's own first. */
  readonly addresses: readonly string[];
  /** Sends to the group, or to one host. Never rejects. */
  send(packet: Buffer, to?: Destination): Promise<void>;
}

export interface NetworkListener {
  /** A link came up: hosts on it may not have received our packets before. */
  onReady(link: NetworkLink): void;
  onPacket(packet: Buffer, sender: Destination, link: NetworkLink): void;
  /** The interface's addresses changed, except the socket's own. */
  onAddresses?(link: NetworkLink): void;
  onGone?(link: NetworkLink): void;
  /** An interface came up or was replaced, or the machine slept: sockets of before may be in no group on it. */
  onInterface?(): void;
}

export interface MulticastNetworkDeps extends HomeDeps<'clock' | 'logger'> {
  /** Empty: all non-loopback interfaces with multicast. */
  readonly interfaces: readonly string[];
  readonly listInterfaces?: () => NetworkInterfaces;
  readonly openSocket?: (address: InterfaceAddress, events: PacketSocketEvents) => PacketSocket;
}

interface OpenLink extends NetworkLink {
  readonly identity: string;
  readonly socket: PacketSocket;
  addresses: readonly string[];
  ready: boolean;
}

/** Node has no event for network changes; a check takes about 0.1 ms. */
export const WATCH_INTERVAL_MS = 5_000;
/** After a socket error the next check is sooner, but not in a tight loop. */
const RETRY_MS = 1_000;

export class MulticastNetwork {
  readonly #deps: MulticastNetworkDeps;
  readonly #logger: Logger;
  readonly #throttle: LogThrottle;
  readonly #links = new Map<string, OpenLink>();
  readonly #listeners = new Set<NetworkListener>();
  #cancelWatch: (() => void) | undefined;
  /** The identities of the last check. */
  #known: ReadonlySet<string> = new Set();
  #lastCheckAt = { wall: 0, monotonic: 0 };

  constructor(deps: MulticastNetworkDeps) {
    this.#deps = deps;
    this.#logger = deps.logger.child({ part: 'multicast' });
    this.#throttle = new LogThrottle(deps.clock);
  }

  /** Adds a listener, and reports the links that are already up to it immediately. */
  join(listener: NetworkListener): void {
    if (this.#listeners.has(listener)) return;
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) {
      this.#lastCheckAt = this.#time();
      this.#check();
    } else {
      for (const link of this.links()) listener.onReady(link);
    }
  }

  leave(listener: NetworkListener): void {
    if (!this.#listeners.delete(listener) || this.#listeners.size > 0) return;
    this.#cancelWatch?.();
    for (const { socket } of this.#links.values()) socket.close();
    this.#links.clear();
    this.#known = new Set();
  }

  /** The links that are up. */
  links(): readonly NetworkLink[] {
    return [...this.#links.values()].filter(({ ready }) => ready);
  }

  /** Whether an address of this machine is on a chosen interface: on any, if none is chosen by name. */
  isChosen(address: string): boolean {
    if (this.#deps.interfaces.length === 0) return true;
    return this.#listChosen().some(({ addresses }) => addresses.includes(address));
  }

  /** Sends on every link. */
  send(packet: Buffer): void {
    // Iterates over a copy: a socket that breaks while sending is removed from the map.
    for (const link of [...this.#links.values()]) void link.send(packet);
  }

  #check(): void {
    this.#watchIn(WATCH_INTERVAL_MS);
    const chosen = new Map(this.#listChosen().map((address) => [address.identity, address]));
    const slept = this.#hasSlept();
    const known = new Set(slept ? [] : this.#known);
    for (const link of [...this.#links.values()]) {
      const address = chosen.get(link.identity);
      if (address && !slept && link.socket.isJoined()) {
        this.#noteAddresses(link, address.addresses);
        continue;
      }
      this.#logger.debug({ interface: link.identity }, 'A network interface changed; closed its multicast socket');
      known.delete(link.identity);
      this.#drop(link);
      link.socket.close();
    }
    this.#known = new Set(chosen.keys());
    for (const [identity, address] of chosen) {
      if (!this.#links.has(identity)) this.#open(address);
    }
    if ([...this.#known].some((identity) => !known.has(identity))) this.#notify((listener) => listener.onInterface?.());
    if (chosen.size === 0) {
      this.#throttle.once('none', () =>
        this.#logger.warn({ interfaces: this.#deps.interfaces }, 'No network interface for discovery; waiting for one'),
      );
    }
  }

  #listChosen(): readonly InterfaceAddress[] {
    try {
      return chooseInterfaces((this.#deps.listInterfaces ?? networkInterfaces)(), this.#deps.interfaces);
    } catch (error) {
      // uv_interface_addresses fails if the sandbox forbids netlink.
      this.#throttle.once('list', () =>
        this.#logger.warn({ error: String(error) }, 'Could not list the network interfaces'),
      );
      return [];
    }
  }

  #open(address: InterfaceAddress): void {
    const { identity, name, loopback, addresses } = address;
    let link: OpenLink | undefined;
    const current = (): OpenLink | undefined => (this.#links.get(identity) === link ? link : undefined);
    const events: PacketSocketEvents = {
      onReady: () => {
        const opened = current();
        if (!opened) return;
        opened.ready = true;
        this.#logger.debug({ interface: name, address: address.address }, 'Multicast works on this interface');
        this.#notify((listener) => listener.onReady(opened));
      },
      onPacket: (packet, sender, port) => {
        const opened = current();
        if (opened) this.#notify((listener) => listener.onPacket(packet, { address: sender, port }, opened));
      },
      onBroken: (reason) => {
        const broken = current();
        if (!broken) return;
        this.#throttle.once(identity, (skipped) =>
          this.#logger.warn(
            { interface: name, address: address.address, reason, ...skipped },
            'Multicast on this interface failed; the relay retries',
          ),
        );
        this.#watchIn(RETRY_MS);
        this.#drop(broken);
      },
    };
    try {
      const socket = (this.#deps.openSocket ?? openMulticastSocket)(address, events);
      const send = (packet: Buffer, to?: Destination): Promise<void> => socket.send(packet, to);
      link = { identity, name, loopback, addresses, socket, ready: false, send };
      this.#links.set(identity, link);
    } catch (error) {
      this.#throttle.once(identity, () =>
        this.#logger.warn({ interface: name, error: String(error) }, 'Could not open a multicast socket'),
      );
    }
  }

  #noteAddresses(link: OpenLink, addresses: readonly string[]): void {
    if (link.addresses.join() === addresses.join()) return;
    link.addresses = addresses;
    if (link.ready) this.#notify((listener) => listener.onAddresses?.(link));
  }

  #drop(link: OpenLink): void {
    this.#links.delete(link.identity);
    if (link.ready) this.#notify((listener) => listener.onGone?.(link));
  }

  /** Calls each listener; an error in one does not affect the others. */
  #notify(write: (listener: NetworkListener) => void): void {
    for (const listener of [...this.#listeners]) {
      try {
        write(listener);
      } catch (error) {
        this.#throttle.once('listener', () =>
          this.#logger.error({ error: messageOf(error) }, 'Could not process a multicast packet'),
        );
      }
    }
  }

  #watchIn(delayMs: number): void {
    this.#cancelWatch?.();
    this.#cancelWatch = this.#deps.clock.after(delayMs, () => {
      if (this.#listeners.size > 0) this.#check();
    });
  }

  /**
   * Whether wall time ran far ahead of monotonic time since the last check: the machine slept, and may be on another
   * network.
   */
  #hasSlept(): boolean {
    const before = this.#lastCheckAt;
    this.#lastCheckAt = this.#time();
    const wall = this.#lastCheckAt.wall - before.wall;
    return wall - (this.#lastCheckAt.monotonic - before.monotonic) > WATCH_INTERVAL_MS;
  }

  #time(): { wall: number; monotonic: number } {
    return { wall: this.#deps.clock.now(), monotonic: this.#deps.clock.monotonic() };
  }
}

function openMulticastSocket(address: InterfaceAddress, events: PacketSocketEvents): PacketSocket {
  return new MulticastSocket(address, events);
}
