/**
 * Which run is behind what an accessory does: told before anything is sent to it, and asked when it changes. A device answers, and
 * reports what it did, a moment after the write; what it does later than that is its own doing. Memory only.
 */
import type { Clock } from '../../../kernel/clock.ts';
import type { Caller } from '../../access/caller.ts';
import { type Cause, NO_CAUSE } from '../program.ts';

/** How long after a write has settled a change is put down to it: a device that was polled or moves slowly reports late. */
const AFTERMATH_MS = 5_000;

interface Written {
  readonly cause: Cause;
  /** Monotonic; `null` while the write is under way. */
  until: number | null;
}

export class Causes {
  readonly #clock: Clock;
  /** What led to the runs that are under way, this automation included, by run. */
  readonly #runs = new Map<string, Cause>();
  readonly #written = new Map<string, Written>();

  constructor(parts: { clock: Clock }) {
    this.#clock = parts.clock;
  }

  /** What led to what this accessory does now: the run that wrote to it in the last seconds, else nothing of ours. */
  of(accessoryId: string): Cause {
    const written = this.#written.get(accessoryId);
    if (!written) return NO_CAUSE;
    if (written.until === null || written.until >= this.#clock.monotonic()) return written.cause;
    this.#written.delete(accessoryId);
    return NO_CAUSE;
  }

  /** A run begins; from now on what it writes is known as its own. */
  begin(runId: string, cause: Cause): void {
    this.#runs.set(runId, cause);
  }

  end(runId: string): void {
    this.#runs.delete(runId);
  }

  /**
   * Somebody is about to write to accessories. A person who does takes over from the automation that did before.
   * @returns to be called when the write has settled
   */
  readonly onWrite = (caller: Caller, accessoryIds: readonly string[]): (() => void) => {
    const cause = caller.principal.kind === 'automation' ? this.#runs.get(caller.requestId) : undefined;
    if (!cause) {
      for (const id of accessoryIds) this.#written.delete(id);
      return () => {};
    }
    const written: Written = { cause, until: null };
    for (const id of accessoryIds) this.#written.set(id, written);
    return () => {
      written.until = this.#clock.monotonic() + AFTERMATH_MS;
    };
  };
}
