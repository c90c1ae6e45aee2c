/** One attempt to connect, from the first address tried until the device has proved that it is the one. */
import type { Clock } from '../../kernel/clock.ts';
import { type HostPort, labelOf } from './dial.ts';

/** How long an attempt has to come about once it seems to lead nowhere. */
const DOUBTFUL_MS = 1_000;

export class Attempt {
  readonly addresses: readonly HostPort[];
  readonly #clock: Clock;
  readonly #end = new AbortController();
  #cancelDoubt: (() => void) | undefined;

  constructor(clock: Clock, addresses: readonly HostPort[]) {
    this.#clock = clock;
    this.addresses = addresses;
  }

  /** Aborted when the attempt was given up. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  giveUp(): void {
    this.over();
    this.#end.abort();
  }

  /** It came about, or failed by itself. */
  over(): void {
    this.#cancelDoubt?.();
  }

  /** The device says that it is at this address: an attempt elsewhere is given up unless it comes about very soon. */
  doubt(address: HostPort): void {
    if (this.#cancelDoubt || this.addresses.some((tried) => labelOf(tried) === labelOf(address))) return;
    this.#cancelDoubt = this.#clock.after(DOUBTFUL_MS, () => this.giveUp());
  }
}
