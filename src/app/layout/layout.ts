/**
 * Loads the stored layout when the daemon starts, creates the first home, and deletes accessories that have been gone
 * for long. Must start before any driver reports.
 */
import type { HomeDeps } from '../../home/home-deps.ts';
import type { Home } from '../../home/model.ts';
import { numberedName } from '../../home/names.ts';
import { messageOf } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
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

interface LayoutDeps extends HomeDeps<'state' | 'clock' | 'logger'> {
  readonly store: LayoutStore;
  readonly references: References;
  readonly lastReachability: Pick<LastReachability, 'wasReachable'>;
}

export class Layout implements Startable {
  readonly #deps: LayoutDeps;
  #cancel: (() => void) | undefined;

  constructor(deps: LayoutDeps) {
    this.#deps = deps;
  }

  start(): void {
    if (this.#deps.store.loadHomes().length === 0) this.restoreHome(newId(), FIRST_HOME_NAME);
    this.#deps.state.restore({
      homes: this.#deps.store.loadHomes(),
      rooms: this.#deps.store.loadRooms(),
      accessories: this.#deps.store.loadAccessories().map((stored) => ({
        ...placeAccessory(stored, NOT_DESCRIBED_YET),
        reachable: this.#deps.lastReachability.wasReachable(stored.id),
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
    const known = this.#deps.store.findHome(id);
    if (known) return known;
    const free = numberedName(name, this.#deps.store.loadHomes());
    return createHomeWithRoom({ id, name: free }, this.#deps.store, this.#deps.state, this.#deps.clock);
  }

  /**
   * Deletes accessories that vanished or were unpaired more than 30 days ago and that are not referenced (decisions
   * §2).
   */
  housekeeping(): void {
    const forgotten = this.#deps.store.deleteGoneBefore(
      this.#deps.clock.now() - KEPT_MS,
      this.#deps.references.allUsed(),
    );
    this.#deps.state.removeAccessories(forgotten);
  }

  #scheduleHousekeeping(delayMs: number): void {
    this.#cancel = this.#deps.clock.after(delayMs, () => {
      try {
        this.housekeeping();
      } catch (error) {
        this.#deps.logger.warn(
          { error: messageOf(error) },
          'Could not delete accessories that have been missing for long',
        );
      }
      this.#scheduleHousekeeping(HOUSEKEEPING_INTERVAL_MS);
    });
  }
}
