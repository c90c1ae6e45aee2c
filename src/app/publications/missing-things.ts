/** Accessories that controllers know and that are not described yet, as after a start without a cache of them. */
import type { Clock } from '../../kernel/clock.ts';
import type { Thing } from './thing.ts';
import type { VanishedThings } from './vanished-things.ts';

/** How long a bridge waits for them: controllers forget what is missing when it opens. */
const MISSING_MS = 30_000;

export class MissingThings {
  readonly #clock: Clock;
  readonly #vanished: VanishedThings;
  /** Until when it waits, in monotonic time. */
  #waitsUntil: number | undefined;

  constructor(clock: Clock, vanished: VanishedThings) {
    this.#clock = clock;
    this.#vanished = vanished;
  }

  /** Whether one of them may be described any moment. @param isKnown whether controllers know a thing */
  areAwaited(things: readonly Thing[], isKnown: (thing: Thing) => boolean): boolean {
    const now = this.#clock.monotonic();
    this.#waitsUntil ??= now + MISSING_MS;
    if (now >= this.#waitsUntil) return false;
    return things.some(
      (thing) =>
        thing.kind === 'accessory' &&
        thing.accessory.services.length === 0 &&
        !this.#vanished.isGone(thing) &&
        isKnown(thing),
    );
  }
}
