import type { Startable } from './lifecycle.ts';

/**
 * A component that runs while a condition holds. Starts and stops run one after the other, however quickly the
 * condition changes.
 */
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

  /** Re-checks the condition. Resolves once the component is in the wanted state. @throws the error of the component */
  follow(): Promise<void> {
    const change = this.#change.then(async () => {
      const isWanted = this.#isStarted && this.#isWanted();
      if (isWanted === this.#isOn) return;
      // A failed start leaves it off; the next change retries.
      if (!isWanted) this.#isOn = false;
      await (isWanted ? this.#part.start() : this.#part.stop());
      this.#isOn = isWanted;
    });
    this.#change = change.catch(() => {});
    return change;
  }
}
