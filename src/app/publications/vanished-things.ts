/** Accessories that their own bridge lost. They stay published for a while: bridges forget theirs when they restart. */
import type { Clock } from '../../kernel/clock.ts';
import type { Thing } from './thing.ts';

const KEPT_MS = 60 * 60_000;

export class VanishedThings {
  readonly #clock: Clock;
  /** When each is to go, in monotonic time. */
  readonly #goneAt = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether it has been away for too long. */
  isGone(thing: Thing): boolean {
    const vanishedAt = thing.kind === 'accessory' ? thing.accessory.vanishedAt : null;
    if (vanishedAt === null) {
      this.#goneAt.delete(thing.key);
      return false;
    }
    const now = this.#clock.monotonic();
    // The wall clock counts once: it may jump by days on a machine that starts without the time.
    const goneAt = this.#goneAt.get(thing.key) ?? now + KEPT_MS - Math.max(0, this.#clock.now() - vanishedAt);
    this.#goneAt.set(thing.key, goneAt);
    return now >= goneAt;
  }

  /** Milliseconds until the next one is to go; `undefined` if none is. */
  nextIn(): number | undefined {
    const now = this.#clock.monotonic();
    const left = [...this.#goneAt.values()].map((at) => at - now).filter((delay) => delay > 0);
    return left.length > 0 ? Math.min(...left) : undefined;
  }
}
