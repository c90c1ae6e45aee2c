/**
 * Routes each accessory to its driver: virtual accessories to one, devices to the other. Both drivers start by
 * themselves.
 */
import type { AccessoryDriver, DriverWrite, WriteOutcome } from '../home/accessory-driver.ts';
import type { AccessoryAddress } from '../home/model.ts';
import { isVirtualSource } from '../home/virtual-driver.ts';

type Driver = Pick<AccessoryDriver, 'write' | 'identify'>;

export class DriverRouter implements Driver {
  readonly #hap: Driver;
  readonly #virtual: Driver;

  constructor(deps: { hap: Driver; virtual: Driver }) {
    this.#hap = deps.hap;
    this.#virtual = deps.virtual;
  }

  /** Calls each driver once with its part, both in parallel. @returns one outcome per write, in the order given */
  write(writes: readonly DriverWrite[]): Promise<readonly WriteOutcome[]> {
    const [first] = writes;
    if (!first) return Promise.resolve([]);
    const isVirtual = isVirtualSource(first.address.source);
    const isMixed = writes.some(({ address }) => isVirtualSource(address.source) !== isVirtual);
    return isMixed ? this.#writeToBoth(writes) : (isVirtual ? this.#virtual : this.#hap).write(writes);
  }

  async #writeToBoth(writes: readonly DriverWrite[]): Promise<readonly WriteOutcome[]> {
    const [hap, virtual] = await Promise.all([
      this.#part(this.#hap, writes, false),
      this.#part(this.#virtual, writes, true),
    ]);
    return writes.map(({ address }) => {
      const next = (isVirtualSource(address.source) ? virtual : hap).next();
      if (next.done) throw new Error('A driver left a write without an outcome');
      return next.value;
    });
  }

  identify(address: AccessoryAddress): Promise<void> {
    return (isVirtualSource(address.source) ? this.#virtual : this.#hap).identify(address);
  }

  /** The outcomes of one driver's writes, in order. */
  async #part(driver: Driver, writes: readonly DriverWrite[], virtual: boolean): Promise<Iterator<WriteOutcome>> {
    const own = writes.filter(({ address }) => isVirtualSource(address.source) === virtual);
    return (await driver.write(own))[Symbol.iterator]();
  }
}
