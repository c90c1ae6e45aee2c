/**
 * Finds the run that caused a change of an accessory, by its recent writes. Later changes are not attributed to the
 * run, nor are changes of characteristics that the write did not touch. For example, a person who dims a lamp now is
 * unrelated to the run that set its colour. Memory only.
 */
import type { Characteristic, HapId } from '../../home/model.ts';
import type { Clock } from '../../kernel/clock.ts';
import { type Caller, runOf } from '../access/caller.ts';
import { RecentWrites } from '../control/recent-writes.ts';
import type { WriteTarget } from '../control/write-plan.ts';
import { type Cause, NO_CAUSE } from './scope.ts';

/** The change: from `state.changed`. */
interface Change {
  readonly accessoryId: string;
  readonly serviceIid: HapId;
  readonly iid: HapId;
}

export class Causes {
  /** The causes of running runs, this automation included, by run. */
  readonly #runs = new Map<string, Cause>();
  readonly #writes: RecentWrites<Cause>;

  constructor(deps: { clock: Clock }) {
    this.#writes = new RecentWrites(deps);
  }

  /**
   * The cause of a change: the run that wrote this characteristic in the last seconds. For a read-only characteristic,
   * such as a lock's current state, the run that wrote another characteristic of its service. Otherwise none.
   */
  of({ accessoryId, serviceIid, iid }: Change, characteristic: Pick<Characteristic, 'permissions'> | undefined): Cause {
    const direct = this.#writes.of(accessoryId, iid);
    if (direct || characteristic?.permissions.includes('pw')) return direct ?? NO_CAUSE;
    return this.#writes.ofService(accessoryId, serviceIid) ?? NO_CAUSE;
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
    const runId = runOf(caller);
    return this.#writes.begin(writes, runId === null ? undefined : this.#runs.get(runId));
  };
}
