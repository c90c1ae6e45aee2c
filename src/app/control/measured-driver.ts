import type { AccessoryDriver, DriverWrite, FailureReason, WriteOutcome } from '../../home/accessory-driver.ts';
import type { AccessoryAddress } from '../../home/model.ts';
import { isVirtualSource } from '../../home/virtual-driver.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Durations, Tally } from '../../kernel/tally.ts';

type Driver = Pick<AccessoryDriver, 'write' | 'identify'>;

/** The result of a write: `ok`, or the failure reason. */
type Result = 'ok' | FailureReason;

/**
 * Wraps the drivers and measures writes to devices: durations and results. Writes to virtual accessories take no time.
 */
export class MeasuredDriver implements Driver {
  /** From a request with any number of writes to the last answer of its devices. */
  readonly durations = new Durations();
  /** By result. */
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
    outcomes.forEach((outcome, at) => {
      if (isVirtualSource(writes[at]?.address.source ?? '')) return;
      toDevices = true;
      this.results.add(outcome.ok ? 'ok' : outcome.reason);
    });
    if (toDevices) this.durations.add(this.#clock.monotonic() - startedAt);
    return outcomes;
  }

  identify(address: AccessoryAddress): Promise<void> {
    return this.#driver.identify(address);
  }
}
