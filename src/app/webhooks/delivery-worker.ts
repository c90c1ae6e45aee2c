/**
 * Sends one webhook's deliveries, strictly in order and one at a time: the next one follows when the one before is
 * delivered or discarded. One worker never delays another.
 */
import type { DeliveryStatus } from '../../contract/webhooks.ts';
import type { HomeDeps } from '../../home/home-deps.ts';
import { messageOf } from '../../kernel/errors.ts';
import { LogThrottle } from '../../kernel/logger.ts';
import { type AttemptDeps, type AttemptOutcome, attempt } from './attempt.ts';
import { type DeliveryVerdict, verdictOn } from './breaker.ts';
import type { DeliveryLog } from './delivery-log.ts';
import type { QueuedDelivery } from './delivery-queue.ts';
import type { Outbox } from './outbox.ts';
import { RateLimiter } from './rate-limiter.ts';
import { dueAfterRestart, nextWait } from './retry-schedule.ts';
import type { Semaphore, SlotUser } from './semaphore.ts';
import type { Webhook } from './webhook.ts';

/** The delay after an internal error, such as an unreadable queue. */
const INTERNAL_RETRY_MS = 10_000;
/** How many are discarded at once when a webhook is disabled: some milliseconds of work. About: 101 would do. */
const DISCARD_BATCH = 100;

export interface DeliveryWorkerDeps extends AttemptDeps, HomeDeps<'timers' | 'logger'> {
  readonly outbox: Outbox;
  readonly log: DeliveryLog;
  readonly slots: Semaphore;
  readonly random: () => number;
  /** Called when the relay disables the webhook because of its receiver. */
  readonly onDisabled: (webhook: Webhook, because: string) => void;
  readonly onEnd: (fate: 'delivered' | 'failed') => void;
}

export class DeliveryWorker implements SlotUser {
  readonly #webhookId: string;
  readonly #deps: DeliveryWorkerDeps;
  readonly #throttle: LogThrottle;
  /** Everything up to here is finished. */
  #doneSeq = 0;
  /** In progress, or waiting for its next attempt. */
  #current: QueuedDelivery | undefined;
  #pace: RateLimiter | undefined;
  /** The end of the delay that the receiver requested, by the monotonic clock. */
  #retryAfter = Number.NEGATIVE_INFINITY;
  /** The last URL and status: after a change, the worker tries again at once. */
  #seen: Pick<Webhook, 'url' | 'status'> | undefined;
  #underWay: { readonly abort: AbortController; readonly end: Promise<void> } | undefined;
  #cancelWake: (() => void) | undefined;
  #isStopped = false;

  constructor(webhookId: string, deps: DeliveryWorkerDeps) {
    this.#webhookId = webhookId;
    this.#deps = deps;
    this.#throttle = new LogThrottle(deps.clock);
  }

  /** Does the next step, as soon as it is allowed. Call it when something may have changed; never throws. */
  step(): void {
    if (this.#isStopped || this.#underWay) return;
    this.#wakeIn(null);
    try {
      this.#next();
    } catch (error) {
      this.#troubled(error);
    }
  }

  /**
   * Call after the webhook changed. If its URL is another one, or it was not active, cancels the wait: what is not
   * active sends nothing meanwhile. An answer of the old receiver is ignored.
   */
  changed(): void {
    const webhook = this.#deps.outbox.find(this.#webhookId);
    const seen = this.#seen;
    const isElsewhere = webhook?.url !== seen?.url;
    // `?` is for the types: where nothing was seen, the URL is another one.
    if (isElsewhere || seen?.status !== 'active') {
      if (isElsewhere) this.abort();
      this.#retryAfter = Number.NEGATIVE_INFINITY;
      if (this.#current) this.#current = { ...this.#current, wait: null };
    }
    if (webhook) this.#seen = webhook;
    this.step();
  }

  /** Resolves when no attempt is in progress. */
  get idle(): Promise<void> {
    return this.#underWay?.end ?? Promise.resolve();
  }

  /** Starts no more attempts. The one in progress may still end. */
  close(): void {
    this.#isStopped = true;
    this.#wakeIn(null);
    this.#deps.slots.leave(this);
  }

  /** Cancels the attempt in progress, which then does not count. */
  abort(): void {
    this.#underWay?.abort.abort();
  }

  #next(): void {
    const { outbox, slots, clock } = this.#deps;
    const webhook = outbox.find(this.#webhookId);
    if (!webhook) return;
    this.#seen ??= webhook;
    if (webhook.status === 'disabled') this.#giveUpSome(webhook);
    if (webhook.status !== 'active') return;
    const delivery = this.#takeCurrent();
    if (!delivery || this.#mustWait(delivery)) return;
    this.#pace ??= this.#paceOf(webhook);
    const waitMs = Math.max(this.#pace.waitMs(webhook.rateLimitPerMinute), this.#retryAfter - clock.monotonic());
    if (waitMs > 0) {
      this.#wakeIn(waitMs);
    } else if (slots.take(this)) {
      this.#pace.count(webhook.rateLimitPerMinute);
      this.#send(webhook, delivery);
    }
  }

  /** The current delivery. A clock set back meanwhile does not make its wait longer. */
  #takeCurrent(): QueuedDelivery | undefined {
    if (this.#current) return this.#current;
    const next = this.#deps.outbox.take(this.#webhookId, this.#doneSeq);
    const wait = next?.wait && {
      ...next.wait,
      dueAt: dueAfterRestart(next.wait.dueAt, next.wait.from, this.#deps.clock.now()),
    };
    this.#current = next && { ...next, wait: wait ?? null };
    return this.#current;
  }

  #mustWait(delivery: QueuedDelivery): boolean {
    const { timers } = this.#deps;
    const { wait } = delivery;
    if (!wait || wait.dueAt <= timers.now()) return false;
    this.#cancelWake = timers.set(wait.dueAt, {
      due: () => {
        this.#cancelWake = undefined;
        this.step();
      },
      moved: (dueAt) => {
        if (this.#current?.seq === delivery.seq) this.#current = { ...delivery, wait: { ...wait, dueAt } };
      },
    });
    return true;
  }

  #paceOf({ id, rateLimitPerMinute }: Webhook): RateLimiter {
    const { clock, log } = this.#deps;
    return new RateLimiter(clock, rateLimitPerMinute === null ? [] : log.attemptTimes(id, rateLimitPerMinute));
  }

  #send(webhook: Webhook, delivery: QueuedDelivery): void {
    const abort = new AbortController();
    const end = attempt(this.#deps, webhook, delivery, abort.signal)
      .then((outcome) => this.#ended(delivery, outcome))
      .then(
        () => undefined,
        (error: unknown) => error,
      )
      .then((error) => {
        this.#underWay = undefined;
        this.#deps.slots.give(this);
        if (error === undefined) this.step();
        else this.#troubled(error);
      });
    this.#underWay = { abort, end };
  }

  #ended(delivery: QueuedDelivery, outcome: AttemptOutcome): void {
    const { outbox, random, clock } = this.#deps;
    const webhook = outbox.find(this.#webhookId);
    // The code that cancelled it knows why; deleting a webhook also deletes its queue.
    if (!webhook || outcome.result === 'cancelled') return;
    const attempts = delivery.attempts + 1;
    const verdict = verdictOn(webhook, outcome, attempts);
    outbox.note(webhook.id, verdict.progress);
    if (verdict.fate === 'retry') {
      const from = clock.now();
      const wait = { from, dueAt: from + nextWait(attempts, outcome.waitAskedForMs, random) };
      this.#current = { ...delivery, attempts, wait };
      outbox.postpone(delivery, attempts, wait);
      this.#write(webhook, this.#current, outcome, 'retrying');
      return;
    }
    this.#finish(delivery);
    this.#write(webhook, { ...delivery, attempts }, outcome, verdict.fate === 'delivered' ? 'success' : 'failed');
    this.#afterEnd(webhook, verdict, outcome);
  }

  #afterEnd(webhook: Webhook, verdict: Exclude<DeliveryVerdict, { fate: 'retry' }>, outcome: AttemptOutcome): void {
    const { clock, onDisabled, onEnd } = this.#deps;
    onEnd(verdict.fate === 'delivered' ? 'delivered' : 'failed');
    this.#retryAfter = clock.monotonic() + (outcome.waitAskedForMs ?? 0);
    if (!('disabledBecause' in verdict) || verdict.disabledBecause === null) return;
    this.#seen = { url: webhook.url, status: 'disabled' };
    onDisabled(webhook, verdict.disabledBecause);
  }

  #finish(delivery: QueuedDelivery): void {
    this.#doneSeq = delivery.seq;
    this.#current = undefined;
    this.#deps.outbox.done(delivery);
  }

  /**
   * wire-facts §5 item 7: when a webhook is disabled, its queued deliveries are discarded. They can be sent again one
   * by one.
   */
  #giveUpSome(webhook: Webhook): void {
    for (let count = 0; count < DISCARD_BATCH; count++) {
      const delivery = this.#takeCurrent();
      if (!delivery) return;
      this.#finish(delivery);
      this.#write(webhook, delivery, null, 'dead_letter');
    }
    this.#wakeIn(0);
  }

  #write(
    webhook: Webhook,
    delivery: QueuedDelivery,
    outcome: AttemptOutcome | null,
    status: Exclude<DeliveryStatus, 'pending'>,
  ): void {
    const { wait } = delivery;
    this.#deps.log.write({
      // Field by field: V8 keeps a rest object as a hash table, which takes several times the memory.
      id: delivery.id,
      webhookId: delivery.webhookId,
      eventId: delivery.eventId,
      eventType: delivery.eventType,
      data: delivery.data,
      occurredAt: delivery.occurredAt,
      createdAt: delivery.createdAt,
      status,
      attemptNumber: delivery.attempts,
      maxAttempts: webhook.maxRetries + 1,
      responseStatusCode: outcome?.statusCode ?? null,
      responseBody: outcome?.responseBody ?? null,
      latencyMs: outcome?.latencyMs ?? null,
      errorMessage: outcome ? outcome.error : 'The webhook was disabled before it was delivered',
      attemptedAt: outcome?.at ?? null,
      nextRetryAt: status === 'retrying' ? (wait?.dueAt ?? null) : null,
    });
  }

  /** @param delayMs `null`: no timer. */
  #wakeIn(delayMs: number | null): void {
    this.#cancelWake?.();
    this.#cancelWake = undefined;
    if (delayMs === null) return;
    this.#cancelWake = this.#deps.clock.after(delayMs, () => {
      this.#cancelWake = undefined;
      this.step();
    });
  }

  #troubled(error: unknown): void {
    if (this.#isStopped) return;
    const { logger, outbox } = this.#deps;
    this.#wakeIn(INTERNAL_RETRY_MS);
    this.#throttle.once('trouble', () =>
      logger.error(
        { webhookId: this.#webhookId, name: outbox.find(this.#webhookId)?.name, error: messageOf(error) },
        'Could not deliver to a webhook; the relay retries',
      ),
    );
  }
}
