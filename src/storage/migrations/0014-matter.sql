-- Homes published over Matter. Numbers and ids that controllers saw are here for good.

CREATE TABLE matter_bridges (
  publication_id TEXT PRIMARY KEY REFERENCES publications (id) ON DELETE CASCADE,
  id             TEXT NOT NULL UNIQUE,
  unique_id      TEXT NOT NULL,
  passcode       INTEGER NOT NULL,
  discriminator  INTEGER NOT NULL,
  -- Of the next endpoint: numbers are never used again.
  next_number    INTEGER NOT NULL,
  -- Of the last start.
  port           INTEGER,
  -- As the bridge encoded them; NULL before its first start.
  manual_code    TEXT,
  qr_code        TEXT,
  -- JSON: those that it is a part of, with the times when they came and were seen last.
  fabrics        TEXT NOT NULL
) STRICT;

-- `part`: what it is of its thing, with its shape; another shape is another endpoint.
CREATE TABLE matter_endpoints (
  bridge_id TEXT NOT NULL REFERENCES matter_bridges (id) ON DELETE CASCADE,
  thing     TEXT NOT NULL,
  part      TEXT NOT NULL,
  number    INTEGER NOT NULL,
  unique_id TEXT NOT NULL,
  PRIMARY KEY (bridge_id, thing, part),
  UNIQUE (bridge_id, number)
) STRICT, WITHOUT ROWID;

-- The bridge's own data: keys, fabrics, sessions and counters.
CREATE TABLE matter_storage (
  bridge_id TEXT NOT NULL REFERENCES matter_bridges (id) ON DELETE CASCADE,
  context   TEXT NOT NULL,
  key       TEXT NOT NULL,
  value     BLOB NOT NULL,
  PRIMARY KEY (bridge_id, context, key)
) STRICT, WITHOUT ROWID;
