-- What homes publish to other ecosystems. Ids that controllers saw are here for good: rows of things and iids are only added,
-- and go with their publication.

CREATE TABLE publications (
  id         TEXT PRIMARY KEY,
  home_id    TEXT NOT NULL REFERENCES homes (id) ON DELETE CASCADE,
  name       TEXT NOT NULL,
  kind       TEXT NOT NULL CHECK (kind IN ('homekit', 'matter')),
  -- JSON: what goes out.
  selection  TEXT NOT NULL,
  paused     INTEGER NOT NULL CHECK (paused IN (0, 1)),
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX publications_by_home ON publications (home_id);

-- A HAP server: a bridge, or an accessory that stands alone.
CREATE TABLE homekit_bridges (
  id             TEXT PRIMARY KEY,
  publication_id TEXT NOT NULL REFERENCES publications (id) ON DELETE CASCADE,
  -- Of a bridge in its publication, from 1.
  number         INTEGER,
  -- The thing that stands alone.
  thing          TEXT,
  device_id      TEXT NOT NULL UNIQUE,
  setup_id       TEXT NOT NULL,
  setup_code     TEXT NOT NULL,
  -- 32 bytes, from which its Ed25519 key derives.
  secret_key     BLOB NOT NULL,
  -- Of its last start.
  port           INTEGER,
  config_number  INTEGER NOT NULL,
  -- Of the database that has this configuration number; NULL before the first one.
  database_hash  TEXT,
  CHECK ((number IS NULL) <> (thing IS NULL)),
  UNIQUE (publication_id, number),
  UNIQUE (publication_id, thing)
) STRICT;

-- `accessory:<id>`, `group:<id>`, `scene:<id>`: the bridge of each, and its aid there.
CREATE TABLE homekit_things (
  bridge_id TEXT NOT NULL REFERENCES homekit_bridges (id) ON DELETE CASCADE,
  thing     TEXT NOT NULL,
  aid       INTEGER NOT NULL,
  PRIMARY KEY (bridge_id, thing),
  UNIQUE (bridge_id, aid)
) STRICT, WITHOUT ROWID;

-- The instance id of each service and characteristic, by what it is of: the device's own iid and its type.
CREATE TABLE homekit_iids (
  bridge_id TEXT NOT NULL REFERENCES homekit_bridges (id) ON DELETE CASCADE,
  aid       INTEGER NOT NULL,
  part      TEXT NOT NULL,
  iid       INTEGER NOT NULL,
  PRIMARY KEY (bridge_id, aid, part),
  UNIQUE (bridge_id, aid, iid)
) STRICT, WITHOUT ROWID;

CREATE TABLE homekit_controllers (
  bridge_id    TEXT NOT NULL REFERENCES homekit_bridges (id) ON DELETE CASCADE,
  identifier   TEXT NOT NULL,
  -- Ed25519, 32 bytes.
  public_key   BLOB NOT NULL,
  is_admin     INTEGER NOT NULL CHECK (is_admin IN (0, 1)),
  paired_at    INTEGER NOT NULL,
  last_seen_at INTEGER,
  PRIMARY KEY (bridge_id, identifier)
) STRICT, WITHOUT ROWID;
