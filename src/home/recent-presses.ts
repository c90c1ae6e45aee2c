import type { Clock } from '../kernel/clock.ts';
import type { HapId } from './model.ts';

/** A button or doorbell event: 0 single, 1 double, 2 long press. */
export interface Press {
  readonly value: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** How long a press stays visible (decisions §3). */
const SHOWN_MS = 10_000;

const NONE: ReadonlyMap<HapId, Press> = new Map();

/**
 * Presses of the last ten seconds. They expire by the monotonic clock, so a change of the wall clock neither shortens
 * nor extends them.
 */
export class RecentPresses {
  readonly #clock: Clock;
  readonly #presses = new Map<string, Map<HapId, Press>>();
  /** All presses that have not expired, oldest first. */
  #queue: { accessoryId: string; iid: HapId; press: Press; until: number }[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The last press of each button of an accessory, as of the last `expire`. */
  of(accessoryId: string): ReadonlyMap<HapId, Press> {
    return this.#presses.get(accessoryId) ?? NONE;
  }

  add(accessoryId: string, iid: HapId, press: Press): void {
    this.expire();
    let presses = this.#presses.get(accessoryId);
    if (!presses) {
      presses = new Map();
      this.#presses.set(accessoryId, presses);
    }
    presses.set(iid, press);
    this.#queue.push({ accessoryId, iid, press, until: this.#clock.monotonic() + SHOWN_MS });
  }

  /** Drops presses older than ten seconds. @returns whether a visible press expired. */
  expire(): boolean {
    const [oldest] = this.#queue;
    if (!oldest) return false;
    const now = this.#clock.monotonic();
    if (oldest.until > now) return false;
    const firstFresh = this.#queue.findIndex(({ until }) => until > now);
    const expired = this.#queue.splice(0, firstFresh < 0 ? this.#queue.length : firstFresh);
    let visible = false;
    for (const { accessoryId, iid, press } of expired) {
      const presses = this.#presses.get(accessoryId);
      // A newer press of the same button has replaced it.
      if (presses?.get(iid) !== press) continue;
      presses.delete(iid);
      if (presses.size === 0) this.#presses.delete(accessoryId);
      visible = true;
    }
    return visible;
  }

  forget(accessoryId: string): void {
    this.#presses.delete(accessoryId);
    this.#queue = this.#queue.filter((entry) => entry.accessoryId !== accessoryId);
  }
}
