/**
 * Finds the run that caused a change of an accessory. Each write is registered before it is sent, and each change is
 * looked up. A device responds to a write and reports the effect within a moment. Later changes are not attributed to
 * the run, nor are changes of characteristics that the write did not touch. For example, a person who dims a lamp now
 * is unrelated to the run that set its colour. Memory only.
 */
import type { Characteristic, HapId } from '../../home/model.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Caller } from '../access/caller.ts';
import type { WriteTarget } from '../control/write-plan.ts';
import { type Cause, NO_CAUSE } from './scope.ts';

/** How long after a settled write a change is attributed to it. Polled or slow devices report late. */
const AFTERMATH_MS = 5_000;

/** The change: from `state.changed`. */
interface Change {
  readonly accessoryId: string;
  readonly serviceIid: HapId;
  readonly iid: HapId;
}

/** Writes by characteristic, and by service for its dependent characteristics. */
interface Written {
  readonly cause: Cause;
  /** Monotonic; `null` while the write is in progress. */
  until: number | null;
}

export class Causes {
  readonly #clock: Clock;
  /** The causes of running runs, this automation included, by run. */
  readonly #runs = new Map<string, Cause>();
  readonly #written = new Map<string, Written>();

  constructor(deps: { clock: Clock }) {
    this.#clock = deps.clock;
  }

  /**
   * The cause of a change: the run that wrote this characteristic in the last seconds. For a read-only characteristic,
   * such as a lock's current state, the run that wrote another characteristic of its service. Otherwise none.
   */
  of(change: Change, characteristic: Pick<Characteristic, 'permissions'> | undefined): Cause {
    const direct = this.#find(keyOf(change.accessoryId, change.iid));
    if (direct || characteristic?.permissions.includes('pw')) return direct ?? NO_CAUSE;
    return this.#find(keyOf(change.accessoryId, SERVICE + change.serviceIid)) ?? NO_CAUSE;
  }

  /** A run begins; its writes are attributed to it from now on. */
  begin(runId: string, cause: Cause): void {
    this.#runs.set(runId, cause);
  }

  end(runId: string): void {
    this.#runs.delete(runId);
  }

  /**
   * A write is about to start. A write by a person replaces the attribution to the automation before it.
   * @returns the callback for when the write has settled
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
