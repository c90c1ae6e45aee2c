/**
 * What a dry run may take, and how it makes way for everything else: between two moments, and after some steps of one, the event loop
 * turns. Whatever is too much ends it with a sentence that says so.
 */
import type { Clock } from '../../../kernel/clock.ts';

/** Runs, those that were refused too. */
export const MOST_RUNS = 1_000;
/** Actions carried out and triggers fired. */
export const MOST_STEPS = 100_000;
/** How long it may work. */
export const LONGEST_WORK_MS = 5_000;
/** Of what is told of it, in bytes of JSON. */
export const MOST_TOLD_BYTES = 8 * 1024 * 1024;

/** Steps in one turn of the event loop: some milliseconds. */
const STEPS_A_TURN = 50;
/** Looks of the engine at itself, which cost next to nothing. */
const LOOKS_A_TURN = 1_000;

export class Pace {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #startedAt: number;
  #steps = 0;
  #looks = 0;
  #runs = 0;
  #bytes = 0;
  /** Actions in this turn of the event loop. */
  #inTurn = 0;
  /** Actions that wait for their turn, in the order in which they came. */
  readonly #waiting: (() => void)[] = [];
  #stopped: string | null = null;

  /** @param clock the real one */
  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    this.#startedAt = clock.monotonic();
  }

  /** Why it had to end; `null` while it may go on. */
  get stopped(): string | null {
    return this.#stopped;
  }

  /** An action or a firing. @returns whether it may be */
  takeStep(): boolean {
    this.#steps += 1;
    if (this.#steps > MOST_STEPS) this.#stop(`${MOST_STEPS.toLocaleString('en')} steps are the most`);
    return this.#stopped === null;
  }

  takeRun(): void {
    this.#runs += 1;
    if (this.#runs >= MOST_RUNS) this.#stop(`${MOST_RUNS.toLocaleString('en')} runs are the most`);
  }

  takeBytes(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > MOST_TOLD_BYTES) this.#stop('there is more to tell than 8 MiB');
  }

  /** To be waited for before an action goes on; nothing where it may do so at once. Never comes to an end once all is over. */
  pause(): Promise<void> | undefined {
    this.#inTurn += 1;
    if (this.#stopped === null && this.#inTurn <= STEPS_A_TURN) return undefined;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Lets everything come to where it waits for time to go by, so much in each turn of the event loop. */
  async settle(): Promise<void> {
    for (;;) {
      await turn();
      this.#checkTime();
      this.#inTurn = 0;
      if (this.#stopped !== null || this.#waiting.length === 0) return;
      for (const goOn of this.#waiting.splice(0, STEPS_A_TURN)) goOn();
    }
  }

  /** The same after a look of the engine at itself, of which nothing comes. */
  async settleLook(): Promise<void> {
    this.#looks += 1;
    if (this.#looks % LOOKS_A_TURN === 0) await this.settle();
  }

  #checkTime(): void {
    if (this.#clock.monotonic() - this.#startedAt <= LONGEST_WORK_MS) return;
    this.#stop(`${LONGEST_WORK_MS / 1_000} seconds of work are the most`);
  }

  #stop(reason: string): void {
    this.#stopped ??= `The dry run was ended before its time: ${reason}.`;
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
