/**
 * The queue in SQLite, and the changes on their way into it. Changes within a short interval are committed together:
 * new events, finished deliveries, webhooks' progress. So a busy home waits for its disk a few times a second, not
 * thousands of times, and a single event is committed at once. Nothing is attempted before it is committed.
 *
 * While the disk refuses writes, changes stay here, within bounds, and are retried; no other code is affected.
 */
import type { WebhookStatus } from '../../contract/webhooks.ts';
import type { HomeDeps } from '../../home/home-deps.ts';
import { messageOf } from '../../kernel/errors.ts';
import { LogThrottle } from '../../kernel/logger.ts';
import type { DeliveryQueue, NewDelivery, QueuedDelivery } from './delivery-queue.ts';
import type { Webhook, WebhookProgress } from './webhook.ts';
import type { WebhookRegistry } from './webhook-registry.ts';

/** decisions §9, for each webhook. */
export const MAX_QUEUED = 10_000;
/** For all webhooks, while commits fail: some tens of megabytes. */
const MAX_ARRIVALS = 50_000;
/** The interval between two commits. */
const INTERVAL_MS = 25;
/**
 * After a long commit, the next one begins only after so many times its duration: a slow disk leaves time for other
 * work.
 */
const REST_FACTOR = 3;
const MAX_REST_MS = 1_000;
const RETRY_INTERVAL_MS = 10_000;
/** The time limit for the rows of one commit, before the disk wait. */
const WORK_MS = 8;
/** The maximum number of rows in one commit. */
const SLICE = 1_000;
/** Rows of a webhook's queue to read at once: some kilobytes, and fewer reads in a burst. */
const READ_AT_ONCE = 16;

type Wait = NonNullable<QueuedDelivery['wait']>;

/**
 * The result of a commit for a webhook's queue: how many arrived, how many are in it now, and how many were dropped.
 */
interface Stored {
  readonly arrived: number;
  readonly count: number;
  readonly dropped: number;
}

interface Deps extends HomeDeps<'clock' | 'logger'> {
  readonly queue: DeliveryQueue;
  readonly registry: WebhookRegistry;
}

export class Outbox {
  readonly #deps: Deps;
  readonly #throttle: LogThrottle;
  /** By webhook, oldest first. */
  readonly #arrivals = new Map<string, NewDelivery[]>();
  #arrivalCount = 0;
  readonly #done = new Set<number>();
  readonly #postponed = new Map<number, { readonly attempts: number; readonly wait: Wait }>();
  readonly #progress = new Map<string, Partial<WebhookProgress>>();
  /** By webhook: how many are queued, the last finished `seq`, and the last finished or taken `seq`. */
  readonly #stored = new Map<string, number>();
  readonly #over = new Map<string, number>();
  readonly #reached = new Map<string, number>();
  /** By webhook: rows read ahead, which follow the last taken one. */
  readonly #ahead = new Map<string, { readonly after: number; readonly rows: readonly QueuedDelivery[] }>();
  readonly #listeners = new Set<(webhookIds: readonly string[]) => void>();
  #dropped = 0;
  #cancel: (() => void) | undefined;
  #restUntil = Number.NEGATIVE_INFINITY;
  #isFailing = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#throttle = new LogThrottle(deps.clock);
  }

  /** @throws `storage_unavailable` */
  start(): void {
    this.#stored.clear();
    this.#ahead.clear();
    for (const [id, count] of this.#deps.queue.counts()) this.#stored.set(id, count);
  }

  /** Commits everything, if the disk allows it. */
  stop(): void {
    while (this.#hasWork && this.#commit()) {}
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /** Calls the listener with the webhooks that have new deliveries in their queues. */
  onStored(listener: (webhookIds: readonly string[]) => void): void {
    this.#listeners.add(listener);
  }

  // — deliveries —

  add(delivery: NewDelivery): void {
    const { webhookId } = delivery;
    const arrivals = this.#arrivals.get(webhookId) ?? [];
    this.#arrivals.set(webhookId, arrivals);
    arrivals.push(delivery);
    this.#arrivalCount += 1;
    if (arrivals.length > MAX_QUEUED || this.#arrivalCount > MAX_ARRIVALS) this.#dropArrival();
    this.#schedule();
  }

  /** Adds one at once, after everything that arrived before. @throws `storage_unavailable` */
  addNow(delivery: NewDelivery): void {
    while (this.#arrivals.has(delivery.webhookId) && this.#commit()) {}
    const count = this.#deps.queue.add(delivery);
    this.#stored.set(delivery.webhookId, (this.#stored.get(delivery.webhookId) ?? 0) + count);
    for (const listener of this.#listeners) listener([delivery.webhookId]);
  }

  /** The oldest committed one after this; from now on it is not dropped. @throws `storage_unavailable` */
  take(webhookId: string, afterSeq: number): QueuedDelivery | undefined {
    return this.#stored.get(webhookId) ? this.#nextAfter(webhookId, afterSeq) : undefined;
  }

  #nextAfter(webhookId: string, afterSeq: number): QueuedDelivery | undefined {
    const known = this.#ahead.get(webhookId);
    const isNext = known?.after === afterSeq && known.rows.length > 0;
    const [next, ...rows] = isNext ? known.rows : this.#deps.queue.after(webhookId, afterSeq, READ_AT_ONCE);
    // For the types: as many are stored as are counted.
    if (!next) return undefined;
    this.#ahead.set(webhookId, { after: next.seq, rows });
    this.#reached.set(webhookId, next.seq);
    return next;
  }

  /** Finishes a delivery: delivered or discarded. */
  done({ webhookId, seq }: QueuedDelivery): void {
    this.#postponed.delete(seq);
    this.#done.add(seq);
    this.#over.set(webhookId, seq);
    this.#stored.set(webhookId, Math.max(0, (this.#stored.get(webhookId) ?? 0) - 1));
    this.#schedule();
  }

  postpone({ seq }: QueuedDelivery, attempts: number, wait: Wait): void {
    this.#postponed.set(seq, { attempts, wait });
    this.#schedule();
  }

  // — progress of webhooks —

  note(webhookId: string, progress: Partial<WebhookProgress>): void {
    this.#progress.set(webhookId, { ...this.#progress.get(webhookId), ...progress });
    this.#schedule();
  }

  /** The webhook, with its uncommitted progress. */
  find(webhookId: string): Webhook | undefined {
    const webhook = this.#deps.registry.find(webhookId);
    const progress = this.#progress.get(webhookId);
    return webhook && progress ? { ...webhook, ...progress } : webhook;
  }

  statusOf(webhookId: string): WebhookStatus | undefined {
    return this.#progress.get(webhookId)?.status ?? this.#deps.registry.find(webhookId)?.status;
  }

  /** Call after the webhook changed: the new status replaces uncommitted progress. */
  changed(webhookId: string): void {
    const { status: _, consecutiveFailures: __, ...rest } = this.#progress.get(webhookId) ?? {};
    if (Object.keys(rest).length > 0) this.#progress.set(webhookId, rest);
    else this.#progress.delete(webhookId);
  }

  /** Call after the webhook and its queue were deleted. */
  forget(webhookId: string): void {
    this.#arrivalCount -= this.#arrivals.get(webhookId)?.length ?? 0;
    const all = [this.#arrivals, this.#progress, this.#stored, this.#over, this.#reached, this.#ahead];
    for (const map of all) map.delete(webhookId);
  }

  // — metrics —

  countOf(webhookId: string): number {
    return (this.#stored.get(webhookId) ?? 0) + (this.#arrivals.get(webhookId)?.length ?? 0);
  }

  /** The last finished `seq`: the queue may still contain deliveries up to it. */
  overUpTo(webhookId: string): number {
    return this.#over.get(webhookId) ?? 0;
  }

  get count(): number {
    return [...this.#stored.values()].reduce((sum, count) => sum + count, this.#arrivalCount);
  }

  /** How many were dropped since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  /** The webhooks that have deliveries in the queue. */
  webhookIds(): readonly string[] {
    return [...this.#stored.keys()];
  }

  // — commits —

  get #hasWork(): boolean {
    return this.#arrivalCount + this.#done.size + this.#postponed.size + this.#progress.size > 0;
  }

  #schedule(): void {
    if (this.#cancel) return;
    const waitMs = Math.max(0, this.#restUntil - this.#deps.clock.monotonic());
    this.#cancel = this.#deps.clock.after(waitMs, () => {
      this.#cancel = undefined;
      this.#commit();
      if (this.#hasWork) this.#schedule();
    });
  }

  /** Commits all finished deliveries and a slice of the arrivals. @returns whether the commit succeeded. */
  #commit(): boolean {
    const { clock, logger, queue, registry } = this.#deps;
    const startedAt = clock.monotonic();
    let stored: ReadonlyMap<string, Stored> = new Map();
    let recorded: readonly (() => void)[] = [];
    try {
      queue.transaction(() => {
        for (const seq of this.#done) queue.remove(seq);
        for (const [seq, { attempts, wait }] of this.#postponed) queue.postpone(seq, attempts, wait);
        stored = this.#storeSome();
        recorded = [...this.#progress].map(([id, progress]) => registry.record(id, progress));
      });
    } catch (error) {
      this.#failed(error);
      return false;
    }
    for (const remember of recorded) remember();
    this.#committed(stored);
    const took = clock.monotonic() - startedAt;
    this.#restUntil = startedAt + Math.min(Math.max(INTERVAL_MS, took * REST_FACTOR), MAX_REST_MS);
    if (this.#isFailing) logger.info({}, 'Queueing deliveries works again');
    this.#isFailing = false;
    if (stored.size > 0) for (const listener of this.#listeners) listener([...stored.keys()]);
    return true;
  }

  #storeSome(): ReadonlyMap<string, Stored> {
    const { clock, queue } = this.#deps;
    const until = clock.monotonic() + WORK_MS;
    const stored = new Map<string, Stored>();
    let room = SLICE;
    for (const [id, arrivals] of this.#arrivals) {
      let arrived = 0;
      let count = this.#stored.get(id) ?? 0;
      for (const delivery of arrivals) {
        if (room === 0 || clock.monotonic() > until) break;
        count += queue.add(delivery);
        arrived += 1;
        room -= 1;
      }
      if (arrived === 0) break;
      const excess = Math.max(0, count - MAX_QUEUED);
      const dropped = excess && queue.removeOldest(id, this.#reached.get(id) ?? 0, excess);
      stored.set(id, { arrived, count: count - dropped, dropped });
    }
    return stored;
  }

  #committed(stored: ReadonlyMap<string, Stored>): void {
    this.#done.clear();
    this.#postponed.clear();
    this.#progress.clear();
    for (const [id, { arrived, count, dropped }] of stored) {
      const rest = this.#arrivals.get(id)?.slice(arrived) ?? [];
      // Delete and set again, at the end: the webhooks take turns.
      this.#arrivals.delete(id);
      if (rest.length > 0) this.#arrivals.set(id, rest);
      this.#arrivalCount -= arrived;
      this.#stored.set(id, count);
      if (dropped > 0) this.#ahead.delete(id);
      this.#countDropped(id, dropped);
    }
  }

  #failed(error: unknown): void {
    this.#isFailing = true;
    this.#restUntil = this.#deps.clock.monotonic() + RETRY_INTERVAL_MS;
    this.#throttle.once('commit', () =>
      this.#deps.logger.warn(
        { error: messageOf(error), waiting: this.#arrivalCount },
        'Cannot queue webhook deliveries. They wait in memory; everything else works',
      ),
    );
  }

  /** Drops the oldest arrival of the webhook with the most arrivals. */
  #dropArrival(): void {
    const [webhookId, arrivals] = [...this.#arrivals].reduce((most, one) =>
      one[1].length > most[1].length ? one : most,
    );
    arrivals.shift();
    this.#arrivalCount -= 1;
    this.#countDropped(webhookId, 1);
  }

  #countDropped(webhookId: string, count: number): void {
    if (count === 0) return;
    this.#dropped += count;
    this.note(webhookId, { droppedCount: (this.find(webhookId)?.droppedCount ?? 0) + count });
    this.#throttle.once(`dropped ${webhookId}`, (skipped) =>
      this.#deps.logger.warn(
        { webhookId, name: this.find(webhookId)?.name, count, ...skipped },
        'The queue of a webhook is full: dropped the oldest deliveries',
      ),
    );
  }
}
