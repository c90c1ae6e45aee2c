/**
 * The layout's beginning: brings what is stored into memory when the daemon starts, makes the first home, and forgets what
 * has been gone for long. Must be started before any driver reports.
 */
import type { HomeState } from '../../home/home-state.ts';
import type { Home } from '../../home/model.ts';
import { numberedName } from '../../home/names.ts';
import type { Clock } from '../../kernel/clock.ts';
import { messageOf } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import type { Logger } from '../../kernel/logger.ts';
import { createHomeWithRoom } from './homes.ts';
import { type LayoutStore, placeAccessory } from './layout-store.ts';
import type { References } from './references.ts';

const FIRST_HOME_NAME = 'My Home';

/** How long vanished and unpaired accessories are remembered (decisions §2). */
const KEPT_MS = 30 * 24 * 60 * 60_000;

/** Not at once: a machine without a battery-backed clock learns the time some minutes after its start. */
const FIRST_HOUSEKEEPING_MS = 60 * 60_000;
const HOUSEKEEPING_INTERVAL_MS = 24 * 60 * 60_000;

/** Until its driver says what it is. */
const NOT_DESCRIBED_YET = { services: [], virtual: null };

export class Layout implements Startable {
  readonly #store: LayoutStore;
  readonly #state: HomeState;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #references: References;
  #cancel: (() => void) | undefined;

  constructor(parts: {
    store: LayoutStore;
    state: HomeState;
    references: References;
    clock: Clock;
    logger: Logger;
  }) {
    this.#store = parts.store;
    this.#state = parts.state;
    this.#clock = parts.clock;
    this.#logger = parts.logger;
    this.#references = parts.references;
  }

  start(): void {
    if (this.#store.loadHomes().length === 0) this.restoreHome(newId(), FIRST_HOME_NAME);
    this.#state.restore({
      homes: this.#store.loadHomes(),
      rooms: this.#store.loadRooms(),
      accessories: this.#store.loadAccessories().map((stored) => placeAccessory(stored, NOT_DESCRIBED_YET)),
    });
    this.#scheduleHousekeeping(FIRST_HOUSEKEEPING_MS);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /**
   * Makes a home of this very id unless there is one: for pairings that outlived the database in which their home was.
   * To be called before `start` where possible, which then makes no first home beside it.
   */
  restoreHome(id: string, name: string): Home {
    const known = this.#store.findHome(id);
    if (known) return known;
    const free = numberedName(name, this.#store.loadHomes());
    return createHomeWithRoom({ id, name: free }, this.#store, this.#state, this.#clock);
  }

  /** Forgets accessories that vanished or were unpaired more than 30 days ago and that nothing refers to (decisions §2). */
  housekeeping(): void {
    const forgotten = this.#store.deleteGoneBefore(this.#clock.now() - KEPT_MS, this.#references.allUsed());
    this.#state.removeAccessories(forgotten);
  }

  #scheduleHousekeeping(delayMs: number): void {
    this.#cancel = this.#clock.after(delayMs, () => {
      try {
        this.housekeeping();
      } catch (error) {
        this.#logger.warn({ error: messageOf(error) }, 'Accessories gone for long could not be forgotten');
      }
      this.#scheduleHousekeeping(HOUSEKEEPING_INTERVAL_MS);
    });
  }
}
