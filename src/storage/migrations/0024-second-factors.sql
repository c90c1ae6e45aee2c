-- The second step of signing in: the key of an authenticator app, and codes for the day on which it is lost.

CREATE TABLE second_factors (
  user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  -- Base32 (RFC 4648). Codes are computed from it, so it is no hash.
  secret TEXT NOT NULL,
  -- The time step (RFC 6238) of the last accepted code: no code works twice.
  last_step INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE recovery_codes (
  user_id TEXT NOT NULL REFERENCES second_factors (user_id) ON DELETE CASCADE,
  -- SHA-256, hex. A used code is deleted.
  hash TEXT NOT NULL,
  PRIMARY KEY (user_id, hash)
) STRICT, WITHOUT ROWID;
