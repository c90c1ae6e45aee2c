/**
 * Which run is behind what an accessory does: told before anything is sent to it, and asked when it changes. A device answers, and
 * reports what it did, a moment after the write; what it does later than that is its own doing, and so is what the write did not
 * touch: that somebody turns a dimmer just now says nothing of the run that set its colour. Memory only.
 */
import type { Characteristic, HapId } from '../../../home/model.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { Caller } from '../../access/caller.ts';
import type { WriteTarget } from '../../control/write-plan.ts';
import { type Cause, NO_CAUSE } from '../program.ts';

/** How long after a write has settled a change is put down to it: a device that was polled or moves slowly reports late. */
const AFTERMATH_MS = 5_000;

/** What changed: of `state.changed`. */
interface Change {
  readonly accessoryId: string;
  readonly serviceIid: HapId;
  readonly iid: HapId;
}

/** By characteristic, and by service for what follows in it from a write. */
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

  /**
   * What led to a change: the run that wrote this characteristic in the last seconds, or for one that nobody can write, such as a
   * lock's current state, another one of its service; else nothing of ours.
   */
  of(change: Change, characteristic: Pick<Characteristic, 'permissions'> | undefined): Cause {
    const direct = this.#find(keyOf(change.accessoryId, change.iid));
    if (direct || characteristic?.permissions.includes('pw')) return direct ?? NO_CAUSE;
    return this.#find(keyOf(change.accessoryId, SERVICE + change.serviceIid)) ?? NO_CAUSE;
  }

  /** A run begins; from now on what it writes is known as its own. */
  begin(runId: string, cause: Cause): void {
    this.#runs.set(runId, cause);
  }

  end(runId: string): void {
    this.#runs.delete(runId);
  }

  /**
   * Somebody is about to write. A person who does takes over from the automation that did before.
   * @returns to be called when the write has settled
   */
  readonly onWrite = (caller: Caller, writes: readonly WriteTarget[]): (() => void) => {
    const cause = caller.principal.kind === 'automation' ? this.#runs.get(caller.requestId) : undefined;
    const keys = writes.flatMap(({ accessoryId, serviceIid, iid }) => [
      keyOf(accessoryId, iid),
      keyOf(accessoryId, SERVICE + serviceIid),
    ]);
    if (!cause) {
      for (const key of keys) this.#written.delete(key);
      return () => {};
    }
    const written: Written = { cause, until: null };
    for (const key of keys) this.#written.set(key, written);
    return () => {
      written.until = this.#clock.monotonic() + AFTERMATH_MS;
    };
  };

  #find(key: string): Cause | undefined {
    const written = this.#written.get(key);
    if (!written) return undefined;
    if (written.until === null || written.until >= this.#clock.monotonic()) return written.cause;
    this.#written.delete(key);
    return undefined;
  }
}

/** Services and characteristics of an accessory share one series of iids. */
const SERVICE = 's';

function keyOf(accessoryId: string, part: string): string {
  return `${accessoryId} ${part}`;
}
