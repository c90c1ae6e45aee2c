-- What became of deliveries to webhooks, for people to read: seven days, and at most some thousands a webhook. Losing it loses no
-- delivery: what waits lies in relay.db.

CREATE TABLE webhook_deliveries (
  -- The delivery's: one row, brought up to date at each attempt.
  id              TEXT PRIMARY KEY,
  webhook_id      TEXT NOT NULL,
  event_id        TEXT NOT NULL,
  event_type      TEXT NOT NULL,
  -- `data` of the body, as JSON, so that it can be sent again.
  data            TEXT NOT NULL,
  occurred_at     INTEGER NOT NULL,
  status          TEXT NOT NULL CHECK (status IN ('retrying', 'success', 'failed', 'dead_letter')),
  attempts        INTEGER NOT NULL,
  max_attempts    INTEGER NOT NULL,
  response_status INTEGER,
  -- Its beginning.
  response_body   TEXT,
  latency_ms      INTEGER,
  error           TEXT,
  created_at      INTEGER NOT NULL,
  -- NULL = never.
  attempted_at    INTEGER,
  next_retry_at   INTEGER
) STRICT;

CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (webhook_id, created_at);
CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries (created_at);
CREATE INDEX webhook_deliveries_retrying ON webhook_deliveries (id) WHERE status = 'retrying';
