/** The deadline of each running timer, by the source of its accessory. The driver decides what follows a deadline. */
import type { WallTimers } from '../../kernel/wall-timers.ts';

interface Entry {
  dueAt: number;
  readonly cancel: () => void;
}

export interface TimerDeadlinesDeps {
  readonly timers: WallTimers;
  /** A deadline has passed, perhaps several: `dueBy` lists them. */
  readonly onDue: (now: number) => void;
  /** The clock was set back by `byMs`, and the deadline of this source moved with it. */
  readonly onMoved: (source: string, byMs: number) => void;
  /** Called after all deadlines have moved. @param byMs negative */
  readonly onAllMoved: (byMs: number) => void;
}

export class TimerDeadlines {
  readonly #deps: TimerDeadlinesDeps;
  readonly #entries = new Map<string, Entry>();
  #unsubscribe: (() => void) | undefined;

  constructor(deps: TimerDeadlinesDeps) {
    this.#deps = deps;
  }

  /** @param dueAt milliseconds since the epoch; `null`: the timer does not run */
  set(source: string, dueAt: number | null): void {
    if (dueAt === (this.#entries.get(source)?.dueAt ?? null)) return;
    this.delete(source);
    if (dueAt === null) return;
    const { timers, onDue, onAllMoved } = this.#deps;
    this.#unsubscribe ??= timers.onJump((byMs) => onAllMoved(byMs));
    const cancel = timers.set(dueAt, {
      due: (now) => onDue(now),
      moved: (movedTo) => this.#move(source, movedTo),
    });
    this.#entries.set(source, { dueAt, cancel });
  }

  delete(source: string): void {
    this.#entries.get(source)?.cancel();
    this.#entries.delete(source);
    if (this.#entries.size > 0) return;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  clear(): void {
    for (const source of [...this.#entries.keys()]) this.delete(source);
  }

  /** Sources that are due, the earliest first. */
  dueBy(now: number): readonly string[] {
    return [...this.#entries]
      .filter(([, { dueAt }]) => dueAt <= now)
      .sort(([, a], [, b]) => a.dueAt - b.dueAt)
      .map(([source]) => source);
  }

  #move(source: string, dueAt: number): void {
    const entry = this.#entries.get(source);
    if (!entry) return;
    const byMs = entry.dueAt - dueAt;
    entry.dueAt = dueAt;
    this.#deps.onMoved(source, byMs);
  }
}
