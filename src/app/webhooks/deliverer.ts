/**
 * Carries what happens in the house to those webhooks that are to hear of it (decisions §9). Reports become rows in relay.db before
 * anything is sent (`outbox.ts`); each webhook has a lane, in which they leave in order (`lane.ts`); what became of them is written
 * down in history.db (`delivery-log.ts`). At least once: a delivery whose end could not be committed is sent again, with the same id.
 */
import type { EventReport, EventReports } from '../../home/event-reports.ts';
import type { HomeEvents } from '../../home/events.ts';
import type { HttpSender } from '../../home/http-sender.ts';
import { type Clock, waitAtMost } from '../../kernel/clock.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { EventBus } from '../../kernel/event-bus.ts';
import { newId } from '../../kernel/ids.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import { type Logger, LogThrottle } from '../../kernel/logger.ts';
import type { WallTimers } from '../../kernel/wall-timers.ts';
import type { Notifier } from '../notifications/notifier.ts';
import { newEventId } from './delivery-body.ts';
import type { DeliveryLog } from './delivery-log.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import { Lane, type LaneParts } from './lane.ts';
import { Outbox } from './outbox.ts';
import { Slots } from './slots.ts';
import type { Webhook } from './webhook.ts';
import type { WebhookRegistry } from './webhook-registry.ts';
import type { WebhookScope } from './webhook-scope.ts';

/** For what is under way when the relay stops: most receivers answer sooner, and need not get it twice. */
const STOP_GRACE_MS = 1_000;

/** Since the start, but for what waits and works now. */
export interface DelivererStats {
  readonly queued: number;
  readonly lanesBusy: number;
  readonly delivered: number;
  /** Given up. */
  readonly failed: number;
  /** There was no room for them. */
  readonly dropped: number;
}

export interface DelivererParts {
  readonly reports: EventReports;
  readonly bus: EventBus<HomeEvents>;
  readonly registry: WebhookRegistry;
  readonly scope: WebhookScope;
  readonly queue: DeliveryQueue;
  readonly log: DeliveryLog;
  readonly http: HttpSender;
  readonly notifier: Notifier;
  readonly timers: WallTimers;
  readonly clock: Clock;
  readonly logger: Logger;
  /** `Math.random`, unless a test has its own. */
  readonly random?: () => number;
}

export class Deliverer implements Startable {
  readonly #parts: DelivererParts;
  readonly #laneParts: LaneParts;
  readonly #throttle: LogThrottle;
  readonly #slots = new Slots();
  readonly #lanes = new Map<string, Lane>();
  readonly #ended = { delivered: 0, failed: 0 };
  readonly outbox: Outbox;
  #subscriptions: (() => void)[] = [];
  #isRunning = false;

  constructor(parts: DelivererParts) {
    this.#parts = parts;
    this.#throttle = new LogThrottle(parts.clock);
    this.outbox = new Outbox(parts);
    this.outbox.onStored((webhookIds) => this.#stepAll(webhookIds));
    this.#laneParts = {
      ...parts,
      outbox: this.outbox,
      slots: this.#slots,
      random: parts.random ?? Math.random,
      onDisabled: (webhook, because) => this.#tellOwner(webhook, because),
      onEnd: (fate) => {
        this.#ended[fate] += 1;
      },
    };
  }

  /** Goes on with whatever waits. @throws `storage_unavailable` */
  start(): void {
    const { reports, bus, log, queue } = this.#parts;
    this.#isRunning = true;
    this.outbox.start();
    log.start(queue.attempted());
    this.#subscriptions = [
      reports.on((report) => this.#report(report)),
      bus.on('user.removed', () => this.#forgetRemoved()),
    ];
    this.#stepAll(this.outbox.webhookIds());
  }

  /** Waits a moment for what is under way, then breaks it off: it is sent again at the next start. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    for (const unsubscribe of this.#subscriptions.splice(0)) unsubscribe();
    const lanes = [...this.#lanes.values()];
    this.#lanes.clear();
    for (const lane of lanes) lane.close();
    const idle = Promise.all(lanes.map((lane) => lane.idle));
    await waitAtMost(this.#parts.clock, STOP_GRACE_MS, idle);
    for (const lane of lanes) lane.abort();
    await idle;
    this.outbox.stop();
    this.#parts.log.stop();
  }

  stats(): DelivererStats {
    const { count: queued, dropped } = this.outbox;
    return { queued, lanesBusy: this.#slots.busy, ...this.#ended, dropped };
  }

  /** Somebody made the webhook, changed it or deleted it. */
  changed(webhookId: string): void {
    if (this.#parts.registry.find(webhookId)) {
      this.outbox.changed(webhookId);
      if (this.#isRunning) this.#laneOf(webhookId).changed();
    } else {
      this.#forget(webhookId);
    }
  }

  #report(report: EventReport): void {
    const { registry, clock } = this.#parts;
    let event: { readonly eventId: string; readonly data: string } | undefined;
    for (const webhook of registry.active()) {
      if (!this.#concerns(webhook, report)) continue;
      event ??= { eventId: newEventId(), data: JSON.stringify(report.data) };
      this.outbox.add({
        // Each field by itself: ten thousand of these are made in seconds, and a spread costs more than all else here.
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

  /** Also asks whether it was disabled a moment ago, which is not committed yet. What one webhook's scope can't tell is no other's harm. */
  #concerns(webhook: Webhook, report: EventReport): boolean {
    try {
      return this.#parts.scope.concerns(webhook, report) && this.outbox.statusOf(webhook.id) === 'active';
    } catch (error) {
      this.#throttle.once(webhook.id, () =>
        this.#parts.logger.error(
          { webhookId: webhook.id, error: messageOf(error) },
          'A webhook was not told of an event',
        ),
      );
      return false;
    }
  }

  #stepAll(webhookIds: readonly string[]): void {
    if (!this.#isRunning) return;
    for (const id of webhookIds) this.#laneOf(id).step();
  }

  #laneOf(webhookId: string): Lane {
    let lane = this.#lanes.get(webhookId);
    if (!lane) {
      lane = new Lane(webhookId, this.#laneParts);
      this.#lanes.set(webhookId, lane);
    }
    return lane;
  }

  #forgetRemoved(): void {
    for (const id of new Set([...this.#lanes.keys(), ...this.outbox.webhookIds()])) {
      if (!this.#parts.registry.find(id)) this.#forget(id);
    }
  }

  #forget(webhookId: string): void {
    const lane = this.#lanes.get(webhookId);
    lane?.close();
    lane?.abort();
    this.#lanes.delete(webhookId);
    this.outbox.forget(webhookId);
    this.#parts.log.forget(webhookId);
  }

  #tellOwner({ id, name, ownerId }: Webhook, because: string): void {
    const { notifier, logger } = this.#parts;
    logger.warn({ webhookId: id, because }, 'A webhook was disabled');
    const message = `The webhook “${name}” was disabled because ${because}. Resume it when its receiver works again.`;
    notifier
      .notify({
        // Webhooks are seen by nobody else; the system's, which belong to nobody, by those who manage any home.
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
        logger.error({ error: messageOf(error) }, 'Nobody could be told of a disabled webhook'),
      );
  }
}
