-- The devices that each person signed in with, so that a new one can be announced.

CREATE TABLE known_devices (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- SHA-256 of the User-Agent without version numbers, and of the address.
  hash TEXT NOT NULL,
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, hash)
) STRICT, WITHOUT ROWID;
