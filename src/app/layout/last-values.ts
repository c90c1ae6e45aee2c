/**
 * Keeps the last known values over a restart: collects what changed and writes it in batches, so that an SD card lasts, and
 * hands out after the start what was known before. A button's press is an event and never among them.
 */
import type { HomeEvents } from '../../home/events.ts';
import type { CharacteristicValue, HapId } from '../../home/model.ts';
import type { Clock } from '../../kernel/clock.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { EventBus } from '../../kernel/event-bus.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import { type Logger, LogThrottle } from '../../kernel/logger.ts';
import type { LastValue, LastValuesStore } from './last-values-store.ts';

/** Home Assistant's recorder advises the same interval for SD cards. */
const WRITE_INTERVAL_MS = 30_000;

/** Longer texts are configuration or media, not a state worth a place on the disk. */
const LONGEST_TEXT = 1_024;

const NONE: ReadonlyMap<HapId, CharacteristicValue> = new Map();

export class LastValues implements Startable {
  readonly #store: LastValuesStore;
  readonly #bus: EventBus<HomeEvents>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #throttle: LogThrottle;
  readonly #intervalMs: number;
  /** What the database held at start, until its accessory is described. */
  readonly #restored = new Map<string, Map<HapId, CharacteristicValue>>();
  /** What is to be written: accessory id → iid → value. */
  #changed = new Map<string, Map<HapId, CharacteristicValue>>();
  #subscriptions: (() => void)[] = [];
  #cancel: (() => void) | undefined;

  constructor(parts: {
    store: LastValuesStore;
    bus: EventBus<HomeEvents>;
    clock: Clock;
    logger: Logger;
    intervalMs?: number;
  }) {
    this.#store = parts.store;
    this.#bus = parts.bus;
    this.#clock = parts.clock;
    this.#logger = parts.logger;
    this.#throttle = new LogThrottle(parts.clock);
    this.#intervalMs = parts.intervalMs ?? WRITE_INTERVAL_MS;
  }

  start(): void {
    for (const value of this.#store.load()) put(this.#restored, value);
    this.#subscriptions = [
      this.#bus.on('state.changed', (change) => {
        if (typeof change.value !== 'string' || change.value.length <= LONGEST_TEXT) put(this.#changed, change);
      }),
      this.#bus.on('accessory.removed', ({ accessoryId }) => {
        this.#changed.delete(accessoryId);
        this.#restored.delete(accessoryId);
      }),
    ];
    this.#schedule();
  }

  stop(): void {
    this.#cancel?.();
    for (const unsubscribe of this.#subscriptions.splice(0)) unsubscribe();
    this.flush();
  }

  /** Hands out what was known of an accessory before the start, once: from then on the home itself knows. */
  take(accessoryId: string): ReadonlyMap<HapId, CharacteristicValue> {
    const values = this.#restored.get(accessoryId) ?? NONE;
    this.#restored.delete(accessoryId);
    return values;
  }

  /** Writes what has changed. What can't be written now is written next time. */
  flush(): void {
    if (this.#changed.size === 0) return;
    const values: LastValue[] = [];
    for (const [accessoryId, changes] of this.#changed) {
      for (const [iid, value] of changes) values.push({ accessoryId, iid, value });
    }
    try {
      this.#store.save(values);
      this.#changed = new Map();
    } catch (error) {
      this.#throttle.once('flush', () =>
        this.#logger.warn({ error: messageOf(error) }, 'The last known values could not be written to the database'),
      );
    }
  }

  #schedule(): void {
    this.#cancel = this.#clock.after(this.#intervalMs, () => {
      this.flush();
      this.#schedule();
    });
  }
}

function put(into: Map<string, Map<HapId, CharacteristicValue>>, { accessoryId, iid, value }: LastValue): void {
  const values = into.get(accessoryId);
  if (values) values.set(iid, value);
  else into.set(accessoryId, new Map([[iid, value]]));
}
