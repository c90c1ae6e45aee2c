/**
 * The decisions and steps of one run, so that the run can be replayed after a restart without doing anything twice.
 *
 * While a run does not wait, nothing is written. After `keep`, the results of earlier steps are written before an
 * external action begins, together with the mark that it has begun. After a kill the journal therefore holds a prefix
 * of what happened, and only the step in progress is uncertain.
 *
 * If the disk fails, entries wait in memory; the run continues.
 */
import { HearthError } from '../../../kernel/errors.ts';
import type { Json } from '../../../kernel/json.ts';
import type { RunStart, RunStore, StoredRun } from './run-store.ts';

export class Journal {
  readonly #runId: string;
  readonly #beginning: { readonly start: RunStart; readonly startedAt: number };
  readonly #store: RunStore;
  /** Entries that a run from before the restart left. */
  readonly #known: ReadonlyMap<string, Json>;
  /** Not written yet. */
  readonly #pending = new Map<string, object | null>();
  /** Steps in progress that must not be repeated. */
  readonly #underWay = new Set<string>();
  #isKept: boolean;
  #isStored: boolean;
  #isOver = false;
  #isSuspended = false;
  #order = 0;

  constructor(deps: {
    runId: string;
    start: RunStart;
    startedAt: number;
    store: RunStore;
    stored?: StoredRun | undefined;
  }) {
    this.#runId = deps.runId;
    this.#beginning = { start: deps.start, startedAt: deps.startedAt };
    this.#store = deps.store;
    this.#known = deps.stored?.steps ?? new Map();
    this.#isKept = deps.stored !== undefined;
    this.#isStored = deps.stored !== undefined;
    for (const entry of this.#known.values()) {
      const order = (entry as { readonly order?: unknown } | null)?.order;
      if (typeof order === 'number') this.#order = Math.max(this.#order, order);
    }
  }

  /** The next position in the order of all entries of this run, including those from before a restart. */
  nextOrder(): number {
    this.#order += 1;
    return this.#order;
  }

  /** Whether the run is persisted. */
  get isKept(): boolean {
    return this.#isKept;
  }

  /** The entry stored under this key before the restart. */
  find<T>(key: string): T | undefined {
    return (this.#known.get(key) as T | null | undefined) ?? undefined;
  }

  /** Whether the step began before the restart without a recorded end. */
  wasBegun(key: string): boolean {
    return this.#known.get(key) === null;
  }

  /** Whether the run was waiting when it was interrupted. */
  get wasWaiting(): boolean {
    return [...this.#known.values()].some((entry) => {
      const wait = entry as { readonly dueAt?: unknown; readonly over?: unknown } | null;
      return wait?.dueAt !== undefined && wait.over === undefined;
    });
  }

  /** The latest time in the entries from before the restart, milliseconds since the epoch. */
  lastKnownAt(): number {
    let last = this.#beginning.startedAt;
    for (const entry of this.#known.values()) {
      const at = (entry as { readonly at?: unknown } | null)?.at;
      if (typeof at === 'number' && at > last) last = at;
    }
    return last;
  }

  /** Written with the next write. */
  note(key: string, entry: object): void {
    if (this.#isOver) return;
    this.#pending.set(key, entry);
    this.#underWay.delete(key);
  }

  /** Records that a step that must not be repeated is about to begin. */
  begin(key: string): void {
    this.#underWay.add(key);
    this.#pending.set(key, null);
    this.flush();
  }

  /** Persists the run, including everything it did so far. */
  keep(): void {
    this.#isKept = true;
    this.flush();
  }

  /**
   * Writes the pending entries. Within a caller's transaction, which may roll back, the entries also stay pending and
   * are written again with the next step.
   * @returns whether everything is written
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

  /** Adds pending entries to an open transaction. */
  join(): void {
    if (this.#store.isInTransaction) this.flush();
  }

  /**
   * Writes the effects of `work` and its entries together or not at all. @throws what it throws ·
   * `storage_unavailable`
   */
  atomically<T>(work: () => T): T {
    this.flush();
    // If the disk fails, the run continues; its effects are not persisted in any case.
    if (!this.#isStored) return work();
    const result = this.#store.transaction(() => {
      const done = work();
      if (!this.flush()) throw new HearthError('storage_unavailable', 'The step can’t be saved and was not done.');
      return done;
    });
    this.#pending.clear();
    return result;
  }

  /** The run has ended: nothing is repeated. */
  end(): void {
    this.#isOver = true;
    this.#pending.clear();
    if (this.#isKept) this.#store.delete(this.#runId);
  }

  get isSuspended(): boolean {
    return this.#isSuspended;
  }

  /** The daemon stops: stored entries stay as they are; steps in progress no longer change them. */
  suspend(): void {
    this.flush();
    this.#isOver = true;
    this.#isSuspended = true;
  }
}
