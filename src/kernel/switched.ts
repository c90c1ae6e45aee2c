import type { Startable } from './lifecycle.ts';

/** A part that runs while something is wanted: started and stopped one after the other, however quickly that changes. */
export class Switched implements Startable {
  readonly #part: Startable;
  readonly #isWanted: () => boolean;
  #change: Promise<void> = Promise.resolve();
  #isStarted = false;
  #isOn = false;

  constructor(part: Startable, isWanted: () => boolean) {
    this.#part = part;
    this.#isWanted = isWanted;
  }

  start(): Promise<void> {
    this.#isStarted = true;
    return this.follow();
  }

  stop(): Promise<void> {
    this.#isStarted = false;
    return this.follow();
  }

  /** Whether it is wanted may have changed. Resolves once the part is as wanted. @throws what the part fails with */
  follow(): Promise<void> {
    const change = this.#change.then(async () => {
      const isWanted = this.#isStarted && this.#isWanted();
      if (isWanted === this.#isOn) return;
      // One that could not start is not on, and is tried again with the next change.
      if (!isWanted) this.#isOn = false;
      await (isWanted ? this.#part.start() : this.#part.stop());
      this.#isOn = isWanted;
    });
    this.#change = change.catch(() => {});
    return change;
  }
}
