/**
 * Delivers events of the home to the webhooks that subscribe to them (decisions §9). Reports become rows in relay.db
 * before anything is sent (`outbox.ts`). Each webhook has a worker, which sends them in order (`delivery-worker.ts`).
 * `delivery-log.ts` saves the outcomes in history.db. At least once: a delivery whose end could not be committed is
 * sent again, with the same id.
 */
import type { EventReport, EventReports } from '../../home/event-reports.ts';
import type { HomeDeps } from '../../home/home-deps.ts';
import type { HttpSender } from '../../home/http-sender.ts';
import { waitAtMost } from '../../kernel/clock.ts';
import { messageOf } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import { LogThrottle } from '../../kernel/logger.ts';
import type { Notifier } from '../notifications/notifier.ts';
import { newEventId } from './delivery-body.ts';
import type { DeliveryLog } from './delivery-log.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import { DeliveryWorker, type DeliveryWorkerDeps } from './delivery-worker.ts';
import { Outbox } from './outbox.ts';
import { Semaphore } from './semaphore.ts';
import type { Webhook } from './webhook.ts';
import type { WebhookRegistry } from './webhook-registry.ts';
import type { WebhookScope } from './webhook-scope.ts';

/**
 * The grace period for attempts in progress when the relay stops: most receivers answer sooner, and need not get it
 * twice.
 */
const STOP_GRACE_MS = 1_000;

/** Counts since the start; `queued` and `lanesBusy` are current. */
export interface DelivererStats {
  readonly queued: number;
  readonly lanesBusy: number;
  readonly delivered: number;
  /** Discarded deliveries. */
  readonly failed: number;
  /** Deliveries dropped because the queue was full. */
  readonly dropped: number;
}

export interface DelivererDeps extends HomeDeps<'bus' | 'clock' | 'timers' | 'logger'> {
  readonly reports: EventReports;
  readonly registry: WebhookRegistry;
  readonly scope: WebhookScope;
  readonly queue: DeliveryQueue;
  readonly log: DeliveryLog;
  readonly http: HttpSender;
  readonly notifier: Notifier;
  /** Default: `Math.random`. */
  readonly random?: () => number;
}

export class Deliverer implements Startable {
  readonly #deps: DelivererDeps;
  readonly #laneParts: DeliveryWorkerDeps;
  readonly #throttle: LogThrottle;
  readonly #slots = new Semaphore();
  readonly #lanes = new Map<string, DeliveryWorker>();
  readonly #ended = { delivered: 0, failed: 0 };
  readonly outbox: Outbox;
  #subscriptions: (() => void)[] = [];
  #isRunning = false;

  constructor(deps: DelivererDeps) {
    this.#deps = deps;
    this.#throttle = new LogThrottle(deps.clock);
    this.outbox = new Outbox(deps);
    this.outbox.onStored((webhookIds) => this.#stepAll(webhookIds));
    this.#laneParts = {
      ...deps,
      outbox: this.outbox,
      slots: this.#slots,
      random: deps.random ?? Math.random,
      onDisabled: (webhook, because) => this.#notifyOwner(webhook, because),
      onEnd: (fate) => {
        this.#ended[fate] += 1;
      },
    };
  }

  /** Continues with the queued deliveries. @throws `storage_unavailable` */
  start(): void {
    const { reports, bus, log, queue } = this.#deps;
    this.#isRunning = true;
    this.outbox.start();
    log.start(queue.attempted());
    this.#subscriptions = [
      reports.on((report) => this.#report(report)),
      bus.on('user.removed', () => this.#forgetRemoved()),
    ];
    this.#stepAll(this.outbox.webhookIds());
  }

  /** Waits briefly for attempts in progress, then cancels them: they are sent again at the next start. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    for (const unsubscribe of this.#subscriptions.splice(0)) unsubscribe();
    const lanes = [...this.#lanes.values()];
    this.#lanes.clear();
    for (const lane of lanes) lane.close();
    const idle = Promise.all(lanes.map((lane) => lane.idle));
    await waitAtMost(this.#deps.clock, STOP_GRACE_MS, idle);
    for (const lane of lanes) lane.abort();
    await idle;
    this.outbox.stop();
    this.#deps.log.stop();
  }

  stats(): DelivererStats {
    const { count: queued, dropped } = this.outbox;
    return { queued, lanesBusy: this.#slots.busy, ...this.#ended, dropped };
  }

  /** Call after the webhook was created, changed or deleted. */
  changed(webhookId: string): void {
    if (this.#deps.registry.find(webhookId)) {
      this.outbox.changed(webhookId);
      if (this.#isRunning) this.#laneOf(webhookId).changed();
    } else {
      this.#forget(webhookId);
    }
  }

  #report(report: EventReport): void {
    const { registry, clock } = this.#deps;
    let event: { readonly eventId: string; readonly data: string } | undefined;
    for (const webhook of registry.active()) {
      if (!this.#concerns(webhook, report)) continue;
      event ??= { eventId: newEventId(), data: JSON.stringify(report.data) };
      this.outbox.add({
        // Field by field: ten thousand of these are created in seconds, and a spread costs more than everything else
        // here.
        id: newId(),
        webhookId: webhook.id,
        eventId: event.eventId,
        eventType: report.type,
        data: event.data,
        occurredAt: report.at,
        createdAt: clock.now(),
      });
    }
  }

  /**
   * Also checks whether it was disabled a moment ago, which is not committed yet. An error in one webhook's scope does
   * not affect the others.
   */
  #concerns(webhook: Webhook, report: EventReport): boolean {
    try {
      return this.#deps.scope.concerns(webhook, report) && this.outbox.statusOf(webhook.id) === 'active';
    } catch (error) {
      this.#throttle.once(webhook.id, () =>
        this.#deps.logger.error(
          { webhookId: webhook.id, name: webhook.name, error: messageOf(error) },
          'Could not queue an event for a webhook',
        ),
      );
      return false;
    }
  }

  #stepAll(webhookIds: readonly string[]): void {
    if (!this.#isRunning) return;
    for (const id of webhookIds) this.#laneOf(id).step();
  }

  #laneOf(webhookId: string): DeliveryWorker {
    let lane = this.#lanes.get(webhookId);
    if (!lane) {
      lane = new DeliveryWorker(webhookId, this.#laneParts);
      this.#lanes.set(webhookId, lane);
    }
    return lane;
  }

  #forgetRemoved(): void {
    for (const id of new Set([...this.#lanes.keys(), ...this.outbox.webhookIds()])) {
      if (!this.#deps.registry.find(id)) this.#forget(id);
    }
  }

  #forget(webhookId: string): void {
    const lane = this.#lanes.get(webhookId);
    lane?.close();
    lane?.abort();
    this.#lanes.delete(webhookId);
    this.outbox.forget(webhookId);
    this.#deps.log.forget(webhookId);
  }

  #notifyOwner({ id, name, ownerId }: Webhook, because: string): void {
    const { notifier, logger } = this.#deps;
    logger.warn({ webhookId: id, name, because }, 'Disabled a webhook');
    const message = `The webhook “${name}” was disabled because ${because}. Resume it when its receiver works again.`;
    notifier
      .notify({
        // Only its owner sees a webhook; those of the system, which have no owner, are visible to admins of any home.
        ownerId,
        homeId: null,
        automationId: null,
        title: 'Webhook disabled',
        message,
        icon: null,
        iconColor: null,
        data: null,
      })
      .catch((error: unknown) =>
        logger.error(
          { webhookId: id, name, error: messageOf(error) },
          'Could not notify the owner of a disabled webhook',
        ),
      );
  }
}
