/**
 * Operations on webhooks (API §6.1). Only the owner and the system see a webhook. The owner is a user, with the callers
 * that act for that user, or `null`: the CLI and its tokens. All operations are for admins of any home, and for a
 * session only while its account has Developer Mode on (decisions §7).
 *
 * Apps may list, pause and delete webhooks. They can't create or change them, nor see a secret: what they set up would
 * outlive what the user allowed them.
 */
import { parseInput } from '../../contract/parse.ts';
import {
  DeliveryPage,
  NewWebhook,
  WebhookChanges,
  type WebhookEventType,
  WebhookPage,
  type WebhookTest,
} from '../../contract/webhooks.ts';
import type { HttpJudge } from '../../home/http-sender.ts';
import { HearthError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { type Developers, requireDeveloper } from '../access/access-tokens.ts';
import type { AppDeps } from '../access/app-deps.ts';
import { requireMaker } from '../access/authority.ts';
import { insufficientPermissions, notFound } from '../access/authorize.ts';
import { type Caller, ownerOf } from '../access/caller.ts';
import type { Collections } from '../groups/collections.ts';
import type { DeliveryRecord, WebhookDeliveries } from './delivery.ts';
import { EVENT_TYPES, generateSecret, presentableWebhook, type Webhook, type WebhookInfo } from './webhook.ts';
import type { WebhookRegistry } from './webhook-registry.ts';
import { WebhookTargets } from './webhook-targets.ts';

const MAX_PER_OWNER = 100;
/** decisions §9: how long receivers have to switch to the new secret. */
const OVERLAP_MS = 24 * 60 * 60_000;

interface Deps extends AppDeps<'state' | 'access' | 'makers' | 'clock'> {
  readonly registry: WebhookRegistry;
  readonly deliveries: WebhookDeliveries;
  readonly developers: Developers;
  readonly collections: Pick<Collections, 'get'>;
  readonly judge: HttpJudge['judge'];
}

export interface DeliveryRecords {
  /** Newest first. */
  readonly deliveries: readonly DeliveryRecord[];
  /** The total number. */
  readonly total: number;
  readonly offset: number;
  readonly limit: number;
}

/** A webhook with its whole secret, shown only once. */
export interface WebhookWithSecret {
  readonly webhook: WebhookInfo;
  readonly secret: string;
}

export class Webhooks {
  readonly #deps: Deps;
  readonly #targets: WebhookTargets;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#targets = new WebhookTargets(deps);
    deps.makers.register('webhook', {
      find: (id) => {
        const webhook = deps.registry.find(id);
        return webhook && { name: webhook.name, homeId: null };
      },
      end: (id) => this.#remove(id),
    });
  }

  /**
   * Lists webhooks, oldest first: a user's own; all for the system. @param page `limit` 1–500, default all; `status`
   * filters.
   * @throws `insufficient_permissions` · `developer_mode_required` · `invalid_value`
   */
  list(caller: Caller, page: WebhookPage = {}): readonly WebhookInfo[] {
    const owner = this.#authorize(caller);
    const { status, limit, offset } = parseInput(WebhookPage, page);
    return this.#deps.registry
      .all()
      .filter((webhook) => isVisible(webhook, owner) && (status === undefined || webhook.status === status))
      .slice(offset, limit === undefined ? undefined : offset + limit)
      .map((webhook) => this.#shown(webhook));
  }

  /** The number of the caller's own webhooks; of all for the system. For every caller. */
  countOf(caller: Caller): number {
    const owner = ownerOf(caller);
    return owner === undefined ? 0 : this.#deps.registry.all().filter((webhook) => isVisible(webhook, owner)).length;
  }

  /**
   * For its owner and the system.
   * @throws `insufficient_permissions` · `developer_mode_required` · `webhook_not_found`
   */
  get(caller: Caller, id: string): WebhookInfo {
    return this.#shown(this.#existing(caller, id));
  }

  /**
   * The event types that a webhook can subscribe to, except `*`. @throws `insufficient_permissions` ·
   * `developer_mode_required`
   */
  eventTypes(caller: Caller): readonly WebhookEventType[] {
    this.#authorize(caller);
    return EVENT_TYPES;
  }

  /**
   * Creates a webhook, active at once. Not for apps.
   * @param input the caller must manage what its lists name; a collection must be its own. See `NewWebhook`.
   * @returns the whole secret, shown only once.
   * @throws `insufficient_permissions` · `developer_mode_required` · `invalid_value` · `home_not_found`,
   *         `room_not_found`, `accessory_not_found`, `not_found` (a collection) · `conflict` the owner has a hundred
   *         already
   */
  create(caller: Caller, input: NewWebhook): WebhookWithSecret {
    const ownerId = this.#authorizeMaking(caller);
    const { registry, deliveries, clock } = this.#deps;
    const choices = parseInput(NewWebhook, input);
    this.#targets.require(caller, choices);
    if (registry.all().filter((webhook) => webhook.ownerId === ownerId).length >= MAX_PER_OWNER) {
      throw new HearthError('conflict', `There may be ${MAX_PER_OWNER} webhooks at most. Delete one first.`, {
        reason: 'limit_reached',
      });
    }
    const secret = generateSecret();
    const webhook: Webhook = {
      id: newId(),
      ...choices,
      secret,
      previousSecret: null,
      previousSecretUntil: null,
      status: 'active',
      consecutiveFailures: 0,
      droppedCount: 0,
      lastTriggeredAt: null,
      lastSuccessAt: null,
      lastFailureAt: null,
      lastFailureReason: null,
      ownerId,
      createdAt: clock.now(),
    };
    registry.insert(webhook);
    this.#deps.makers.record(caller, 'webhook', webhook.id);
    deliveries.changed(webhook);
    return { webhook: this.#shown(webhook), secret };
  }

  /**
   * Changes the given fields, in one transaction; its secret, its status and its queue stay. For its owner and the
   * system; not for apps.
   * @throws as `create`, and `webhook_not_found`
   */
  update(caller: Caller, id: string, changes: WebhookChanges): WebhookInfo {
    const webhook = this.#changeable(caller, id);
    const parsed = parseInput(WebhookChanges, changes);
    this.#targets.require(caller, parsed, webhook);
    this.#deps.makers.record(caller, 'webhook', webhook.id);
    return this.#change(webhook, parsed);
  }

  /** Deletes it with its queue. For its owner and the system. @throws as `get` */
  delete(caller: Caller, id: string): WebhookInfo {
    const webhook = this.#existing(caller, id);
    const shown = this.#shown(webhook);
    this.#remove(webhook.id);
    this.#deps.makers.forget('webhook', webhook.id);
    return shown;
  }

  /** Pauses it: it gets no more events, and its queue keeps waiting. For its owner and the system. @throws as `get` */
  pause(caller: Caller, id: string): WebhookInfo {
    return this.#change(this.#existing(caller, id), { status: 'paused' });
  }

  /** Activates it from any status and resets its failures. For its owner and the system. @throws as `get` */
  resume(caller: Caller, id: string): WebhookInfo {
    return this.#change(this.#existing(caller, id), { status: 'active', consecutiveFailures: 0 });
  }

  /**
   * Creates a new secret, which signs from now on; the previous one also signs for 24 hours. For its owner and the
   * system; not for apps.
   * @returns the whole secret, shown only once. @throws as `get`
   */
  rotateSecret(caller: Caller, id: string): WebhookWithSecret {
    const webhook = this.#changeable(caller, id);
    this.#deps.makers.record(caller, 'webhook', webhook.id);
    const secret = generateSecret();
    const previousSecretUntil = this.#deps.clock.now() + OVERLAP_MS;
    return {
      webhook: this.#change(webhook, { secret, previousSecret: webhook.secret, previousSecretUntil }),
      secret,
    };
  }

  /**
   * Sends a test event and waits for the response, in any status of the webhook. For its owner and the system.
   * @throws as `get`, and `rate_limited`
   */
  async test(caller: Caller, id: string): Promise<WebhookTest> {
    return this.#deps.deliveries.sendTest(this.#existing(caller, id));
  }

  /**
   * Lists its deliveries, newest first. For its owner and the system. @param page `limit` 1–500, default 50.
   * @throws as `get`, and `invalid_value`
   */
  deliveries(caller: Caller, id: string, page: DeliveryPage = {}): DeliveryRecords {
    const webhook = this.#existing(caller, id);
    const { limit, offset, status } = parseInput(DeliveryPage, page);
    return { ...this.#deps.deliveries.history(webhook.id, { limit, offset, status }), offset, limit };
  }

  /**
   * Queues a finished delivery again, as a new delivery of the same event. For its owner and the system.
   * @throws as `get`, and `not_found` the delivery · `conflict` it is a test or has not ended, or the webhook is
   *         disabled
   */
  resend(caller: Caller, id: string, deliveryId: string): DeliveryRecord {
    return this.#deps.deliveries.resend(this.#existing(caller, id).id, deliveryId);
  }

  // — inside —

  /** @returns the user that the caller acts for; `null` for the system and its tokens. */
  #authorize(caller: Caller): string | null {
    this.#deps.access.authorizeAny(caller, 'manage');
    const owner = ownerOf(caller);
    if (owner === undefined) throw insufficientPermissions();
    requireDeveloper(caller, this.#deps.developers);
    return owner;
  }

  #authorizeMaking(caller: Caller): string | null {
    const owner = this.#authorize(caller);
    requireMaker(caller, 'webhook');
    return owner;
  }

  #changeable(caller: Caller, id: string): Webhook {
    this.#authorizeMaking(caller);
    const webhook = this.#existing(caller, id);
    this.#deps.makers.requireMayChange(caller, 'webhook', webhook.id);
    return webhook;
  }

  #remove(id: string): void {
    const webhook = this.#deps.registry.find(id);
    if (!webhook) return;
    this.#deps.registry.delete(id);
    this.#deps.deliveries.changed(webhook);
  }

  #existing(caller: Caller, id: string): Webhook {
    const owner = this.#authorize(caller);
    const webhook = this.#deps.registry.find(id);
    if (!webhook || !isVisible(webhook, owner)) throw notFound('webhook_not_found');
    return webhook;
  }

  #change(webhook: Webhook, changes: Partial<Webhook>): WebhookInfo {
    const changed = this.#deps.registry.update(webhook.id, changes) ?? webhook;
    this.#deps.deliveries.changed(changed);
    return this.#shown(changed);
  }

  #shown(webhook: Webhook): WebhookInfo {
    return presentableWebhook(webhook, this.#deps.deliveries.queuedCount(webhook.id));
  }
}

/** The system and its tokens (`null`) see every webhook; a user sees their own. */
function isVisible(webhook: Webhook, owner: string | null): boolean {
  return owner === null || webhook.ownerId === owner;
}
