/** The table `webhook_deliveries` of history.db. */
import type { DeliveryStatus } from '../../contract/webhooks.ts';
import type { DisposableDatabase } from '../../storage/disposable-database.ts';
import type { Parcel } from './attempt.ts';
import type { DeliveryRecord } from './delivery.ts';

/** A logged delivery, with what is needed to send it again. */
export interface LoggedDelivery extends DeliveryRecord, Parcel {
  /** When the last attempt was made; `null` for one that was discarded without any. */
  readonly attemptedAt: number | null;
}

/** A page of a webhook's deliveries. */
export interface LogPage {
  readonly status?: DeliveryStatus | undefined;
  readonly since: number;
}

interface LogRow {
  id: string;
  webhook_id: string;
  event_id: string;
  event_type: string;
  data: string;
  occurred_at: number;
  status: DeliveryStatus;
  attempts: number;
  max_attempts: number;
  response_status: number | null;
  response_body: string | null;
  latency_ms: number | null;
  error: string | null;
  created_at: number;
  attempted_at: number | null;
  next_retry_at: number | null;
}

const OF_PAGE = 'webhook_id = @webhookId AND created_at >= @since AND (@status IS NULL OR status = @status)';

/** Every method throws `storage_unavailable` while the file can't be used. */
export class DeliveryLogStore {
  readonly #source: Pick<DisposableDatabase, 'current'>;

  constructor(source: Pick<DisposableDatabase, 'current'>) {
    this.#source = source;
  }

  /** Saves new deliveries, and updates known ones, in one transaction. */
  save(deliveries: readonly LoggedDelivery[]): void {
    const database = this.#source.current;
    const put = database.prepare(
      `INSERT INTO webhook_deliveries (id, webhook_id, event_id, event_type, data, occurred_at, status, attempts, max_attempts,
         response_status, response_body, latency_ms, error, created_at, attempted_at, next_retry_at)
       VALUES (@id, @webhookId, @eventId, @eventType, @data, @occurredAt, @status, @attemptNumber, @maxAttempts,
         @responseStatusCode, @responseBody, @latencyMs, @errorMessage, @createdAt, @attemptedAt, @nextRetryAt)
       ON CONFLICT (id) DO UPDATE SET status = excluded.status, attempts = excluded.attempts,
         max_attempts = excluded.max_attempts, response_status = excluded.response_status,
         response_body = excluded.response_body, latency_ms = excluded.latency_ms, error = excluded.error,
         attempted_at = excluded.attempted_at, next_retry_at = excluded.next_retry_at`,
    );
    database.transaction(() => {
      for (const delivery of deliveries) put.run(delivery);
    })();
  }

  /** Newest first. */
  list(webhookId: string, page: LogPage & { readonly limit: number }): readonly LoggedDelivery[] {
    return this.#source.current
      .prepare<[object], LogRow>(
        `SELECT * FROM webhook_deliveries WHERE ${OF_PAGE} ORDER BY created_at DESC, rowid DESC LIMIT @limit`,
      )
      .all({ webhookId, since: page.since, status: page.status ?? null, limit: page.limit })
      .map(toDelivery);
  }

  count(webhookId: string, { status, since }: LogPage): number {
    const row = this.#source.current
      .prepare<[object], { count: number }>(`SELECT count(*) AS count FROM webhook_deliveries WHERE ${OF_PAGE}`)
      .get({ webhookId, since, status: status ?? null });
    return row?.count ?? 0;
  }

  find(webhookId: string, id: string): LoggedDelivery | undefined {
    const row = this.#source.current
      .prepare<[string, string], LogRow>('SELECT * FROM webhook_deliveries WHERE id = ? AND webhook_id = ?')
      .get(id, webhookId);
    return row && toDelivery(row);
  }

  /** The times of its latest attempts. */
  attemptTimes(webhookId: string, atMost: number): readonly number[] {
    return this.#source.current
      .prepare<[string, number], { attempted_at: number | null }>(
        'SELECT attempted_at FROM webhook_deliveries WHERE webhook_id = ? ORDER BY created_at DESC, rowid DESC LIMIT ?',
      )
      .all(webhookId, atMost)
      .flatMap(({ attempted_at: at }) => at ?? []);
  }

  /** Marks deliveries in status retrying as failed, except these: nothing will update them. */
  giveUpRetrying(except: readonly string[], error: string): void {
    this.#source.current
      .prepare(
        `UPDATE webhook_deliveries SET status = 'failed', next_retry_at = NULL, error = ?
         WHERE status = 'retrying' AND id NOT IN (SELECT value FROM json_each(?))`,
      )
      .run(error, JSON.stringify(except));
  }

  /** Deletes some of those created before then. @returns how many */
  deleteBefore(at: number, atMost: number): number {
    return this.#source.current
      .prepare(
        `DELETE FROM webhook_deliveries WHERE rowid IN
           (SELECT rowid FROM webhook_deliveries WHERE created_at < ? ORDER BY created_at LIMIT ?)`,
      )
      .run(at, atMost).changes;
  }

  /** Deletes all but the newest. */
  keepNewest(webhookId: string, count: number): void {
    this.#source.current
      .prepare(
        `DELETE FROM webhook_deliveries WHERE rowid IN
           (SELECT rowid FROM webhook_deliveries WHERE webhook_id = ? ORDER BY created_at DESC, rowid DESC LIMIT -1 OFFSET ?)`,
      )
      .run(webhookId, count);
  }

  deleteOf(webhookId: string): void {
    this.#source.current.prepare('DELETE FROM webhook_deliveries WHERE webhook_id = ?').run(webhookId);
  }
}

function toDelivery(row: LogRow): LoggedDelivery {
  return {
    id: row.id,
    webhookId: row.webhook_id,
    eventId: row.event_id,
    eventType: row.event_type,
    data: row.data,
    occurredAt: row.occurred_at,
    status: row.status,
    attemptNumber: row.attempts,
    maxAttempts: row.max_attempts,
    responseStatusCode: row.response_status,
    responseBody: row.response_body,
    latencyMs: row.latency_ms,
    errorMessage: row.error,
    createdAt: row.created_at,
    attemptedAt: row.attempted_at,
    nextRetryAt: row.next_retry_at,
  };
}
