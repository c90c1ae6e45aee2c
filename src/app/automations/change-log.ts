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
  /** By accessory and characteristic, least recently changed first. */
  readonly #changes = new Map<string, Changes>();
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
    return this.#changes.get(keyOf(accessoryId, iid))?.at ?? null;
  }

  /** The number of changes in the last `ms` milliseconds; at most 100. */
  countWithin(accessoryId: string, iid: HapId, ms: number): number {
    const since = this.#clock.monotonic() - ms;
    return this.#changes.get(keyOf(accessoryId, iid))?.times.filter((time) => time >= since).length ?? 0;
  }

  /** Whether an automation made the last change; `null` if there was no change. */
  lastWasOurs(accessoryId: string, iid: HapId): boolean | null {
    return this.#changes.get(keyOf(accessoryId, iid))?.ours ?? null;
  }

  #add(accessoryId: string, iid: HapId, at: number, ours: boolean): void {
    const key = keyOf(accessoryId, iid);
    const times = this.#changes.get(key)?.times ?? [];
    times.push(this.#clock.monotonic());
    if (times.length > KEPT_CHANGES) times.shift();
    this.#changes.delete(key);
    this.#changes.set(key, { at, ours, times });
    if (this.#changes.size <= KEPT_CHARACTERISTICS) return;
    const [oldest] = this.#changes.keys();
    if (oldest !== undefined) this.#changes.delete(oldest);
  }

  #forget(accessoryId: string): void {
    const prefix = keyOf(accessoryId, '');
    for (const key of this.#changes.keys()) {
      if (key.startsWith(prefix)) this.#changes.delete(key);
    }
  }
}

function keyOf(accessoryId: string, iid: HapId): string {
  return `${accessoryId}/${iid}`;
}
