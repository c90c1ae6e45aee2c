/** When each running timer is due, by the source of its accessory. What becomes of the timers is the driver's business. */
import type { WallTimers } from '../../kernel/wall-timers.ts';

interface Entry {
  dueAt: number;
  readonly cancel: () => void;
}

export interface TimerDeadlinesParts {
  readonly timers: WallTimers;
  /** One is due, and perhaps others with it: `dueBy` says which. */
  readonly onDue: (now: number) => void;
  /** The clock was set back by so many milliseconds, and the deadline of this one went along. */
  readonly onMoved: (source: string, byMs: number) => void;
  /** After all of them have. @param byMs negative */
  readonly onAllMoved: (byMs: number) => void;
}

export class TimerDeadlines {
  readonly #parts: TimerDeadlinesParts;
  readonly #entries = new Map<string, Entry>();
  #unsubscribe: (() => void) | undefined;

  constructor(parts: TimerDeadlinesParts) {
    this.#parts = parts;
  }

  /** @param dueAt milliseconds since the epoch; `null`: it does not run. */
  set(source: string, dueAt: number | null): void {
    if (dueAt === (this.#entries.get(source)?.dueAt ?? null)) return;
    this.delete(source);
    if (dueAt === null) return;
    const { timers, onDue, onAllMoved } = this.#parts;
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

  /** The earliest first. */
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
    this.#parts.onMoved(source, byMs);
  }
}
