/**
 * Limits concurrent requests to receivers. Each webhook has one request at a time, so only a home with very many
 * webhooks reaches the limit; waiting ones take turns.
 */
const MAX_CONCURRENT = 100;

export interface SlotUser {
  /** Called when a slot is free: call `take` again. */
  step(): void;
}

export class Semaphore {
  readonly #users = new Set<SlotUser>();
  readonly #waiting = new Set<SlotUser>();

  get busy(): number {
    return this.#users.size;
  }

  /** @returns whether a slot was free; if not, the user is called when one is. */
  take(user: SlotUser): boolean {
    if (this.#users.size >= MAX_CONCURRENT) {
      this.#waiting.add(user);
      return false;
    }
    this.#users.add(user);
    return true;
  }

  give(user: SlotUser): void {
    this.#users.delete(user);
    // A user that needs no slot any more takes none, and the next one gets its turn.
    for (const next of this.#waiting) {
      if (this.#users.size >= MAX_CONCURRENT) return;
      this.#waiting.delete(next);
      next.step();
    }
  }

  /** The user stops waiting. */
  leave(user: SlotUser): void {
    this.#waiting.delete(user);
  }
}
