/**
 * Delays automations after a start until the accessories have had time to respond. Without it, work that became due
 * while the daemon was down would run some seconds too early and fail. Opens once, when all accessories are reachable
 * or the time limit is over.
 */
import type { HomeEvents } from '../../../home/events.ts';
import type { HomeState } from '../../../home/home-state.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { EventBus } from '../../../kernel/event-bus.ts';

/** Enough for a home to be found and connected; the gate does not wait longer for an unplugged lamp. */
const PATIENCE_MS = 15_000;

export class StartGate {
  readonly #deps: { readonly state: HomeState; readonly bus: EventBus<HomeEvents>; readonly clock: Clock };
  readonly #waiting: (() => void)[] = [];
  #ends: (() => void)[] = [];
  #isOpen = false;

  constructor(deps: { readonly state: HomeState; readonly bus: EventBus<HomeEvents>; readonly clock: Clock }) {
    this.#deps = deps;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  start(): void {
    const { bus, clock } = this.#deps;
    const look = (): void => {
      if (this.#isComplete()) this.open();
    };
    this.#isOpen = false;
    this.#ends = [
      bus.on('accessory.reachability_settled', look),
      bus.on('accessory.reachability_changed', look),
      bus.on('accessory.removed', look),
      bus.on('home.connection_changed', look),
      clock.after(PATIENCE_MS, () => this.open()),
    ];
    look();
  }

  /** Calls back in registration order, once the gate is open. */
  whenOpen(act: () => void): void {
    if (this.#isOpen) act();
    else this.#waiting.push(act);
  }

  open(): void {
    this.#isOpen = true;
    for (const end of this.#ends.splice(0)) end();
    for (const act of this.#waiting.splice(0)) act();
  }

  #isComplete(): boolean {
    const { state } = this.#deps;
    const paused = new Set(state.homes().flatMap(({ id, paused }) => (paused ? [id] : [])));
    return state
      .accessories()
      .every(({ id, homeId, vanishedAt }) => state.isAnswering(id) || vanishedAt !== null || paused.has(homeId));
  }
}
