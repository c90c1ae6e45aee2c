/**
 * Advertises a service of ours over multicast DNS (RFC 6762, 6763), the relay or a HAP server: on every chosen
 * interface, with that interface's addresses. It chooses the names (a name that is taken leads to `nas (2)`), and has
 * one responder per link. It ignores what others advertise, except under its own names.
 */
import type { HomeDeps } from '../../home/home-deps.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import { type Logger, LogThrottle } from '../../kernel/logger.ts';
import { type AdvertisedNames, type AdvertisedService, addressesToAdvertise } from './advertised-records.ts';
import { readQuery, readResponse } from './dns-message.ts';
import { nameKey } from './dns-name.ts';
import { LinkResponder } from './link-responder.ts';
import { listeningTest } from './listening-addresses.ts';
import type { MulticastNetwork, NetworkLink, NetworkListener } from './multicast-network.ts';
import type { Destination } from './multicast-socket.ts';

export interface AdvertiserDeps extends HomeDeps<'clock' | 'logger'> {
  readonly network: MulticastNetwork;
  /** Called at each start, when the ports are known, and at each refresh. */
  readonly service: () => AdvertisedService;
  /** Addresses that the server listens on; empty means all. Other addresses are not advertised. */
  readonly host: readonly string[];
  readonly random?: () => number;
}

/** RFC 6762 §8.1: after this many conflicts within a short time (ten seconds in the RFC), wait before the next name. */
const MANY_CONFLICTS = 15;
const CONFLICT_WINDOW_MS = 60_000;
const CONFLICT_WAIT_MS = 5_000;
/** What changes within this time is announced together. */
const REFRESH_MS = 100;

export class Advertiser implements Startable {
  readonly #deps: AdvertiserDeps;
  readonly #logger: Logger;
  readonly #throttle: LogThrottle;
  readonly #ears: NetworkListener;
  readonly #responders = new Map<NetworkLink, LinkResponder>();
  #service: AdvertisedService | undefined;
  #names: AdvertisedNames | undefined;
  #listensOn: (address: string) => boolean = () => false;
  #attempts = { instance: 1, host: 1 };
  #conflicts: number[] = [];
  #logged: string | undefined;
  #cancelRefresh: (() => void) | undefined;

  constructor(deps: AdvertiserDeps) {
    this.#deps = deps;
    this.#logger = deps.logger.child({ part: 'advertiser' });
    this.#throttle = new LogThrottle(deps.clock);
    this.#ears = {
      onReady: (link) => this.#open(link),
      onPacket: (packet, sender, link) => this.#receive(packet, sender, link),
      onAddresses: (link) => this.#responders.get(link)?.update(this.#recordsFor(link)),
      onGone: (link) => this.#close(link),
    };
  }

  /** Our host name for clients, with `.local`; `undefined` while nothing is advertised. */
  get hostName(): string | undefined {
    return this.#names?.host;
  }

  async start(): Promise<void> {
    if (this.#service) return;
    const service = this.#deps.service();
    this.#service = service;
    this.#listensOn = await listeningTest(this.#deps.host);
    this.#attempts = { instance: 1, host: 1 };
    this.#names = service.names(1, 1);
    this.#deps.network.join(this.#ears);
  }

  /** Something in the records changed, except the names. */
  refresh(): void {
    if (!this.#service || this.#cancelRefresh) return;
    this.#cancelRefresh = this.#deps.clock.after(REFRESH_MS, () => {
      this.#cancelRefresh = undefined;
      this.#service = this.#deps.service();
      for (const [link, responder] of this.#responders) responder.update(this.#recordsFor(link));
    });
  }

  /** Sends goodbyes on every link, and resolves when they are sent. */
  async stop(): Promise<void> {
    if (!this.#service) return;
    this.#cancelRefresh?.();
    this.#cancelRefresh = undefined;
    const responders = [...this.#responders.values()];
    this.#responders.clear();
    this.#service = undefined;
    this.#names = undefined;
    this.#conflicts = [];
    this.#logged = undefined;
    await Promise.all(responders.map((responder) => responder.withdraw()));
    this.#deps.network.leave(this.#ears);
  }

  #open(link: NetworkLink): void {
    if (!this.#service) return;
    const { clock, random = Math.random } = this.#deps;
    const responder = new LinkResponder({
      link,
      clock,
      random,
      isOwnAddress: (address) => this.#isOwnAddress(address),
      onTaken: (name) => this.#rename(name),
      onAnnounced: () => this.#logNames(),
    });
    this.#responders.get(link)?.close();
    this.#responders.set(link, responder);
    responder.claim(this.#recordsFor(link));
  }

  #close(link: NetworkLink): void {
    this.#responders.get(link)?.close();
    this.#responders.delete(link);
  }

  #receive(packet: Buffer, sender: Destination, link: NetworkLink): void {
    const responder = this.#responders.get(link);
    if (!responder) return;
    const query = readQuery(packet);
    if (query) responder.receiveQuery(query, sender);
    else responder.receiveRecords(readResponse(packet) ?? []);
  }

  #recordsFor({ addresses, loopback }: NetworkLink) {
    const reported = addressesToAdvertise(addresses, loopback, this.#listensOn);
    return this.#service && this.#names ? this.#service.records(this.#names, reported) : [];
  }

  /** Another host has that name on one link: choose other names on all links. */
  #rename(taken: string): void {
    const service = this.#service;
    const before = this.#names;
    if (!service || !before) return;
    const isHost = nameKey(taken) === nameKey(before.host);
    if (isHost) this.#attempts.host += 1;
    else this.#attempts.instance += 1;
    const { instance, host } = service.names(this.#attempts.instance, this.#attempts.host);
    this.#names = service.names(this.#attempts.instance, this.#attempts.host);
    this.#throttle.once('renamed', (skipped) =>
      this.#logger.warn(
        isHost ? { taken: before.host, now: host, ...skipped } : { taken: before.instance, now: instance, ...skipped },
        `Another device advertises this name; the ${service.what} uses another one`,
      ),
    );
    const delayMs = this.#conflictDelay();
    for (const [link, responder] of this.#responders) {
      void responder.withdraw();
      responder.claim(this.#recordsFor(link), delayMs);
    }
  }

  #conflictDelay(): number | undefined {
    const now = this.#deps.clock.monotonic();
    this.#conflicts = [...this.#conflicts.filter((at) => now - at < CONFLICT_WINDOW_MS), now].slice(-MANY_CONFLICTS);
    return this.#conflicts.length >= MANY_CONFLICTS ? CONFLICT_WAIT_MS : undefined;
  }

  #isOwnAddress(address: string): boolean {
    return this.#deps.network.links().some(({ addresses }) => addresses.includes(address));
  }

  #logNames(): void {
    const name = this.#names?.instance;
    if (name === undefined || name === this.#logged) return;
    this.#logged = name;
    this.#logger.info({ name, host: this.#names?.host }, `The ${this.#service?.what} is advertised as ${name}`);
  }
}
