/**
 * The queue in SQLite and what is on its way into it. Everything that happens within a short moment is committed together: events
 * that arrive, deliveries that are done with, how their webhooks fare. So a house in which much happens waits for its disk a few times a
 * second, not thousands of times; and a single event is committed at once. Nothing is attempted before it is committed.
 *
 * While the disk refuses, all of it stays here, within bounds, and is tried again: nobody else notices.
 */
import type { Clock } from '../../kernel/clock.ts';
import { messageOf } from '../../kernel/errors.ts';
import { type Logger, LogThrottle } from '../../kernel/logger.ts';
import type { DeliveryQueue, NewDelivery, QueuedDelivery } from './delivery-queue.ts';
import type { Webhook, WebhookProgress, WebhookStatus } from './webhook.ts';
import type { WebhookRegistry } from './webhook-registry.ts';

/** decisions §9, for each webhook. */
export const MOST_QUEUED = 10_000;
/** Of all webhooks, while they can't be committed: some tens of megabytes. */
const MOST_ARRIVALS = 50_000;
/** Between two commits. */
const INTERVAL_MS = 25;
/** Where a commit takes long, the next one begins only after so many times as long: a slow disk leaves time for the house. */
const REST_FACTOR = 3;
const LONGEST_REST_MS = 1_000;
const RETRY_INTERVAL_MS = 10_000;
/** For the rows of one commit; then the disk is waited for. */
const WORK_MS = 8;
/** At most so many of them, however quick it goes. */
const SLICE = 1_000;
/** Of a webhook's queue: some kilobytes, and in a burst a fraction of the reads. */
const READ_AT_ONCE = 16;

type Wait = NonNullable<QueuedDelivery['wait']>;

/** What a commit made of a webhook's queue: how many arrived, how many are in it now, and how many there was no room for. */
interface Stored {
  readonly arrived: number;
  readonly count: number;
  readonly dropped: number;
}

interface Parts {
  readonly queue: DeliveryQueue;
  readonly registry: WebhookRegistry;
  readonly clock: Clock;
  readonly logger: Logger;
}

export class Outbox {
  readonly #parts: Parts;
  readonly #throttle: LogThrottle;
  /** By webhook, oldest first. */
  readonly #arrivals = new Map<string, NewDelivery[]>();
  #arrivalCount = 0;
  readonly #done = new Set<number>();
  readonly #postponed = new Map<number, { readonly attempts: number; readonly wait: Wait }>();
  readonly #progress = new Map<string, Partial<WebhookProgress>>();
  /** By webhook: how many are in the queue, up to where they are over, and up to where they are over or on their way. */
  readonly #stored = new Map<string, number>();
  readonly #over = new Map<string, number>();
  readonly #reached = new Map<string, number>();
  /** By webhook: what was read from the queue together with the last one that was taken, and follows it. */
  readonly #ahead = new Map<string, { readonly after: number; readonly rows: readonly QueuedDelivery[] }>();
  readonly #listeners = new Set<(webhookIds: readonly string[]) => void>();
  #dropped = 0;
  #cancel: (() => void) | undefined;
  #restUntil = Number.NEGATIVE_INFINITY;
  #isFailing = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#throttle = new LogThrottle(parts.clock);
  }

  /** @throws `storage_unavailable` */
  start(): void {
    this.#stored.clear();
    this.#ahead.clear();
    for (const [id, count] of this.#parts.queue.counts()) this.#stored.set(id, count);
  }

  /** Commits all of it, if the disk lets it. */
  stop(): void {
    while (this.#hasWork && this.#commit()) {}
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /** Hears which webhooks have new deliveries in their queues. */
  onStored(listener: (webhookIds: readonly string[]) => void): void {
    this.#listeners.add(listener);
  }

  // — what comes and goes —

  add(delivery: NewDelivery): void {
    const { webhookId } = delivery;
    const arrivals = this.#arrivals.get(webhookId) ?? [];
    this.#arrivals.set(webhookId, arrivals);
    arrivals.push(delivery);
    this.#arrivalCount += 1;
    if (arrivals.length > MOST_QUEUED || this.#arrivalCount > MOST_ARRIVALS) this.#dropArrival();
    this.#schedule();
  }

  /** Adds one at once, after whatever arrived before it. @throws `storage_unavailable` */
  addNow(delivery: NewDelivery): void {
    while (this.#arrivals.has(delivery.webhookId) && this.#commit()) {}
    const count = this.#parts.queue.add(delivery);
    this.#stored.set(delivery.webhookId, (this.#stored.get(delivery.webhookId) ?? 0) + count);
    for (const listener of this.#listeners) listener([delivery.webhookId]);
  }

  /** The oldest after this one that is committed; from now on it is not dropped. @throws `storage_unavailable` */
  take(webhookId: string, afterSeq: number): QueuedDelivery | undefined {
    if (!this.#stored.get(webhookId)) return undefined;
    const next = this.#nextAfter(webhookId, afterSeq);
    if (next) this.#reached.set(webhookId, next.seq);
    return next;
  }

  #nextAfter(webhookId: string, afterSeq: number): QueuedDelivery | undefined {
    const known = this.#ahead.get(webhookId);
    const isNext = known?.after === afterSeq && known.rows.length > 0;
    const [next, ...rows] = isNext ? known.rows : this.#parts.queue.after(webhookId, afterSeq, READ_AT_ONCE);
    if (next) this.#ahead.set(webhookId, { after: next.seq, rows });
    return next;
  }

  /** It is delivered, or given up. */
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

  // — how webhooks fare —

  note(webhookId: string, progress: Partial<WebhookProgress>): void {
    this.#progress.set(webhookId, { ...this.#progress.get(webhookId), ...progress });
    this.#schedule();
  }

  /** The webhook as it is, with what is not committed yet. */
  find(webhookId: string): Webhook | undefined {
    const webhook = this.#parts.registry.find(webhookId);
    const progress = this.#progress.get(webhookId);
    return webhook && progress ? { ...webhook, ...progress } : webhook;
  }

  statusOf(webhookId: string): WebhookStatus | undefined {
    return this.#progress.get(webhookId)?.status ?? this.#parts.registry.find(webhookId)?.status;
  }

  /** Somebody changed it: what they said of its status counts, not what was on its way. */
  changed(webhookId: string): void {
    const { status: _, consecutiveFailures: __, ...rest } = this.#progress.get(webhookId) ?? {};
    if (Object.keys(rest).length > 0) this.#progress.set(webhookId, rest);
    else this.#progress.delete(webhookId);
  }

  /** It is gone, and its queue with it. */
  forget(webhookId: string): void {
    this.#arrivalCount -= this.#arrivals.get(webhookId)?.length ?? 0;
    const all = [this.#arrivals, this.#progress, this.#stored, this.#over, this.#reached, this.#ahead];
    for (const map of all) map.delete(webhookId);
  }

  // — figures —

  countOf(webhookId: string): number {
    return (this.#stored.get(webhookId) ?? 0) + (this.#arrivals.get(webhookId)?.length ?? 0);
  }

  /** All of its deliveries up to this one are over, though the queue may still have them. */
  overUpTo(webhookId: string): number {
    return this.#over.get(webhookId) ?? 0;
  }

  get count(): number {
    return [...this.#stored.values()].reduce((sum, count) => sum + count, this.#arrivalCount);
  }

  /** How many there was no room for since the start. */
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
    const waitMs = Math.max(0, this.#restUntil - this.#parts.clock.monotonic());
    this.#cancel = this.#parts.clock.after(waitMs, () => {
      this.#cancel = undefined;
      this.#commit();
      if (this.#hasWork) this.#schedule();
    });
  }

  /** @returns whether the disk took it: all that was done with, and a slice of what has arrived. */
  #commit(): boolean {
    const { clock, logger, queue, registry } = this.#parts;
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
    this.#restUntil = startedAt + Math.min(Math.max(INTERVAL_MS, took * REST_FACTOR), LONGEST_REST_MS);
    if (this.#isFailing) logger.info({}, 'Deliveries can be queued again');
    this.#isFailing = false;
    if (stored.size > 0) for (const listener of this.#listeners) listener([...stored.keys()]);
    return true;
  }

  #storeSome(): ReadonlyMap<string, Stored> {
    const { clock, queue } = this.#parts;
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
      const excess = Math.max(0, count - MOST_QUEUED);
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
      // Set anew, at the end: the webhooks take turns.
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
    this.#restUntil = this.#parts.clock.monotonic() + RETRY_INTERVAL_MS;
    this.#throttle.once('commit', () =>
      this.#parts.logger.warn(
        { error: messageOf(error), waiting: this.#arrivalCount },
        'Deliveries to webhooks can’t be queued. They wait; all else goes on',
      ),
    );
  }

  /** The oldest of whichever webhook has the most on its way. */
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
    this.#throttle.once(`dropped ${webhookId}`, (more) =>
      this.#parts.logger.warn(
        { webhookId, count, more },
        'A webhook’s queue is full: its oldest deliveries are dropped',
      ),
    );
  }
}
