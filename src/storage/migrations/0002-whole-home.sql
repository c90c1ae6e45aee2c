-- Scenes, zones, groups, virtual accessories, and what is recorded of them.

CREATE TABLE scenes (
  id            TEXT PRIMARY KEY,
  home_id       TEXT NOT NULL REFERENCES homes (id) ON DELETE CASCADE,
  name          TEXT NOT NULL,
  name_key      TEXT NOT NULL,
  -- JSON array of {accessoryId, serviceIid, type, value}, in order. Accessories that were unpaired may come back, so nothing
  -- here is deleted with them.
  actions       TEXT NOT NULL,
  -- The native automation that owns it: such scenes share no names with the others.
  automation_id TEXT,
  created_at    INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX scenes_by_name ON scenes (home_id, name_key) WHERE automation_id IS NULL;

CREATE TABLE zones (
  id         TEXT PRIMARY KEY,
  home_id    TEXT NOT NULL REFERENCES homes (id) ON DELETE CASCADE,
  name       TEXT NOT NULL,
  name_key   TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (home_id, name_key)
) STRICT;

CREATE TABLE zone_rooms (
  zone_id  TEXT NOT NULL REFERENCES zones (id) ON DELETE CASCADE,
  room_id  TEXT NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  PRIMARY KEY (zone_id, room_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE room_groups (
  id         TEXT PRIMARY KEY,
  home_id    TEXT NOT NULL REFERENCES homes (id) ON DELETE CASCADE,
  name       TEXT NOT NULL,
  name_key   TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (home_id, name_key)
) STRICT;

CREATE TABLE room_group_rooms (
  room_group_id TEXT NOT NULL REFERENCES room_groups (id) ON DELETE CASCADE,
  room_id       TEXT NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
  position      INTEGER NOT NULL,
  PRIMARY KEY (room_group_id, room_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE service_groups (
  id         TEXT PRIMARY KEY,
  home_id    TEXT NOT NULL REFERENCES homes (id) ON DELETE CASCADE,
  name       TEXT NOT NULL,
  name_key   TEXT NOT NULL,
  kind       TEXT NOT NULL CHECK (kind IN ('light', 'switch', 'outlet', 'fan', 'blind')),
  -- JSON array of {accessoryId, serviceIid}, in order.
  members    TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (home_id, name_key)
) STRICT;

-- Named picks of accessories and groups across homes. They belong to whoever made them.
CREATE TABLE collections (
  id         TEXT PRIMARY KEY,
  -- The user; NULL = made by the CLI or a token of it, and everybody's who may manage a home.
  owner_id   TEXT,
  name       TEXT NOT NULL,
  -- JSON: {groups: [{id, name}], items: [{home_id, accessory_id | service_group_id, group_id}]}.
  payload    TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE virtual_accessories (
  -- The driver's address, `virtual:<uuid>`: the accessory's own id derives from it.
  source     TEXT PRIMARY KEY,
  home_id    TEXT NOT NULL REFERENCES homes (id) ON DELETE CASCADE,
  name       TEXT NOT NULL,
  -- JSON, a VirtualConfig.
  config     TEXT NOT NULL,
  -- JSON scalar: written in the same tick as it changes.
  value      TEXT NOT NULL,
  -- JSON of a timer that runs or is paused, or has run: {startedAt, endsAt, remainingMs, finishedAt}; NULL for other kinds.
  timer      TEXT,
  created_at INTEGER NOT NULL
) STRICT;

-- What a home wants recorded. The recording itself is in history.db, which may be lost without losing this.
CREATE TABLE history_homes (
  home_id            TEXT PRIMARY KEY REFERENCES homes (id) ON DELETE CASCADE,
  enabled            INTEGER NOT NULL DEFAULT 0 CHECK (enabled IN (0, 1)),
  -- Whether people with a share link may see it too.
  shared             INTEGER NOT NULL DEFAULT 0 CHECK (shared IN (0, 1)),
  raw_retention_days INTEGER,
  changed_at         INTEGER NOT NULL
) STRICT;

-- Only what differs from the catalog of recordable characteristics; NULL = as the catalog says.
CREATE TABLE history_series_settings (
  home_id        TEXT NOT NULL REFERENCES homes (id) ON DELETE CASCADE,
  -- An accessory's or a service group's id.
  accessory_id   TEXT NOT NULL,
  -- snake_case, with a number from the second service that has it on: power_state_2.
  characteristic TEXT NOT NULL,
  enabled        INTEGER CHECK (enabled IN (0, 1)),
  min_interval_s REAL,
  deadband       REAL,
  retention_days INTEGER,
  PRIMARY KEY (accessory_id, characteristic)
) STRICT, WITHOUT ROWID;
