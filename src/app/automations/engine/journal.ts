/**
 * What one run has decided and done, so that it can be run again after a restart without doing anything twice.
 *
 * While a run never waits, nothing of this is written. From `keep` on it is: what a step left is written before anything that
 * reaches outside the run is begun, together with the mark that it is begun. So what is found after a kill is always a beginning
 * of what happened, and at most the step that was under way is unsure.
 *
 * A disk that fails makes what is noted wait here; the run goes on.
 */
import { HearthError } from '../../../kernel/errors.ts';
import type { Json } from '../flow.ts';
import type { RunStart, RunStore, StoredRun } from './run-store.ts';

export class Journal {
  readonly #runId: string;
  readonly #beginning: { readonly start: RunStart; readonly startedAt: number };
  readonly #store: RunStore;
  /** What a run of before the restart left. */
  readonly #known: ReadonlyMap<string, Json>;
  /** Not written yet. */
  readonly #pending = new Map<string, Json>();
  /** Steps that are under way and must not be done twice. */
  readonly #underWay = new Set<string>();
  #isKept: boolean;
  #isStored: boolean;
  #isOver = false;
  #isSuspended = false;
  #order = 0;

  constructor(parts: {
    runId: string;
    start: RunStart;
    startedAt: number;
    store: RunStore;
    stored?: StoredRun | undefined;
  }) {
    this.#runId = parts.runId;
    this.#beginning = { start: parts.start, startedAt: parts.startedAt };
    this.#store = parts.store;
    this.#known = parts.stored?.steps ?? new Map();
    this.#isKept = parts.stored !== undefined;
    this.#isStored = parts.stored !== undefined;
    for (const entry of this.#known.values()) {
      const order = (entry as { readonly order?: unknown } | null)?.order;
      if (typeof order === 'number') this.#order = Math.max(this.#order, order);
    }
  }

  /** The place of what is left now in the order of all that steps of this run leave, those of before a restart included. */
  nextOrder(): number {
    this.#order += 1;
    return this.#order;
  }

  /** Whether the run is to survive a restart. */
  get isKept(): boolean {
    return this.#isKept;
  }

  /** What was noted under this key before the restart. */
  find<T>(key: string): T | undefined {
    return (this.#known.get(key) as T | null | undefined) ?? undefined;
  }

  /** Whether the step was begun before the restart and not known to have ended. */
  wasBegun(key: string): boolean {
    return this.#known.get(key) === null;
  }

  /** Whether it was waiting for something when it was interrupted. */
  get wasWaiting(): boolean {
    return [...this.#known.values()].some((entry) => {
      const wait = entry as { readonly dueAt?: unknown; readonly over?: unknown } | null;
      return wait?.dueAt !== undefined && wait.over === undefined;
    });
  }

  /** The latest time that anything before the restart says, milliseconds since the epoch. */
  lastKnownAt(): number {
    let last = this.#beginning.startedAt;
    for (const entry of this.#known.values()) {
      const at = (entry as { readonly at?: unknown } | null)?.at;
      if (typeof at === 'number' && at > last) last = at;
    }
    return last;
  }

  /** Written with whatever is written next. */
  note(key: string, entry: NonNullable<Json>): void {
    if (this.#isOver) return;
    this.#pending.set(key, entry);
    this.#underWay.delete(key);
  }

  /** A step that must not be done twice is about to be begun. */
  begin(key: string): void {
    this.#underWay.add(key);
    this.#pending.set(key, null);
    this.flush();
  }

  /** From now on the run survives a restart, and with it all that it did so far. */
  keep(): void {
    this.#isKept = true;
    this.flush();
  }

  /**
   * In a transaction of somebody else's it is written as part of that, which may come to nothing: so it stays noted too, and is
   * written once more with the next step.
   * @returns whether all is written
   */
  flush(): boolean {
    if (!this.#isKept || this.#isOver) return false;
    if (this.#isStored && this.#pending.size === 0) return true;
    const isWritten = this.#store.save(this.#runId, this.#isStored ? null : this.#beginning, this.#pending);
    if (!isWritten || this.#store.isInTransaction) return isWritten;
    this.#isStored = true;
    this.#pending.clear();
    return true;
  }

  /** Where a transaction is open, what is noted becomes part of it. */
  join(): void {
    if (this.#store.isInTransaction) this.flush();
  }

  /** What `work` writes and what it notes are written together or not at all. @throws what it throws · `storage_unavailable` */
  atomically<T>(work: () => T): T {
    this.flush();
    // On a disk that fails the run goes on, and what it does is not remembered anyway.
    if (!this.#isStored) return work();
    const result = this.#store.transaction(() => {
      const done = work();
      if (!this.flush()) throw new HearthError('storage_unavailable', 'The step can’t be saved and was not done.');
      return done;
    });
    this.#pending.clear();
    return result;
  }

  /** The run is over: nothing of it is done again. */
  end(): void {
    this.#isOver = true;
    this.#pending.clear();
    if (this.#isKept) this.#store.delete(this.#runId);
  }

  get isSuspended(): boolean {
    return this.#isSuspended;
  }

  /** The daemon stops: what is kept stays as it is now, whatever the steps under way still do. */
  suspend(): void {
    this.flush();
    this.#isOver = true;
    this.#isSuspended = true;
  }
}
