import type { BridgeControllers, PairedController } from '../../../home/publication-port.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { BridgeStore, StoredController } from './bridge-store.ts';

/** A controller's last contact is written that often at most, so that an SD card lasts. */
const SEEN_MS = 10 * 60_000;

interface BridgeControllersDeps {
  readonly bridgeId: string;
  readonly store: BridgeStore;
  readonly clock: Clock;
  /** A controller was added, changed or removed. */
  readonly onChange: () => void;
}

/** The controllers of one bridge, in memory and stored. */
export class StoredControllers implements BridgeControllers {
  readonly #deps: BridgeControllersDeps;
  #controllers: readonly StoredController[];

  constructor(deps: BridgeControllersDeps) {
    this.#deps = deps;
    this.#controllers = deps.store.controllersOf(deps.bridgeId);
  }

  list(): readonly StoredController[] {
    return this.#controllers;
  }

  put({ identifier, publicKey, isAdmin }: PairedController): void {
    const { bridgeId, store, clock } = this.#deps;
    const known = this.#controllers.find((one) => one.identifier === identifier);
    const controller = { pairedAt: clock.now(), lastSeenAt: null, ...known, identifier, publicKey, isAdmin };
    store.saveController(bridgeId, controller);
    this.#controllers = [...this.#controllers.filter((one) => one !== known), controller];
    this.#deps.onChange();
  }

  remove(identifier: string): void {
    const { bridgeId, store } = this.#deps;
    const others = this.#controllers.filter((one) => one.identifier !== identifier);
    if (others.length === this.#controllers.length) return;
    const left = others.some(({ isAdmin }) => isAdmin) ? others : [];
    const removed = this.#controllers.filter((one) => !left.includes(one));
    store.deleteControllers(
      bridgeId,
      removed.map((one) => one.identifier),
    );
    this.#controllers = left;
    this.#deps.onChange();
  }

  seen(identifier: string): void {
    const { bridgeId, store, clock } = this.#deps;
    const known = this.#controllers.find((one) => one.identifier === identifier);
    if (!known) return;
    const controller = { ...known, lastSeenAt: clock.now() };
    this.#controllers = this.#controllers.map((one) => (one === known ? controller : one));
    const { lastSeenAt } = known;
    const isDue =
      lastSeenAt === null || Math.floor(lastSeenAt / SEEN_MS) !== Math.floor(controller.lastSeenAt / SEEN_MS);
    if (isDue) store.saveController(bridgeId, controller);
  }
}
