/**
 * One webhook's deliveries, strictly in order and one at a time: the next is sent when the one before was delivered or given up.
 * Whatever happens in one lane delays no other.
 */
import { messageOf } from '../../kernel/errors.ts';
import { type Logger, LogThrottle } from '../../kernel/logger.ts';
import type { WallTimers } from '../../kernel/wall-timers.ts';
import { type AttemptOutcome, type AttemptParts, attempt } from './attempt.ts';
import { type Verdict, verdictOn } from './breaker.ts';
import type { DeliveryStatus } from './delivery.ts';
import type { DeliveryLog } from './delivery-log.ts';
import type { QueuedDelivery } from './delivery-queue.ts';
import type { Outbox } from './outbox.ts';
import { Pace } from './pace.ts';
import { dueAfterRestart, nextWait } from './retry-schedule.ts';
import type { Slots, SlotUser } from './slots.ts';
import type { Webhook } from './webhook.ts';

/** After the queue could not be read, or something else went wrong that no receiver did. */
const TROUBLE_MS = 10_000;
/** Given up at once when a webhook is disabled: some milliseconds of work. */
const GIVEN_UP_A_SLICE = 100;

export interface LaneParts extends AttemptParts {
  readonly outbox: Outbox;
  readonly log: DeliveryLog;
  readonly slots: Slots;
  readonly timers: WallTimers;
  readonly logger: Logger;
  readonly random: () => number;
  /** The relay gave up its receiver. */
  readonly onDisabled: (webhook: Webhook, because: string) => void;
  readonly onEnd: (fate: 'delivered' | 'failed') => void;
}

export class Lane implements SlotUser {
  readonly #webhookId: string;
  readonly #parts: LaneParts;
  readonly #throttle: LogThrottle;
  /** Up to here everything is dealt with. */
  #doneSeq = 0;
  /** Under way, or waiting for its next attempt. */
  #current: QueuedDelivery | undefined;
  #pace: Pace | undefined;
  /** The receiver asked to be left alone until then, by the monotonic clock. */
  #leaveAloneUntil = Number.NEGATIVE_INFINITY;
  /** Where it was sent last, and with which status: another one is worth another try at once. */
  #seen: Pick<Webhook, 'url' | 'status'> | undefined;
  #underWay: { readonly abort: AbortController; readonly end: Promise<void> } | undefined;
  #cancelWake: (() => void) | undefined;
  #isStopped = false;

  constructor(webhookId: string, parts: LaneParts) {
    this.#webhookId = webhookId;
    this.#parts = parts;
    this.#throttle = new LogThrottle(parts.clock);
  }

  /** Does what is next, as soon as it may be done. Called whenever something may have changed; never throws. */
  step(): void {
    if (this.#isStopped || this.#underWay) return;
    this.#wakeIn(null);
    try {
      this.#next();
    } catch (error) {
      this.#troubled(error);
    }
  }

  /** Somebody changed the webhook. Where its receiver is another one, or it was resumed, no wait is sat out, nor an answer of the old one. */
  changed(): void {
    const webhook = this.#parts.outbox.find(this.#webhookId);
    const seen = this.#seen;
    const isElsewhere = webhook?.url !== seen?.url;
    if (webhook && seen && (isElsewhere || (webhook.status === 'active' && seen.status !== 'active'))) {
      if (isElsewhere) this.abort();
      this.#leaveAloneUntil = Number.NEGATIVE_INFINITY;
      if (this.#current) this.#current = { ...this.#current, wait: null };
    }
    if (webhook) this.#seen = webhook;
    this.step();
  }

  /** Resolves when nothing is under way. */
  get idle(): Promise<void> {
    return this.#underWay?.end ?? Promise.resolve();
  }

  /** Begins nothing more. What is under way may still end. */
  close(): void {
    this.#isStopped = true;
    this.#wakeIn(null);
    this.#parts.slots.leave(this);
  }

  /** Breaks off what is under way, which does not count as an attempt. */
  abort(): void {
    this.#underWay?.abort.abort();
  }

  #next(): void {
    const { outbox, slots, clock } = this.#parts;
    const webhook = outbox.find(this.#webhookId);
    if (!webhook) return;
    this.#seen ??= webhook;
    if (webhook.status === 'disabled') this.#giveUpSome(webhook);
    if (webhook.status !== 'active') return;
    const delivery = this.#takeCurrent();
    if (!delivery || this.#mustWait(delivery)) return;
    this.#pace ??= this.#paceOf(webhook);
    const waitMs = Math.max(this.#pace.waitMs(webhook.rateLimitPerMinute), this.#leaveAloneUntil - clock.monotonic());
    if (waitMs > 0) {
      this.#wakeIn(waitMs);
    } else if (slots.take(this)) {
      this.#pace.count(webhook.rateLimitPerMinute);
      this.#send(webhook, delivery);
    }
  }

  /** A wait that began under a clock that was set back meanwhile is not longer for it. */
  #takeCurrent(): QueuedDelivery | undefined {
    if (this.#current) return this.#current;
    const next = this.#parts.outbox.take(this.#webhookId, this.#doneSeq);
    const wait = next?.wait && {
      ...next.wait,
      dueAt: dueAfterRestart(next.wait.dueAt, next.wait.from, this.#parts.clock.now()),
    };
    this.#current = next && { ...next, wait: wait ?? null };
    return this.#current;
  }

  #mustWait(delivery: QueuedDelivery): boolean {
    const { timers } = this.#parts;
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

  #paceOf({ id, rateLimitPerMinute }: Webhook): Pace {
    const { clock, log } = this.#parts;
    return new Pace(clock, rateLimitPerMinute === null ? [] : log.attemptTimes(id, rateLimitPerMinute));
  }

  #send(webhook: Webhook, delivery: QueuedDelivery): void {
    const abort = new AbortController();
    const end = attempt(this.#parts, webhook, delivery, abort.signal)
      .then((outcome) => this.#ended(delivery, outcome))
      .then(
        () => undefined,
        (error: unknown) => error,
      )
      .then((error) => {
        this.#underWay = undefined;
        this.#parts.slots.give(this);
        if (error === undefined) this.step();
        else this.#troubled(error);
      });
    this.#underWay = { abort, end };
  }

  #ended(delivery: QueuedDelivery, outcome: AttemptOutcome): void {
    const { outbox, random, clock } = this.#parts;
    const webhook = outbox.find(this.#webhookId);
    // Whoever broke it off knows why; a webhook that is gone has taken its queue with it.
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

  #afterEnd(webhook: Webhook, verdict: Exclude<Verdict, { fate: 'retry' }>, outcome: AttemptOutcome): void {
    const { clock, onDisabled, onEnd } = this.#parts;
    onEnd(verdict.fate === 'delivered' ? 'delivered' : 'failed');
    this.#leaveAloneUntil = clock.monotonic() + (outcome.waitAskedForMs ?? 0);
    if (!('disabledBecause' in verdict) || verdict.disabledBecause === null) return;
    this.#seen = { url: webhook.url, status: 'disabled' };
    onDisabled(webhook, verdict.disabledBecause);
  }

  #finish(delivery: QueuedDelivery): void {
    this.#doneSeq = delivery.seq;
    this.#current = undefined;
    this.#parts.outbox.done(delivery);
  }

  /** wire-facts §5 item 7: what still waits when a webhook is disabled is not delivered any more. It can be sent again one by one. */
  #giveUpSome(webhook: Webhook): void {
    for (let count = 0; count < GIVEN_UP_A_SLICE; count++) {
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
    const { seq: _, attempts, wait, ...rest } = delivery;
    this.#parts.log.write({
      ...rest,
      status,
      attemptNumber: attempts,
      maxAttempts: webhook.maxRetries + 1,
      responseStatusCode: outcome?.statusCode ?? null,
      responseBody: outcome?.responseBody ?? null,
      latencyMs: outcome?.latencyMs ?? null,
      errorMessage: outcome ? outcome.error : 'The webhook was disabled before it was delivered',
      attemptedAt: outcome?.at ?? null,
      nextRetryAt: status === 'retrying' ? (wait?.dueAt ?? null) : null,
    });
  }

  /** @param delayMs `null`: not by itself. */
  #wakeIn(delayMs: number | null): void {
    this.#cancelWake?.();
    this.#cancelWake = undefined;
    if (delayMs === null) return;
    this.#cancelWake = this.#parts.clock.after(delayMs, () => {
      this.#cancelWake = undefined;
      this.step();
    });
  }

  #troubled(error: unknown): void {
    if (this.#isStopped) return;
    const { logger } = this.#parts;
    this.#wakeIn(TROUBLE_MS);
    this.#throttle.once('trouble', () =>
      logger.error({ webhookId: this.#webhookId, error: messageOf(error) }, 'A webhook is not delivered to for now'),
    );
  }
}
