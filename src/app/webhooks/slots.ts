/**
 * How many receivers are sent to at the same time. There is one request a webhook, so this is only met by whoever has very many of
 * them; those that wait take turns.
 */
const MOST_AT_ONCE = 100;

export interface SlotUser {
  /** There is a slot: ask for it again. */
  step(): void;
}

export class Slots {
  readonly #users = new Set<SlotUser>();
  readonly #waiting = new Set<SlotUser>();

  get busy(): number {
    return this.#users.size;
  }

  /** @returns whether there is one; where not, the user is called when there is. */
  take(user: SlotUser): boolean {
    if (this.#users.size >= MOST_AT_ONCE) {
      this.#waiting.add(user);
      return false;
    }
    this.#users.add(user);
    return true;
  }

  give(user: SlotUser): void {
    this.#users.delete(user);
    // Whoever wants none any more takes none, and then it is the next one's turn.
    for (const next of this.#waiting) {
      if (this.#users.size >= MOST_AT_ONCE) return;
      this.#waiting.delete(next);
      next.step();
    }
  }

  /** It wants none any more. */
  leave(user: SlotUser): void {
    this.#waiting.delete(user);
  }
}
