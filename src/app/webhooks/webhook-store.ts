import type { WebhookStatus } from '../../contract/webhooks.ts';
import type { Database } from '../../storage/database.ts';
import type { Webhook } from './webhook.ts';

interface WebhookRow {
  id: string;
  name: string;
  url: string;
  secret: string;
  previous_secret: string | null;
  previous_secret_until: number | null;
  status: WebhookStatus;
  event_types: string;
  home_ids: string;
  room_ids: string;
  accessory_ids: string;
  collection_ids: string;
  max_retries: number;
  rate_limit_per_minute: number | null;
  timeout_ms: number;
  consecutive_failures: number;
  dropped_count: number;
  last_triggered_at: number | null;
  last_success_at: number | null;
  last_failure_at: number | null;
  last_failure_reason: string | null;
  owner_id: string | null;
  created_at: number;
}

/** Neither an id nor an event type: an unreadable list must not become one that matches everything. */
const UNREADABLE: readonly string[] = ['?'];

/** The table `webhooks`. */
export class WebhookStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Oldest first. */
  load(): readonly Webhook[] {
    return this.#database
      .prepare<[], WebhookRow>('SELECT * FROM webhooks ORDER BY created_at, rowid')
      .all()
      .map(toWebhook);
  }

  insert(webhook: Webhook): void {
    this.#database
      .prepare(
        `INSERT INTO webhooks (id, name, url, secret, previous_secret, previous_secret_until, status, event_types, home_ids,
           room_ids, accessory_ids, collection_ids, max_retries, rate_limit_per_minute, timeout_ms, consecutive_failures,
           dropped_count, last_triggered_at, last_success_at, last_failure_at, last_failure_reason, owner_id, created_at)
         VALUES (@id, @name, @url, @secret, @previousSecret, @previousSecretUntil, @status, @eventTypes, @homeIds,
           @roomIds, @accessoryIds, @collectionIds, @maxRetries, @rateLimitPerMinute, @timeoutMs, @consecutiveFailures,
           @droppedCount, @lastTriggeredAt, @lastSuccessAt, @lastFailureAt, @lastFailureReason, @ownerId, @createdAt)`,
      )
      .run(toRow(webhook));
  }

  /** Updates everything but its id, its owner and its creation time. */
  update(webhook: Webhook): void {
    this.#database
      .prepare(
        `UPDATE webhooks SET name = @name, url = @url, secret = @secret, previous_secret = @previousSecret,
           previous_secret_until = @previousSecretUntil, status = @status, event_types = @eventTypes, home_ids = @homeIds,
           room_ids = @roomIds, accessory_ids = @accessoryIds, collection_ids = @collectionIds, max_retries = @maxRetries,
           rate_limit_per_minute = @rateLimitPerMinute, timeout_ms = @timeoutMs,
           consecutive_failures = @consecutiveFailures, dropped_count = @droppedCount, last_triggered_at = @lastTriggeredAt,
           last_success_at = @lastSuccessAt, last_failure_at = @lastFailureAt, last_failure_reason = @lastFailureReason
         WHERE id = @id`,
      )
      .run(toRow(webhook));
  }

  /** The schema deletes its queue with it. */
  delete(id: string): void {
    this.#database.prepare('DELETE FROM webhooks WHERE id = ?').run(id);
  }
}

function toRow(webhook: Webhook): object {
  return {
    ...webhook,
    eventTypes: JSON.stringify(webhook.eventTypes),
    homeIds: JSON.stringify(webhook.homeIds),
    roomIds: JSON.stringify(webhook.roomIds),
    accessoryIds: JSON.stringify(webhook.accessoryIds),
    collectionIds: JSON.stringify(webhook.collectionIds),
  };
}

function toWebhook(row: WebhookRow): Webhook {
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    secret: row.secret,
    previousSecret: row.previous_secret,
    previousSecretUntil: row.previous_secret_until,
    status: row.status,
    eventTypes: readList(row.event_types),
    homeIds: readList(row.home_ids),
    roomIds: readList(row.room_ids),
    accessoryIds: readList(row.accessory_ids),
    collectionIds: readList(row.collection_ids),
    maxRetries: countOf(row.max_retries),
    rateLimitPerMinute: row.rate_limit_per_minute === null ? null : countOf(row.rate_limit_per_minute),
    timeoutMs: countOf(row.timeout_ms),
    consecutiveFailures: countOf(row.consecutive_failures),
    droppedCount: countOf(row.dropped_count),
    lastTriggeredAt: row.last_triggered_at,
    lastSuccessAt: row.last_success_at,
    lastFailureAt: row.last_failure_at,
    lastFailureReason: row.last_failure_reason,
    ownerId: row.owner_id,
    createdAt: row.created_at,
  };
}

/** Limited to a GraphQL Int: a manipulated row can hold any number. */
function countOf(stored: number): number {
  return Math.min(MAX_INT32, Math.max(0, stored));
}

const MAX_INT32 = 2 ** 31 - 1;

function readList(text: string): readonly string[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every((one) => typeof one === 'string') ? list : UNREADABLE;
  } catch {
    return UNREADABLE;
  }
}
