/**
 * Loads the stored layout when the daemon starts, creates the first home, and deletes accessories that have been gone
 * for long. Must start before any driver reports.
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
import type { LastReachability } from './last-reachability.ts';
import { type LayoutStore, placeAccessory } from './layout-store.ts';
import type { References } from './references.ts';

const FIRST_HOME_NAME = 'My Home';

/** How long vanished and unpaired accessories are kept (decisions §2). */
const KEPT_MS = 30 * 24 * 60 * 60_000;

/** Delayed, because a machine without a battery-backed clock gets the time some minutes after its start. */
const FIRST_HOUSEKEEPING_MS = 60 * 60_000;
const HOUSEKEEPING_INTERVAL_MS = 24 * 60 * 60_000;

/** Used until its driver describes it. */
const NOT_DESCRIBED_YET = { services: [], virtual: null };

export class Layout implements Startable {
  readonly #store: LayoutStore;
  readonly #state: HomeState;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #references: References;
  readonly #lastReachability: Pick<LastReachability, 'wasReachable'>;
  #cancel: (() => void) | undefined;

  constructor(deps: {
    store: LayoutStore;
    state: HomeState;
    references: References;
    lastReachability: Pick<LastReachability, 'wasReachable'>;
    clock: Clock;
    logger: Logger;
  }) {
    this.#store = deps.store;
    this.#state = deps.state;
    this.#clock = deps.clock;
    this.#logger = deps.logger;
    this.#references = deps.references;
    this.#lastReachability = deps.lastReachability;
  }

  start(): void {
    if (this.#store.loadHomes().length === 0) this.restoreHome(newId(), FIRST_HOME_NAME);
    this.#state.restore({
      homes: this.#store.loadHomes(),
      rooms: this.#store.loadRooms(),
      accessories: this.#store.loadAccessories().map((stored) => ({
        ...placeAccessory(stored, NOT_DESCRIBED_YET),
        reachable: this.#lastReachability.wasReachable(stored.id),
      })),
    });
    this.#scheduleHousekeeping(FIRST_HOUSEKEEPING_MS);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /**
   * Creates a home with this id unless it exists: for pairings that outlived the database with their home. Call before
   * `start` if possible; `start` then does not create a first home.
   */
  restoreHome(id: string, name: string): Home {
    const known = this.#store.findHome(id);
    if (known) return known;
    const free = numberedName(name, this.#store.loadHomes());
    return createHomeWithRoom({ id, name: free }, this.#store, this.#state, this.#clock);
  }

  /**
   * Deletes accessories that vanished or were unpaired more than 30 days ago and that are not referenced (decisions
   * §2).
   */
  housekeeping(): void {
    const forgotten = this.#store.deleteGoneBefore(this.#clock.now() - KEPT_MS, this.#references.allUsed());
    this.#state.removeAccessories(forgotten);
  }

  #scheduleHousekeeping(delayMs: number): void {
    this.#cancel = this.#clock.after(delayMs, () => {
      try {
        this.housekeeping();
      } catch (error) {
        this.#logger.warn({ error: messageOf(error) }, 'Could not delete accessories that have been missing for long');
      }
      this.#scheduleHousekeeping(HOUSEKEEPING_INTERVAL_MS);
    });
  }
}
