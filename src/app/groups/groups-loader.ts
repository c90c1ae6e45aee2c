import type { HomeState } from '../../home/home-state.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import type { RoomSetStore } from './room-set-store.ts';
import type { ServiceGroupStore } from './service-group-store.ts';

/** Brings zones, room groups and service groups into memory when the daemon starts, after the layout and before any face. */
export class GroupsLoader implements Startable {
  readonly #state: HomeState;
  readonly #stores: { zones: RoomSetStore; roomGroups: RoomSetStore; serviceGroups: ServiceGroupStore };

  constructor(parts: {
    state: HomeState;
    zones: RoomSetStore;
    roomGroups: RoomSetStore;
    serviceGroups: ServiceGroupStore;
  }) {
    this.#state = parts.state;
    this.#stores = parts;
  }

  start(): void {
    this.#state.zones.restore(this.#stores.zones.load());
    this.#state.roomGroups.restore(this.#stores.roomGroups.load());
    this.#state.serviceGroups.restore(this.#stores.serviceGroups.load());
  }

  stop(): void {}
}
