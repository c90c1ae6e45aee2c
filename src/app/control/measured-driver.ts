import type { AccessoryDriver, DriverWrite, FailureReason, WriteOutcome } from '../../home/accessory-driver.ts';
import type { AccessoryAddress } from '../../home/model.ts';
import { isVirtualSource } from '../../home/virtual-driver.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Durations, Tally } from '../../kernel/tally.ts';

type Driver = Pick<AccessoryDriver, 'write' | 'identify'>;

/** What became of a write: `ok`, or why not. */
type Result = 'ok' | FailureReason;

/** Stands before the drivers and counts: how long writes to devices take, and what becomes of them. Those to virtual accessories take no time. */
export class MeasuredDriver implements Driver {
  /** From a request of any number of writes to the last answer of its devices. */
  readonly durations = new Durations();
  /** By what became of them. */
  readonly results = new Tally<Result>(['ok', 'unreachable']);
  readonly #driver: Driver;
  readonly #clock: Clock;

  constructor({ driver, clock }: { readonly driver: Driver; readonly clock: Clock }) {
    this.#driver = driver;
    this.#clock = clock;
  }

  async write(writes: readonly DriverWrite[]): Promise<readonly WriteOutcome[]> {
    const startedAt = this.#clock.monotonic();
    const outcomes = await this.#driver.write(writes);
    let toDevices = false;
    for (const [at, outcome] of outcomes.entries()) {
      if (isVirtualSource(writes[at]?.address.source ?? '')) continue;
      toDevices = true;
      this.results.add(outcome.ok ? 'ok' : outcome.reason);
    }
    if (toDevices) this.durations.add(this.#clock.monotonic() - startedAt);
    return outcomes;
  }

  identify(address: AccessoryAddress): Promise<void> {
    return this.#driver.identify(address);
  }
}
