/**
 * Keeps the last known values across restarts. It collects changes, writes them in batches to spare SD cards, and
 * provides them after the start. Button presses are events and are not included.
 */
import type { HomeDeps } from '../../home/home-deps.ts';
import type { CharacteristicValue, HapId } from '../../home/model.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import { LogThrottle } from '../../kernel/logger.ts';
import type { LastValue, LastValuesStore } from './last-values-store.ts';

/** Home Assistant's recorder advises the same interval for SD cards. */
const WRITE_INTERVAL_MS = 30_000;

/** Longer texts are configuration or media, not state. */
const MAX_TEXT_LENGTH = 1_024;

const NONE: ReadonlyMap<HapId, CharacteristicValue> = new Map();

interface LastValuesDeps extends HomeDeps<'bus' | 'clock' | 'logger'> {
  readonly store: LastValuesStore;
  readonly intervalMs?: number;
}

export class LastValues implements Startable {
  readonly #deps: LastValuesDeps;
  readonly #throttle: LogThrottle;
  readonly #intervalMs: number;
  /** Values loaded at start, until their accessory is described. */
  readonly #restored = new Map<string, Map<HapId, CharacteristicValue>>();
  /** Values to write: accessory id → iid → value. */
  #changed = new Map<string, Map<HapId, CharacteristicValue>>();
  #subscriptions: (() => void)[] = [];
  #cancel: (() => void) | undefined;

  constructor(deps: LastValuesDeps) {
    this.#deps = deps;
    this.#throttle = new LogThrottle(deps.clock);
    this.#intervalMs = deps.intervalMs ?? WRITE_INTERVAL_MS;
  }

  start(): void {
    for (const value of this.#deps.store.load()) put(this.#restored, value);
    this.#subscriptions = [
      this.#deps.bus.on('state.changed', (change) => {
        if (typeof change.value !== 'string' || change.value.length <= MAX_TEXT_LENGTH) put(this.#changed, change);
      }),
      this.#deps.bus.on('accessory.removed', ({ accessoryId }) => {
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

  /** Returns the values of an accessory from before the start, once: afterwards the home's state has them. */
  take(accessoryId: string): ReadonlyMap<HapId, CharacteristicValue> {
    const values = this.#restored.get(accessoryId) ?? NONE;
    this.#restored.delete(accessoryId);
    return values;
  }

  /** Writes the changes. On an error they are written next time. */
  flush(): void {
    if (this.#changed.size === 0) return;
    const values: LastValue[] = [];
    for (const [accessoryId, changes] of this.#changed) {
      for (const [iid, value] of changes) values.push({ accessoryId, iid, value });
    }
    try {
      this.#deps.store.save(values);
      this.#changed = new Map();
    } catch (error) {
      this.#throttle.once('flush', () =>
        this.#deps.logger.warn({ error: messageOf(error) }, 'Could not save the last known values'),
      );
    }
  }

  #schedule(): void {
    this.#cancel = this.#deps.clock.after(this.#intervalMs, () => {
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
