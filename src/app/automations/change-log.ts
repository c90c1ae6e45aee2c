/**
 * When characteristics last changed, how often they changed recently, and whether an automation changed them. The
 * expressions `last_changed`, `count_changed_within` and `manual_override` use it. Kept in memory since the daemon
 * started; the history covers earlier changes. A first known value is not a change.
 */
import type { HomeEvents } from '../../home/events.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { HapId } from '../../home/model.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { EventBus } from '../../kernel/event-bus.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import type { Causes } from './causes.ts';

/** The maximum number of changes counted per characteristic. Above it, the count means "at least this often". */
const KEPT_CHANGES = 100;

/**
 * The maximum number of characteristics tracked; the least recently changed are dropped first. A big home has some
 * thousands.
 */
const KEPT_CHARACTERISTICS = 20_000;

interface Changes {
  /** Wall time, milliseconds. */
  at: number;
  ours: boolean;
  /** Monotonic times, oldest first, so that a clock adjustment does not distort counts. */
  readonly times: number[];
}

export class ChangeLog implements Startable {
  readonly #bus: EventBus<HomeEvents>;
  readonly #state: Pick<HomeState, 'characteristic'>;
  readonly #causes: Pick<Causes, 'of'>;
  readonly #clock: Clock;
  /** By accessory and characteristic. */
  readonly #changes = new Map<string, Map<HapId, Changes>>();
  #size = 0;
  #subscriptions: (() => void)[] = [];

  constructor(deps: {
    bus: EventBus<HomeEvents>;
    state: Pick<HomeState, 'characteristic'>;
    causes: Pick<Causes, 'of'>;
    clock: Clock;
  }) {
    this.#bus = deps.bus;
    this.#state = deps.state;
    this.#causes = deps.causes;
    this.#clock = deps.clock;
  }

  start(): void {
    this.stop();
    this.#subscriptions = [
      this.#bus.on('state.changed', (event) => {
        const { accessoryId, iid, previous, at } = event;
        if (previous === null) return;
        // Counts every origin: blinds report movement long after the write, as do many devices that confirmed a write.
        this.#add(accessoryId, iid, at, this.#causes.of(event, this.#state.characteristic(event)).chain.length > 0);
      }),
      this.#bus.on('button.pressed', ({ accessoryId, iid, at }) => this.#add(accessoryId, iid, at, false)),
      this.#bus.on('accessory.removed', ({ accessoryId }) => this.#forget(accessoryId)),
    ];
  }

  stop(): void {
    for (const end of this.#subscriptions.splice(0)) end();
  }

  /** Wall time, milliseconds; `null` if it has not changed since the daemon started. */
  lastChangedAt(accessoryId: string, iid: HapId): number | null {
    return this.#of(accessoryId, iid)?.at ?? null;
  }

  /** The number of changes in the last `ms` milliseconds; at most 100. */
  countWithin(accessoryId: string, iid: HapId, ms: number): number {
    const since = this.#clock.monotonic() - ms;
    return this.#of(accessoryId, iid)?.times.filter((time) => time >= since).length ?? 0;
  }

  /** Whether an automation made the last change; `null` if there was no change. */
  lastWasOurs(accessoryId: string, iid: HapId): boolean | null {
    return this.#of(accessoryId, iid)?.ours ?? null;
  }

  #of(accessoryId: string, iid: HapId): Changes | undefined {
    return this.#changes.get(accessoryId)?.get(iid);
  }

  #add(accessoryId: string, iid: HapId, at: number, ours: boolean): void {
    const now = this.#clock.monotonic();
    const known = this.#of(accessoryId, iid);
    if (known) {
      known.at = at;
      known.ours = ours;
      known.times.push(now);
      if (known.times.length > KEPT_CHANGES) known.times.shift();
      return;
    }
    if (this.#size >= KEPT_CHARACTERISTICS) this.#dropOldest();
    const ofAccessory = this.#changes.get(accessoryId) ?? new Map<HapId, Changes>();
    this.#changes.set(accessoryId, ofAccessory.set(iid, { at, ours, times: [now] }));
    this.#size += 1;
  }

  /** Drops a tenth, so that this is rare. */
  #dropOldest(): void {
    const all = [...this.#changes].flatMap(([accessoryId, changes]) =>
      [...changes].map(([iid, { times }]) => ({ accessoryId, iid, last: times.at(-1) ?? 0 })),
    );
    all.sort((a, b) => a.last - b.last);
    for (const { accessoryId, iid } of all.slice(0, Math.ceil(KEPT_CHARACTERISTICS / 10))) {
      this.#changes.get(accessoryId)?.delete(iid);
      if (this.#changes.get(accessoryId)?.size === 0) this.#changes.delete(accessoryId);
      this.#size -= 1;
    }
  }

  #forget(accessoryId: string): void {
    this.#size -= this.#changes.get(accessoryId)?.size ?? 0;
    this.#changes.delete(accessoryId);
  }
}
