-- Outgoing webhooks (API §6.1): whom the home tells, and what is still to be told.

CREATE TABLE webhooks (
  id                    TEXT PRIMARY KEY,
  name                  TEXT NOT NULL,
  url                   TEXT NOT NULL,
  -- `whsec_` and base64: needed as it is for every signature.
  secret                TEXT NOT NULL,
  -- Signs too until then (decisions §9); NULL = there was no rotation.
  previous_secret       TEXT,
  previous_secret_until INTEGER,
  status                TEXT NOT NULL CHECK (status IN ('active', 'paused', 'disabled')),
  -- Lists as JSON; an empty one filters nothing.
  event_types           TEXT NOT NULL,
  home_ids              TEXT NOT NULL,
  room_ids              TEXT NOT NULL,
  accessory_ids         TEXT NOT NULL,
  collection_ids        TEXT NOT NULL,
  max_retries           INTEGER NOT NULL,
  -- NULL = no limit.
  rate_limit_per_minute INTEGER,
  timeout_ms            INTEGER NOT NULL,
  consecutive_failures  INTEGER NOT NULL,
  -- Of what the queue had no room for.
  dropped_count         INTEGER NOT NULL,
  last_triggered_at     INTEGER,
  last_success_at       INTEGER,
  last_failure_at       INTEGER,
  last_failure_reason   TEXT,
  -- Whose it is; NULL = the CLI's.
  owner_id              TEXT REFERENCES users (id) ON DELETE CASCADE,
  created_at            INTEGER NOT NULL
) STRICT;

CREATE INDEX webhooks_by_owner ON webhooks (owner_id);

-- What is to be delivered, in this order for each webhook. What is delivered or given up leaves; its history is in history.db.
-- No index on `id`: random keys would touch a page of their own with each row.
CREATE TABLE webhook_queue (
  seq         INTEGER PRIMARY KEY AUTOINCREMENT,
  webhook_id  TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  -- The delivery's: the same at each attempt.
  id          TEXT NOT NULL,
  event_id    TEXT NOT NULL,
  event_type  TEXT NOT NULL,
  -- `data` of the body, as JSON.
  data        TEXT NOT NULL,
  -- When the event happened, and when it was queued.
  occurred_at INTEGER NOT NULL,
  created_at  INTEGER NOT NULL,
  -- Attempts made. After one that failed: not before `due_at`; the wait began at `waits_from`, by which a clock that was set back
  -- meanwhile is told.
  attempts    INTEGER NOT NULL,
  due_at      INTEGER,
  waits_from  INTEGER
) STRICT;

CREATE INDEX webhook_queue_by_webhook ON webhook_queue (webhook_id, seq);
