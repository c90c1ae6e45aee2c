/**
 * Opens a TCP socket to the address of a device that answers first. Attempts start one after the other: 250 ms later,
 * or as soon as the previous one has failed (RFC 8305 §5). Pair-verify checks the identity of the peer.
 */
import { connect, isIP, type Socket } from 'node:net';
import type { Clock } from '../../../kernel/clock.ts';
import { messageOf } from '../../../kernel/errors.ts';

export interface HostPort {
  readonly host: string;
  readonly port: number;
}

export interface Dialed {
  readonly socket: Socket;
  readonly address: HostPort;
}

/** RFC 8305 §5: between the starts of two attempts. */
const STAGGER_MS = 250;
/** TCP keep-alive after this silence; Linux then probes once a second and gives up after ten. */
const KEEP_ALIVE_MS = 20_000;

/** Addresses that can be connected to. A link-local address requires its zone (`fe80::1%eth0`). */
export function dialable(addresses: readonly HostPort[]): readonly HostPort[] {
  return addresses.filter(({ host, port }) => {
    if (!Number.isInteger(port) || port < 1 || port > 65_535) return false;
    if (host === '' || host === '0.0.0.0' || host === '::') return false;
    return isIP(host) !== 6 || !/^fe[89ab]/i.test(host) || host.includes('%');
  });
}

/** The text form of an address, for comparison. */
export function labelOf({ host, port }: HostPort): string {
  return `${host} ${port}`;
}

/** Whether the best candidate differs from this address. */
export function hasMoved(address: HostPort, candidates: readonly HostPort[]): boolean {
  const [best] = dialable(candidates);
  return best !== undefined && labelOf(best) !== labelOf(address);
}

/** @throws an Error with one sentence if no address answers within the deadline, or when `signal` aborts */
export function dial(
  addresses: readonly HostPort[],
  options: { readonly clock: Clock; readonly deadlineMs: number; readonly signal?: AbortSignal | undefined },
): Promise<Dialed> {
  return new Promise((resolve, reject) => new AddressDialer(addresses, options, resolve, reject).start());
}

class AddressDialer {
  readonly #left: HostPort[];
  readonly #options: Parameters<typeof dial>[1];
  readonly #resolve: (dialed: Dialed) => void;
  readonly #reject: (error: Error) => void;
  readonly #open = new Set<Socket>();
  readonly #abort = (): void => this.#fail('The attempt was given up');
  #cancelStagger: () => void = () => {};
  #cancelDeadline: () => void = () => {};
  #lastFault = 'The device has no address that can be tried';
  #done = false;

  constructor(
    addresses: readonly HostPort[],
    options: Parameters<typeof dial>[1],
    resolve: (dialed: Dialed) => void,
    reject: (error: Error) => void,
  ) {
    this.#left = [...dialable(addresses)];
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  start(): void {
    const { clock, deadlineMs, signal } = this.#options;
    if (signal?.aborted) {
      this.#abort();
      return;
    }
    signal?.addEventListener('abort', this.#abort);
    const seconds = Math.round(deadlineMs / 1000);
    this.#cancelDeadline = clock.after(deadlineMs, () =>
      this.#fail(`The device did not accept a connection within ${seconds} s`),
    );
    this.#next();
  }

  #next(): void {
    this.#cancelStagger();
    if (this.#done) return;
    const address = this.#left.shift();
    if (!address) {
      if (this.#open.size === 0) this.#fail(this.#lastFault);
      return;
    }
    const socket = connect({ ...address, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS });
    this.#open.add(socket);
    socket.once('connect', () => this.#win({ socket, address }));
    // For the socket's whole life: an error without a listener would end the process.
    socket.on('error', (error) => {
      if (!this.#open.delete(socket) || this.#done) return;
      this.#lastFault = `${address.host}:${address.port} can't be reached (${messageOf(error)})`;
      this.#next();
    });
    this.#cancelStagger = this.#options.clock.after(STAGGER_MS, () => this.#next());
  }

  #win(dialed: Dialed): void {
    if (this.#done) return;
    this.#open.delete(dialed.socket);
    this.#finish();
    this.#resolve(dialed);
  }

  #fail(sentence: string): void {
    if (this.#done) return;
    this.#finish();
    this.#reject(new Error(sentence));
  }

  #finish(): void {
    this.#done = true;
    this.#cancelStagger();
    this.#cancelDeadline();
    this.#options.signal?.removeEventListener('abort', this.#abort);
    for (const socket of this.#open) socket.destroy();
  }
}
