/** One connection attempt, from the first address until the device has proved its identity. */
import type { Clock } from '../../../kernel/clock.ts';
import { Connection, type ConnectionOptions } from '../wire/connection.ts';
import { type HostPort, labelOf } from '../wire/dial.ts';
import type { ConnectGate } from './connect-gate.ts';
import { type Ending, MOVED, REPLACED } from './session-ending.ts';

/** The time left for an attempt that is probably at the wrong address. */
const DOUBTFUL_MS = 1_000;

export class ConnectAttempt {
  readonly addresses: readonly HostPort[];
  readonly #clock: Clock;
  readonly #end = new AbortController();
  #cancelDoubt: (() => void) | undefined;
  #cancelHaste: (() => void) | undefined;
  /** When the attempt began or the device last answered, in monotonic time. */
  #progressAt: number;
  #ending: Ending = MOVED;

  constructor(clock: Clock, addresses: readonly HostPort[]) {
    this.#clock = clock;
    this.addresses = addresses;
    this.#progressAt = clock.monotonic();
  }

  /** Aborted when the attempt was given up. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** How the attempt ended, after `giveUp`. */
  get ending(): Ending {
    return this.#ending;
  }

  giveUp(ending: Ending = MOVED): void {
    this.over();
    this.#ending = ending;
    this.#end.abort();
  }

  /** The attempt succeeded, or failed by itself. */
  over(): void {
    this.#cancelDoubt?.();
    this.#cancelHaste?.();
  }

  /** A connection that opens after the attempt was given up is closed. @throws ConnectionError */
  async open(options: Omit<ConnectionOptions, 'clock' | 'signal'>): Promise<Connection> {
    const { signal } = this;
    const connection = await Connection.open(this.addresses, { ...options, clock: this.#clock, signal });
    signal.addEventListener('abort', () => connection.close());
    if (signal.aborted) connection.close();
    return connection;
  }

  /** Waits in our own queue, if there is one; the device is not at fault. */
  async queue<T>(gate: Pick<ConnectGate, 'run'> | undefined, work: () => Promise<T>): Promise<T> {
    const begin = (): Promise<T> => {
      this.progressed();
      return work();
    };
    this.#progressAt = Number.POSITIVE_INFINITY;
    this.#endHaste();
    return gate ? gate.run(begin) : begin();
  }

  /** The device answered, or a request to it begins now. */
  progressed(): void {
    this.#progressAt = this.#clock.monotonic();
    this.#endHaste();
  }

  #endHaste(): void {
    this.#cancelHaste?.();
    this.#cancelHaste = undefined;
  }

  /**
   * A command waits. An attempt without progress for `patienceMs` is replaced by a new one: on a link that was cut, TCP
   * retransmits ever more slowly, or never.
   * @param waitMs how long the command waits: a later replacement is of no use
   */
  hasten(patienceMs: number, waitMs: number): void {
    const leftMs = this.#progressAt + patienceMs - this.#clock.monotonic();
    if (this.#cancelHaste || leftMs > waitMs) return;
    this.#cancelHaste = this.#clock.after(Math.max(0, leftMs), () => this.giveUp(REPLACED));
  }

  /** The device announces this address: an attempt at another one is given up unless it succeeds very soon. */
  doubt(address: HostPort): void {
    if (this.#cancelDoubt || this.addresses.some((tried) => labelOf(tried) === labelOf(address))) return;
    this.#cancelDoubt = this.#clock.after(DOUBTFUL_MS, () => this.giveUp());
  }
}
