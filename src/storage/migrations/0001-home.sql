-- Everything irreplaceable about a home, its pairings and its tokens.
-- Times are milliseconds since the epoch. HAP ids are decimal text: they are unsigned 64-bit and must never become floats.

CREATE TABLE settings (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE homes (
  id         TEXT PRIMARY KEY,
  name       TEXT NOT NULL,
  -- The name folded by the rule in home/names.ts: SQLite's NOCASE knows ASCII only.
  name_key   TEXT NOT NULL UNIQUE,
  privileges TEXT NOT NULL DEFAULT 'edit' CHECK (privileges IN ('edit', 'view')),
  paused     INTEGER NOT NULL DEFAULT 0 CHECK (paused IN (0, 1)),
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE rooms (
  id         TEXT PRIMARY KEY,
  home_id    TEXT NOT NULL REFERENCES homes (id) ON DELETE CASCADE,
  name       TEXT NOT NULL,
  name_key   TEXT NOT NULL,
  is_default INTEGER NOT NULL DEFAULT 0 CHECK (is_default IN (0, 1)),
  created_at INTEGER NOT NULL,
  UNIQUE (home_id, name_key)
) STRICT;

CREATE UNIQUE INDEX rooms_one_default ON rooms (home_id) WHERE is_default = 1;

CREATE TABLE accessories (
  id          TEXT PRIMARY KEY,
  home_id     TEXT NOT NULL REFERENCES homes (id) ON DELETE CASCADE,
  room_id     TEXT NOT NULL REFERENCES rooms (id),
  source      TEXT NOT NULL,
  aid         TEXT NOT NULL,
  -- What the device calls itself, and what its owner calls it (wins where set).
  device_name TEXT NOT NULL,
  custom_name TEXT,
  category    INTEGER NOT NULL,
  -- Gone from its device, which is still paired: shown as unreachable.
  vanished_at INTEGER,
  -- Unpaired: not shown any more, but its id, name and room wait a while for it to be paired again.
  removed_at  INTEGER,
  created_at  INTEGER NOT NULL,
  UNIQUE (source, aid)
) STRICT;

CREATE INDEX accessories_by_home ON accessories (home_id);

-- The last known values, shown after a start until devices answer. Written in batches, so that an SD card lasts.
CREATE TABLE last_values (
  accessory_id TEXT NOT NULL REFERENCES accessories (id) ON DELETE CASCADE,
  iid          TEXT NOT NULL,
  value        TEXT NOT NULL,
  PRIMARY KEY (accessory_id, iid)
) STRICT, WITHOUT ROWID;

CREATE TABLE pairings (
  device_id             TEXT PRIMARY KEY,
  home_id               TEXT NOT NULL REFERENCES homes (id),
  name                  TEXT NOT NULL,
  model                 TEXT NOT NULL,
  category              INTEGER NOT NULL,
  -- 'exchanging' from just before M5 until M6 is verified: the device may know us although we do not know it.
  state                 TEXT NOT NULL CHECK (state IN ('exchanging', 'paired')),
  controller_id         TEXT NOT NULL,
  controller_public_key BLOB NOT NULL,
  controller_secret_key BLOB NOT NULL,
  accessory_public_key  BLOB,
  -- Where it answered last: the fallback while mDNS is silent.
  host                  TEXT,
  port                  INTEGER,
  paired_at             INTEGER NOT NULL
) STRICT;

-- The body of GET /accessories, valid for one configuration number.
CREATE TABLE accessory_databases (
  device_id     TEXT PRIMARY KEY,
  config_number INTEGER,
  body          TEXT NOT NULL,
  read_at       INTEGER NOT NULL
) STRICT;

-- What was learned about a device's limits the hard way, so that it is not learned again.
CREATE TABLE device_limits (
  device_id     TEXT PRIMARY KEY,
  -- In one request. The four limits are known together, or none of them.
  max_ids       INTEGER,
  max_bytes     INTEGER,
  -- Refuses requests about several accessories · hangs up when it is read by plan.
  one_accessory INTEGER CHECK (one_accessory IN (0, 1)),
  no_polling    INTEGER CHECK (no_polling IN (0, 1)),
  -- 0 pair-setup, 1 with authentication: the one that it answered.
  pair_method   INTEGER,
  learned_at    INTEGER NOT NULL
) STRICT;

CREATE TABLE manual_devices (
  host_port TEXT PRIMARY KEY,
  added_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Wrong setup codes, so that five an hour hold across restarts.
CREATE TABLE wrong_setup_codes (
  device_id TEXT NOT NULL,
  at        INTEGER NOT NULL
) STRICT;

CREATE INDEX wrong_setup_codes_by_device ON wrong_setup_codes (device_id, at);

CREATE TABLE access_tokens (
  id               TEXT PRIMARY KEY,
  name             TEXT NOT NULL,
  -- SHA-256 of the whole token, hex. The token itself is 256 random bits and is stored nowhere.
  hash             TEXT NOT NULL UNIQUE,
  prefix           TEXT NOT NULL,
  -- JSON object home id -> 'control' | 'view'; NULL = no limit of its own.
  home_permissions TEXT,
  -- The user who made it; NULL = the CLI.
  maker_id         TEXT,
  created_at       INTEGER NOT NULL,
  expires_at       INTEGER,
  -- When it was first seen past its expiry: a clock set back does not revive it.
  expired_at       INTEGER,
  last_used_at     INTEGER,
  revoked_at       INTEGER
) STRICT;
