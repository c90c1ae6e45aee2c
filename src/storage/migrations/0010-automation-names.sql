-- Names of automations need not be unique. SQLite drops a constraint only with its table, so that the tables are made anew.

CREATE TABLE automations_new (
  id           TEXT PRIMARY KEY,
  home_id      TEXT NOT NULL REFERENCES homes (id) ON DELETE CASCADE,
  name         TEXT NOT NULL,
  enabled      INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  -- JSON, as the home's own words have it, not the wire's.
  trigger      TEXT NOT NULL,
  last_fire_at INTEGER,
  created_at   INTEGER NOT NULL
) STRICT;

INSERT INTO automations_new (id, home_id, name, enabled, trigger, last_fire_at, created_at)
SELECT id, home_id, name, enabled, trigger, last_fire_at, created_at FROM automations;

DROP TABLE automations;
ALTER TABLE automations_new RENAME TO automations;
CREATE INDEX automations_by_home ON automations (home_id);

CREATE TABLE flows_new (
  id                TEXT PRIMARY KEY,
  home_id           TEXT NOT NULL REFERENCES homes (id) ON DELETE CASCADE,
  name              TEXT NOT NULL,
  enabled           INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  -- JSON of the definition; its id, home, name and whether it is enabled are the columns'.
  definition        TEXT NOT NULL,
  -- Rises with every save.
  version           INTEGER NOT NULL,
  last_triggered_at INTEGER,
  trigger_count     INTEGER NOT NULL DEFAULT 0,
  created_at        INTEGER NOT NULL,
  updated_at        INTEGER NOT NULL
) STRICT;

-- It refers to the flows, and rows of it would go with the old table.
CREATE TABLE flow_versions_new (
  id         TEXT PRIMARY KEY,
  flow_id    TEXT NOT NULL REFERENCES flows_new (id) ON DELETE CASCADE,
  version    INTEGER NOT NULL,
  name       TEXT NOT NULL,
  definition TEXT NOT NULL,
  saved_at   INTEGER NOT NULL,
  UNIQUE (flow_id, version)
) STRICT;

INSERT INTO flows_new (
  id, home_id, name, enabled, definition, version, last_triggered_at, trigger_count, created_at, updated_at
)
SELECT id, home_id, name, enabled, definition, version, last_triggered_at, trigger_count, created_at, updated_at FROM flows;

INSERT INTO flow_versions_new (id, flow_id, version, name, definition, saved_at)
SELECT id, flow_id, version, name, definition, saved_at FROM flow_versions;

DROP TABLE flow_versions;
DROP TABLE flows;
ALTER TABLE flows_new RENAME TO flows;
ALTER TABLE flow_versions_new RENAME TO flow_versions;
CREATE INDEX flows_by_home ON flows (home_id);
