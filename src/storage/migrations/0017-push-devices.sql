-- Browsers that people receive notifications on (Web Push).

CREATE TABLE push_devices (
  id           TEXT PRIMARY KEY,
  user_id      TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- The session that subscribed last: the device goes when that one is ended, not when it expires.
  session_id   TEXT NOT NULL,
  name         TEXT NOT NULL,
  -- What the browser gave out (W3C Push API). The endpoint is a secret.
  endpoint     TEXT NOT NULL UNIQUE,
  p256dh       TEXT NOT NULL,
  auth         TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  last_sent_at INTEGER,
  -- Why the last message could not be sent, a sentence; NULL = it was sent.
  failure      TEXT
) STRICT;

CREATE INDEX push_devices_by_user ON push_devices (user_id);
