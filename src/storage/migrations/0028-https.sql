-- Https on a port of its own. No row: it is off.

CREATE TABLE https (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  -- Where the certificate comes from: own, tailscale …
  source TEXT NOT NULL,
  -- Further host names, a JSON list.
  names TEXT NOT NULL
) STRICT;

-- A key and its certificate are one row, so that they always belong together.
CREATE TABLE https_keys (
  -- authority, own, tailscale …
  kind TEXT PRIMARY KEY,
  private_key TEXT NOT NULL,
  certificate TEXT NOT NULL,
  -- What an authority may sign for; else empty. JSON.
  permitted TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
