/**
 * Saves the outcomes of deliveries to history.db: once a second, in slices, so that a busy home is not blocked. A whole
 * slice is written at once: in a long burst, outcomes that wait would fill the old generation of the heap. If the
 * file can't be written, outcomes wait in memory, within bounds; deliveries are not affected.
 */
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../kernel/clock.ts';
import { messageOf } from '../../kernel/errors.ts';
import { type Logger, LogThrottle } from '../../kernel/logger.ts';
import type { DeliveryLogStore, LoggedDelivery, LogPage } from './delivery-log-store.ts';

const DAY_MS = 86_400_000;
/** decisions §9. */
const KEPT_MS = 7 * DAY_MS;
/** Keeps a busy home from filling its disk. */
const MAX_PER_WEBHOOK = 5_000;
const WRITE_INTERVAL_MS = 1_000;
const RETRY_INTERVAL_MS = 10_000;
/** Some milliseconds of work. */
const SLICE = 100;
const MAX_WAITING = 2_000;
/** Trims a webhook's oldest rows after so many new ones. */
const TRIM_EVERY = 500;
const ROWS_A_SLICE = 500;

export class DeliveryLog {
  readonly #store: DeliveryLogStore;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #throttle: LogThrottle;
  /** By delivery id. */
  readonly #waiting = new Map<string, LoggedDelivery>();
  readonly #sinceTrim = new Map<string, number>();
  #cancel: (() => void) | undefined;
  /** The last write failed, and the next one waits. */
  #isRetrying = false;

  constructor(deps: { store: DeliveryLogStore; clock: Clock; logger: Logger }) {
    this.#store = deps.store;
    this.#clock = deps.clock;
    this.#logger = deps.logger;
    this.#throttle = new LogThrottle(deps.clock);
  }

  /** @param queued the ids of attempted deliveries that are still queued. */
  start(queued: readonly string[]): void {
    this.#guarded(() =>
      this.#store.giveUpRetrying(queued, 'hearthd ended before it could be written down what became of it'),
    );
  }

  /** Writes all of it at once. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#flush();
  }

  write(delivery: LoggedDelivery): void {
    const { id } = delivery;
    // Delete and set again, so that the map's order is the order of writing.
    this.#waiting.delete(id);
    this.#waiting.set(id, delivery);
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size > MAX_WAITING && oldest !== undefined) this.#waiting.delete(oldest);
    if (this.#waiting.size === SLICE && !this.#isRetrying) this.#writeIn(0);
    else if (!this.#cancel) this.#writeIn(WRITE_INTERVAL_MS);
  }

  /** Newest first. @throws `storage_unavailable` */
  list(webhookId: string, page: Omit<LogPage, 'since'> & { readonly limit: number }): readonly LoggedDelivery[] {
    this.#flush();
    return this.#store.list(webhookId, { ...page, since: this.#since });
  }

  /** @throws `storage_unavailable` */
  count(webhookId: string, page: Omit<LogPage, 'since'>): number {
    this.#flush();
    return this.#store.count(webhookId, { ...page, since: this.#since });
  }

  /** @throws `storage_unavailable` */
  find(webhookId: string, id: string): LoggedDelivery | undefined {
    const waiting = this.#waiting.get(id);
    return waiting?.webhookId === webhookId ? waiting : this.#store.find(webhookId, id);
  }

  /** The times of its latest attempts; empty if that can't be read. */
  attemptTimes(webhookId: string, atMost: number): readonly number[] {
    this.#flush();
    return this.#guarded(() => this.#store.attemptTimes(webhookId, atMost)) ?? [];
  }

  /** Deletes the log of a deleted webhook: no user may read it any more. */
  forget(webhookId: string): void {
    for (const [id, delivery] of this.#waiting) if (delivery.webhookId === webhookId) this.#waiting.delete(id);
    this.#sinceTrim.delete(webhookId);
    this.#guarded(() => this.#store.deleteOf(webhookId));
  }

  /** Deletes what is older than seven days, in slices, with other work in between. @throws `storage_unavailable` */
  async prune(): Promise<void> {
    while (this.#store.deleteBefore(this.#since, ROWS_A_SLICE) > 0) await setImmediate();
  }

  get #since(): number {
    return this.#clock.now() - KEPT_MS;
  }

  #writeSome(): void {
    this.#cancel = undefined;
    const isWritten = this.#write(SLICE);
    this.#trim();
    this.#isRetrying = !isWritten;
    if (this.#waiting.size === 0) return;
    this.#writeIn(isWritten ? 0 : RETRY_INTERVAL_MS);
  }

  #writeIn(delayMs: number): void {
    this.#cancel?.();
    this.#cancel = this.#clock.after(delayMs, () => this.#writeSome());
  }

  #flush(): void {
    if (this.#waiting.size > 0) this.#write(this.#waiting.size);
  }

  #write(atMost: number): boolean {
    const some = [...this.#waiting.values()].slice(0, atMost);
    const isWritten = this.#guarded(() => {
      this.#store.save(some);
      return true;
    });
    if (!isWritten) return false;
    for (const { id, webhookId } of some) {
      this.#waiting.delete(id);
      this.#sinceTrim.set(webhookId, (this.#sinceTrim.get(webhookId) ?? 0) + 1);
    }
    return true;
  }

  #trim(): void {
    for (const [webhookId, count] of this.#sinceTrim) {
      if (count < TRIM_EVERY) continue;
      this.#sinceTrim.delete(webhookId);
      this.#guarded(() => this.#store.keepNewest(webhookId, MAX_PER_WEBHOOK));
    }
  }

  #guarded<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.#throttle.once('history', () =>
        this.#logger.warn({ error: messageOf(error) }, 'Could not save the delivery history. Deliveries continue'),
      );
      return undefined;
    }
  }
}
