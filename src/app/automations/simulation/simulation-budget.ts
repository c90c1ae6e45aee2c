/**
 * Limits a dry run, and yields to other work: the event loop turns between two moments, and after some steps of one.
 * Exceeding a limit ends the dry run with a message.
 */
import type { Clock } from '../../../kernel/clock.ts';

/** Runs, including refused ones. */
export const MAX_RUNS = 1_000;
/** Executed actions and fired triggers. */
export const MAX_STEPS = 100_000;
/** The maximum working time. */
export const MAX_WORK_MS = 5_000;
/** The size of its report, in bytes of JSON. */
export const MAX_NOTIFIED_BYTES = 8 * 1024 * 1024;

/** Steps in one turn of the event loop: some milliseconds. */
const STEPS_A_TURN = 50;
/** Periodic checks of the engine, which cost next to nothing. */
const LOOKS_A_TURN = 1_000;

export class SimulationBudget {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #startedAt: number;
  #steps = 0;
  #looks = 0;
  #runs = 0;
  #bytes = 0;
  /** Actions in this turn of the event loop. */
  #inTurn = 0;
  /** Actions that wait for the next turn, in order of arrival. */
  readonly #waiting: (() => void)[] = [];
  #stopped: string | null = null;

  /** @param clock the real one */
  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    this.#startedAt = clock.monotonic();
  }

  /** Why it was stopped; `null` while it may continue. */
  get stopped(): string | null {
    return this.#stopped;
  }

  /** Counts an action or a firing. @returns whether the limit allows it */
  takeStep(): boolean {
    this.#steps += 1;
    if (this.#steps > MAX_STEPS) this.#stop(`${MAX_STEPS.toLocaleString('en')} steps are the most`);
    return this.#stopped === null;
  }

  takeRun(): void {
    this.#runs += 1;
    if (this.#runs >= MAX_RUNS) this.#stop(`${MAX_RUNS.toLocaleString('en')} runs are the most`);
  }

  takeBytes(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > MAX_NOTIFIED_BYTES) this.#stop('the notifications exceed 8 MiB');
  }

  /**
   * The wait before an action continues; nothing if it may continue at once. Never resolves after the dry run was
   * stopped.
   */
  pause(): Promise<void> | undefined {
    this.#inTurn += 1;
    if (this.#stopped === null && this.#inTurn <= STEPS_A_TURN) return undefined;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Lets all code run until it waits for time to pass, in bounded portions per turn of the event loop. */
  async settle(): Promise<void> {
    for (;;) {
      await turn();
      this.#checkTime();
      this.#inTurn = 0;
      if (this.#stopped !== null || this.#waiting.length === 0) return;
      for (const goOn of this.#waiting.splice(0, STEPS_A_TURN)) goOn();
    }
  }

  /** The same after a periodic check of the engine, which has no effects. */
  async settleLook(): Promise<void> {
    this.#looks += 1;
    if (this.#looks % LOOKS_A_TURN === 0) await this.settle();
  }

  #checkTime(): void {
    if (this.#clock.monotonic() - this.#startedAt <= MAX_WORK_MS) return;
    this.#stop(`${MAX_WORK_MS / 1_000} seconds of work are the most`);
  }

  #stop(reason: string): void {
    this.#stopped ??= `The dry run was ended before its time: ${reason}.`;
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
