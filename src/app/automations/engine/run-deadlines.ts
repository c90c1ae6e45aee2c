/** All deadlines of one run, with one timer: that of the earliest deadline. */
import type { WallTimers } from '../../../kernel/wall-timers.ts';

export interface RunDeadline {
  /** @param dueAt the deadline, milliseconds since the epoch */
  due(now: number, dueAt: number): void;
  /** The wall clock was set back, and the deadline moved with it. */
  moved(dueAt: number): void;
}

interface Entry {
  dueAt: number;
  readonly deadline: RunDeadline;
}

export class RunDeadlines {
  readonly #timers: WallTimers;
  readonly #entries = new Set<Entry>();
  #armed: { dueAt: number; readonly cancel: () => void } | undefined;

  constructor(timers: WallTimers) {
    this.#timers = timers;
  }

  /** Never calls back before it has returned. @returns the function that cancels the deadline */
  add(dueAt: number, deadline: RunDeadline): () => void {
    const entry: Entry = { dueAt, deadline };
    this.#entries.add(entry);
    this.#arm();
    return () => {
      if (this.#entries.delete(entry)) this.#arm();
    };
  }

  #arm(): void {
    let earliest: Entry | undefined;
    for (const entry of this.#entries) if (!earliest || entry.dueAt < earliest.dueAt) earliest = entry;
    if (earliest?.dueAt === this.#armed?.dueAt) return;
    this.#armed?.cancel();
    this.#armed = undefined;
    if (!earliest) return;
    const { dueAt } = earliest;
    const cancel = this.#timers.set(dueAt, { due: (now) => this.#due(now), moved: (to) => this.#moved(to) });
    this.#armed = { dueAt, cancel };
  }

  #due(now: number): void {
    this.#armed = undefined;
    for (const entry of [...this.#entries]) {
      if (entry.dueAt > now || !this.#entries.delete(entry)) continue;
      entry.deadline.due(now, entry.dueAt);
    }
    this.#arm();
  }

  #moved(dueAt: number): void {
    if (!this.#armed) return;
    const by = dueAt - this.#armed.dueAt;
    this.#armed.dueAt = dueAt;
    for (const entry of this.#entries) {
      entry.dueAt += by;
      entry.deadline.moved(entry.dueAt);
    }
  }
}
