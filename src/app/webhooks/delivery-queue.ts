/** The table `webhook_queue`: the deliveries to send, in the order of `seq` for each webhook. */
import type { Database } from '../../storage/database.ts';
import type { Parcel } from './attempt.ts';

/** A delivery to queue. */
export interface NewDelivery extends Parcel {
  readonly webhookId: string;
  readonly createdAt: number;
}

export interface QueuedDelivery extends NewDelivery {
  readonly seq: number;
  /** Attempts made. */
  readonly attempts: number;
  /** The earliest next attempt, and the start of the wait; `null` before the first attempt. */
  readonly wait: { readonly dueAt: number; readonly from: number } | null;
}

interface QueueRow {
  seq: number;
  webhook_id: string;
  id: string;
  event_id: string;
  event_type: string;
  data: string;
  occurred_at: number;
  created_at: number;
  attempts: number;
  due_at: number | null;
  waits_from: number | null;
}

export class DeliveryQueue {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Runs `work` in a transaction. */
  transaction(work: () => void): void {
    this.#database.transaction(work)();
  }

  /** Adds nothing if the webhook no longer exists. @returns how many were added: one or none */
  add(delivery: NewDelivery): number {
    return this.#database
      .prepare(
        `INSERT INTO webhook_queue (webhook_id, id, event_id, event_type, data, occurred_at, created_at, attempts)
         SELECT @webhookId, @id, @eventId, @eventType, @data, @occurredAt, @createdAt, 0
         WHERE EXISTS (SELECT 1 FROM webhooks WHERE id = @webhookId)`,
      )
      .run(delivery).changes;
  }

  remove(seq: number): void {
    this.#database.prepare('DELETE FROM webhook_queue WHERE seq = ?').run(seq);
  }

  /** Postpones it after a failed attempt. */
  postpone(seq: number, attempts: number, { dueAt, from }: { readonly dueAt: number; readonly from: number }): void {
    this.#database
      .prepare('UPDATE webhook_queue SET attempts = ?, due_at = ?, waits_from = ? WHERE seq = ?')
      .run(attempts, dueAt, from, seq);
  }

  /** Deletes the oldest after this one. @returns how many there were */
  removeOldest(webhookId: string, afterSeq: number, atMost: number): number {
    return this.#database
      .prepare(
        `DELETE FROM webhook_queue WHERE seq IN
           (SELECT seq FROM webhook_queue WHERE webhook_id = ? AND seq > ? ORDER BY seq LIMIT ?)`,
      )
      .run(webhookId, afterSeq, atMost).changes;
  }

  /** In delivery order. */
  after(webhookId: string, seq: number, limit: number): readonly QueuedDelivery[] {
    return this.#database
      .prepare<[string, number, number], QueueRow>(
        'SELECT * FROM webhook_queue WHERE webhook_id = ? AND seq > ? ORDER BY seq LIMIT ?',
      )
      .all(webhookId, seq, limit)
      .map(toDelivery);
  }

  /** The deliveries after this one that were never attempted, newest first. */
  pending(webhookId: string, seq: number, limit: number): readonly QueuedDelivery[] {
    return this.#database
      .prepare<[string, number, number], QueueRow>(
        'SELECT * FROM webhook_queue WHERE webhook_id = ? AND seq > ? AND attempts = 0 ORDER BY seq DESC LIMIT ?',
      )
      .all(webhookId, seq, limit)
      .map(toDelivery);
  }

  pendingCount(webhookId: string, seq = 0): number {
    const row = this.#database
      .prepare<[string, number], { count: number }>(
        'SELECT count(*) AS count FROM webhook_queue WHERE webhook_id = ? AND seq > ? AND attempts = 0',
      )
      .get(webhookId, seq);
    return row?.count ?? 0;
  }

  /** By webhook, for those with queued deliveries. */
  counts(): ReadonlyMap<string, number> {
    const rows = this.#database
      .prepare<[], { webhook_id: string; count: number }>(
        'SELECT webhook_id, count(*) AS count FROM webhook_queue GROUP BY webhook_id',
      )
      .all();
    return new Map(rows.map(({ webhook_id: id, count }) => [id, count]));
  }

  /** The ids of attempted deliveries: only the first of a webhook ever is. */
  attempted(): readonly string[] {
    return this.#database
      .prepare<[], { id: string }>(
        `SELECT id FROM webhook_queue
         WHERE seq IN (SELECT min(seq) FROM webhook_queue GROUP BY webhook_id) AND attempts > 0`,
      )
      .all()
      .map(({ id }) => id);
  }
}

function toDelivery(row: QueueRow): QueuedDelivery {
  return {
    seq: row.seq,
    webhookId: row.webhook_id,
    id: row.id,
    eventId: row.event_id,
    eventType: row.event_type,
    data: row.data,
    occurredAt: row.occurred_at,
    createdAt: row.created_at,
    attempts: row.attempts,
    wait: row.due_at === null || row.waits_from === null ? null : { dueAt: row.due_at, from: row.waits_from },
  };
}
