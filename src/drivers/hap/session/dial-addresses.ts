import { dialable, type HostPort, labelOf } from '../wire/dial.ts';

/** The addresses of a device to try, and those at which another device answered in this round of attempts. */
export class DialAddresses {
  readonly #candidates: () => readonly HostPort[];
  readonly #wrongDevice = new Set<string>();

  /** @param candidates called at each attempt, best first */
  constructor(candidates: () => readonly HostPort[]) {
    this.#candidates = candidates;
  }

  /** An address where another device answered is used only if there is no other: that device may have left it. */
  list(): readonly HostPort[] {
    const known = dialable(this.#candidates());
    const own = known.filter((address) => !this.#isWrong(address));
    return own.length > 0 ? own : known;
  }

  /** Whether one of them may still lead to the right device. */
  get hasUntried(): boolean {
    return dialable(this.#candidates()).some((address) => !this.#isWrong(address));
  }

  wrongDeviceAt(address: HostPort): void {
    this.#wrongDevice.add(labelOf(address));
  }

  /** Each may lead to the right device again. */
  forgetWrong(): void {
    this.#wrongDevice.clear();
  }

  #isWrong(address: HostPort): boolean {
    return this.#wrongDevice.has(labelOf(address));
  }
}
