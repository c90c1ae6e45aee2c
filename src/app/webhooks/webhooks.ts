/**
 * Webhooks as operations (API §6.1). They belong to whoever made them and are seen by nobody else but the system: a user's, with what
 * acts for that user, or `null`, which is the CLI and the tokens it made. All of it is for admins of any home, and for a session only
 * while its account has Developer Mode on (decisions §7).
 *
 * Apps look, pause and delete, but neither make webhooks nor change them nor see a secret: what they set up would outlive what their
 * person allowed them.
 */
import type { HomeState } from '../../home/home-state.ts';
import type { HttpJudge } from '../../home/http-sender.ts';
import type { Clock } from '../../kernel/clock.ts';
import { type ErrorCode, HearthError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { type Developers, requireDeveloper } from '../access/access-tokens.ts';
import { type Access, insufficientPermissions, notFound } from '../access/authorize.ts';
import { type Caller, ownerOf } from '../access/caller.ts';
import type { Collections } from '../groups/collections.ts';
import type { DeliveryRecord, TestDelivery, WebhookDeliveries } from './delivery.ts';
import {
  EVENT_TYPES,
  type EventTypeInfo,
  generateSecret,
  presentableWebhook,
  type Webhook,
  type WebhookInfo,
  type WebhookLists,
} from './webhook.ts';
import {
  type InputRules,
  type NewWebhook,
  parseDeliveryStatus,
  parseNewWebhook,
  parseWebhookChanges,
  parseWebhookStatus,
  parseWhole,
  type WebhookChanges,
} from './webhook-input.ts';
import type { WebhookRegistry } from './webhook-registry.ts';

const MOST_PER_OWNER = 100;
/** decisions §9: receivers have that long to learn the new secret. */
const OVERLAP_MS = 24 * 60 * 60_000;
/** wire-facts §4.3. */
const USUAL_PAGE = 50;
const LARGEST_PAGE = 500;

interface Parts {
  readonly registry: WebhookRegistry;
  readonly deliveries: WebhookDeliveries;
  readonly state: HomeState;
  readonly access: Access;
  readonly developers: Developers;
  readonly collections: Pick<Collections, 'get'>;
  readonly judge: HttpJudge['judge'];
  readonly clock: Clock;
}

/** Which part of a list is wanted. */
interface Page {
  readonly limit?: unknown;
  readonly offset?: unknown;
  readonly status?: unknown;
}

export interface DeliveryPage {
  /** Newest first. */
  readonly deliveries: readonly DeliveryRecord[];
  /** In all. */
  readonly total: number;
  readonly offset: number;
  readonly limit: number;
}

/** A webhook with its whole secret, this once only. */
export interface WebhookWithSecret {
  readonly webhook: WebhookInfo;
  readonly secret: string;
}

export class Webhooks {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Oldest first: a user's own; for the system all. @param page `limit` 1–500, all if left out; `status` only those.
   * @throws `insufficient_permissions` · `developer_mode_required` · `invalid_value`
   */
  list(caller: Caller, page: Page = {}): readonly WebhookInfo[] {
    const owner = this.#authorize(caller);
    const status = isLeftOut(page.status) ? undefined : parseWebhookStatus(page.status);
    const offset = parseOffset(page.offset);
    const limit = isLeftOut(page.limit) ? undefined : parseLimit(page.limit);
    return this.#parts.registry
      .all()
      .filter((webhook) => isVisible(webhook, owner) && (status === undefined || webhook.status === status))
      .slice(offset, limit === undefined ? undefined : offset + limit)
      .map((webhook) => this.#shown(webhook));
  }

  /** How many are the caller's own; for the system all. For everybody. */
  countOf(caller: Caller): number {
    const owner = ownerOf(caller);
    return owner === undefined ? 0 : this.#parts.registry.all().filter((webhook) => isVisible(webhook, owner)).length;
  }

  /** For its owner and the system. @throws `insufficient_permissions` · `developer_mode_required` · `webhook_not_found` */
  get(caller: Caller, id: string): WebhookInfo {
    return this.#shown(this.#existing(caller, id));
  }

  /** What a webhook can subscribe to, beside `*`. @throws `insufficient_permissions` · `developer_mode_required` */
  eventTypes(caller: Caller): readonly EventTypeInfo[] {
    this.#authorize(caller);
    return EVENT_TYPES;
  }

  /**
   * Makes a webhook, active from now on. Not for apps.
   * @param input what its lists name must be managed by the caller; a collection must be its own. See `NewWebhook`.
   * @returns the whole secret, this once only.
   * @throws `insufficient_permissions` · `developer_mode_required` · `invalid_value` · `home_not_found`, `room_not_found`,
   *         `accessory_not_found`, `not_found` (a collection) · `conflict` the owner has a hundred already
   */
  create(caller: Caller, input: NewWebhook): WebhookWithSecret {
    const ownerId = this.#authorizeMaking(caller);
    const { registry, deliveries, clock } = this.#parts;
    const choices = parseNewWebhook(input, this.#rulesFor(caller));
    if (registry.all().filter((webhook) => webhook.ownerId === ownerId).length >= MOST_PER_OWNER) {
      throw new HearthError('conflict', `There may be ${MOST_PER_OWNER} webhooks at most. Delete one first.`, {
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
    deliveries.changed(webhook);
    return { webhook: this.#shown(webhook), secret };
  }

  /**
   * Changes what is given of it, all or nothing; its secret, its status and what waits to be delivered stay. For its owner and the
   * system; not for apps.
   * @throws as `create`, and `webhook_not_found`
   */
  update(caller: Caller, id: string, changes: WebhookChanges): WebhookInfo {
    this.#authorizeMaking(caller);
    const webhook = this.#existing(caller, id);
    return this.#change(webhook, parseWebhookChanges(changes, webhook, this.#rulesFor(caller)));
  }

  /** With what waits to be delivered. For its owner and the system. @throws as `get` */
  delete(caller: Caller, id: string): WebhookInfo {
    const webhook = this.#existing(caller, id);
    const shown = this.#shown(webhook);
    this.#parts.registry.delete(webhook.id);
    this.#parts.deliveries.changed(webhook);
    return shown;
  }

  /** It hears of nothing any more, and what waits goes on waiting. For its owner and the system. @throws as `get` */
  pause(caller: Caller, id: string): WebhookInfo {
    return this.#change(this.#existing(caller, id), { status: 'paused' });
  }

  /** Active again, from whatever status, as if nothing had failed. For its owner and the system. @throws as `get` */
  resume(caller: Caller, id: string): WebhookInfo {
    return this.#change(this.#existing(caller, id), { status: 'active', consecutiveFailures: 0 });
  }

  /**
   * A new secret, which signs from now on; the one before signs beside it for 24 hours. For its owner and the system; not for apps.
   * @returns the whole secret, this once only. @throws as `get`
   */
  rotateSecret(caller: Caller, id: string): WebhookWithSecret {
    this.#authorizeMaking(caller);
    const webhook = this.#existing(caller, id);
    const secret = generateSecret();
    const previousSecretUntil = this.#parts.clock.now() + OVERLAP_MS;
    return {
      webhook: this.#change(webhook, { secret, previousSecret: webhook.secret, previousSecretUntil }),
      secret,
    };
  }

  /**
   * Sends it a test event and waits for the answer, whatever its status. For its owner and the system.
   * @throws as `get`, and `rate_limited`
   */
  async test(caller: Caller, id: string): Promise<TestDelivery> {
    return this.#parts.deliveries.sendTest(this.#existing(caller, id));
  }

  /**
   * What became of its deliveries, newest first. For its owner and the system. @param page `limit` 1–500, 50 if left out.
   * @throws as `get`, and `invalid_value`
   */
  deliveries(caller: Caller, id: string, page: Page = {}): DeliveryPage {
    const webhook = this.#existing(caller, id);
    const limit = isLeftOut(page.limit) ? USUAL_PAGE : parseLimit(page.limit);
    const offset = parseOffset(page.offset);
    const status = isLeftOut(page.status) ? undefined : parseDeliveryStatus(page.status);
    return { ...this.#parts.deliveries.history(webhook.id, { limit, offset, status }), offset, limit };
  }

  /**
   * Queues something that was delivered or given up once more, as a delivery of its own about the same event. For its owner and the
   * system. @throws as `get`, and `not_found` the delivery · `conflict` it is a test or has not ended, or the webhook is disabled
   */
  resend(caller: Caller, id: string, deliveryId: string): DeliveryRecord {
    return this.#parts.deliveries.resend(this.#existing(caller, id).id, deliveryId);
  }

  // — inside —

  /** @returns the user that the caller acts for; `null` for the system and what it made. */
  #authorize(caller: Caller): string | null {
    this.#parts.access.authorizeAny(caller, 'manage');
    const owner = ownerOf(caller);
    if (owner === undefined) throw insufficientPermissions();
    requireDeveloper(caller, this.#parts.developers);
    return owner;
  }

  #authorizeMaking(caller: Caller): string | null {
    const owner = this.#authorize(caller);
    if (caller.principal.kind === 'oauth_client') throw insufficientPermissions();
    return owner;
  }

  #existing(caller: Caller, id: string): Webhook {
    const owner = this.#authorize(caller);
    const webhook = this.#parts.registry.find(id);
    if (!webhook || !isVisible(webhook, owner)) throw notFound('webhook_not_found');
    return webhook;
  }

  #change(webhook: Webhook, changes: Partial<Webhook>): WebhookInfo {
    const changed = this.#parts.registry.update(webhook.id, changes) ?? webhook;
    this.#parts.deliveries.changed(changed);
    return this.#shown(changed);
  }

  #shown(webhook: Webhook): WebhookInfo {
    return presentableWebhook(webhook, this.#parts.deliveries.queuedCount(webhook.id));
  }

  #rulesFor(caller: Caller): InputRules {
    return {
      judge: (url) => this.#parts.judge(url),
      requireTarget: (list, id) => {
        try {
          this.#requireTarget(caller, list, id);
        } catch (error) {
          throw error instanceof HearthError ? ofField(error, list, id) : error;
        }
      },
    };
  }

  #requireTarget(caller: Caller, list: keyof WebhookLists, id: string): unknown {
    const { access, state, collections } = this.#parts;
    switch (list) {
      case 'homeIds':
        return access.authorizeHome(caller, 'manage', state.home(id));
      case 'roomIds':
        return access.authorizeIn(caller, 'manage', state.room(id), 'room_not_found');
      case 'accessoryIds':
        return access.authorizeAccessory(caller, 'manage', state.accessory(id));
      case 'collectionIds':
        return collections.get(caller, id);
    }
  }
}

/** The system and its tokens (`null`) see every webhook; a user sees their own. */
function isVisible(webhook: Webhook, owner: string | null): boolean {
  return owner === null || webhook.ownerId === owner;
}

/** What a list names that is not there, with the id and the list: there may be hundreds. */
function ofField({ code, message }: HearthError, field: keyof WebhookLists, id: string): HearthError {
  const sentences: Partial<Record<ErrorCode, string>> = {
    not_found: `Collection not found: ${id.slice(0, 80)}`,
    insufficient_permissions: `Insufficient permissions: a webhook hears only of what its maker manages (${id})`,
  };
  const sentence = sentences[code] ?? `${message}: ${id.slice(0, 80)}`;
  return new HearthError(code, sentence, { field });
}

function isLeftOut(input: unknown): input is null | undefined {
  return input === null || input === undefined;
}

function parseLimit(input: unknown): number {
  return parseWhole(input, 'limit', { from: 1, to: LARGEST_PAGE });
}

function parseOffset(input: unknown): number {
  return parseWhole(input ?? 0, 'offset', { from: 0, to: Number.MAX_SAFE_INTEGER });
}
