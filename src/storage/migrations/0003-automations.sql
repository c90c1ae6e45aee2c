-- Automations of both shapes with what they are in the middle of; where the home is and who is in it; notifications.

ALTER TABLE homes ADD COLUMN time_zone TEXT;
ALTER TABLE homes ADD COLUMN latitude REAL;
ALTER TABLE homes ADD COLUMN longitude REAL;
ALTER TABLE homes ADD COLUMN radius_m REAL;

-- Native automations (API §2.4). What they do is the scene that they own (scenes.automation_id).
CREATE TABLE automations (
  id           TEXT PRIMARY KEY,
  home_id      TEXT NOT NULL REFERENCES homes (id) ON DELETE CASCADE,
  name         TEXT NOT NULL,
  name_key     TEXT NOT NULL,
  enabled      INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  -- JSON, as the home's own words have it, not the wire's.
  trigger      TEXT NOT NULL,
  last_fire_at INTEGER,
  created_at   INTEGER NOT NULL,
  UNIQUE (home_id, name_key)
) STRICT;

-- Flows: the service's own automations (wire-facts §6.2).
CREATE TABLE flows (
  id                TEXT PRIMARY KEY,
  home_id           TEXT NOT NULL REFERENCES homes (id) ON DELETE CASCADE,
  name              TEXT NOT NULL,
  name_key          TEXT NOT NULL,
  enabled           INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  -- JSON of the definition; its id, home, name and whether it is enabled are the columns'.
  definition        TEXT NOT NULL,
  -- Rises with every save.
  version           INTEGER NOT NULL,
  last_triggered_at INTEGER,
  trigger_count     INTEGER NOT NULL DEFAULT 0,
  created_at        INTEGER NOT NULL,
  updated_at        INTEGER NOT NULL,
  UNIQUE (home_id, name_key)
) STRICT;

CREATE TABLE flow_versions (
  id         TEXT PRIMARY KEY,
  flow_id    TEXT NOT NULL REFERENCES flows (id) ON DELETE CASCADE,
  version    INTEGER NOT NULL,
  name       TEXT NOT NULL,
  definition TEXT NOT NULL,
  saved_at   INTEGER NOT NULL,
  UNIQUE (flow_id, version)
) STRICT;

-- When each wall-clock trigger is due next, and what it has fired: a slot is never fired twice, whatever the clock does.
CREATE TABLE slots (
  -- The automation and its trigger.
  key        TEXT PRIMARY KEY,
  next_at    INTEGER,
  -- The last slot fired, and the highest ever: they differ after the clock was set back.
  last_at    INTEGER,
  highest_at INTEGER
) STRICT, WITHOUT ROWID;

-- "For" holds that are running: a trigger's condition has held since then, and fires when it is due.
CREATE TABLE holds (
  key      TEXT PRIMARY KEY,
  since_at INTEGER NOT NULL,
  due_at   INTEGER NOT NULL,
  -- JSON of what the trigger will say when it fires.
  data     TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Runs that are waiting: what began them and the automation as it was then.
CREATE TABLE runs (
  id            TEXT PRIMARY KEY,
  automation_id TEXT NOT NULL,
  home_id       TEXT NOT NULL REFERENCES homes (id) ON DELETE CASCADE,
  -- JSON: the program, the trigger's data, the chain of causes.
  start         TEXT NOT NULL,
  started_at    INTEGER NOT NULL
) STRICT;

-- What a waiting run has decided and done so far, step by step: it is replayed from here, nothing is done twice.
CREATE TABLE run_steps (
  run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  -- The step's path in the run: `actions[2].then[0]`, `actions[1]#3.sequence[0]`.
  step   TEXT NOT NULL,
  -- JSON; NULL while it is begun and not known to have ended.
  output TEXT,
  PRIMARY KEY (run_id, step)
) STRICT, WITHOUT ROWID;

CREATE TABLE people (
  id          TEXT PRIMARY KEY,
  home_id     TEXT NOT NULL REFERENCES homes (id) ON DELETE CASCADE,
  name        TEXT NOT NULL,
  name_key    TEXT NOT NULL,
  -- The user account that it is, where there is one.
  user_id     TEXT,
  at_home     INTEGER CHECK (at_home IN (0, 1)),
  changed_at  INTEGER,
  latitude    REAL,
  longitude   REAL,
  accuracy_m  REAL,
  located_at  INTEGER,
  created_at  INTEGER NOT NULL,
  UNIQUE (home_id, name_key)
) STRICT;

CREATE TABLE notifications (
  id              TEXT PRIMARY KEY,
  -- The user whom it is for; NULL = the home.
  owner_id        TEXT,
  automation_id   TEXT,
  home_id         TEXT REFERENCES homes (id) ON DELETE CASCADE,
  title           TEXT,
  message         TEXT NOT NULL,
  -- Comma-separated names of channels.
  channels_sent   TEXT NOT NULL,
  channels_failed TEXT,
  rate_limited    INTEGER NOT NULL CHECK (rate_limited IN (0, 1)),
  created_at      INTEGER NOT NULL
) STRICT;

CREATE INDEX notifications_by_time ON notifications (created_at);

CREATE TABLE notification_preferences (
  id            TEXT PRIMARY KEY,
  -- The user whose it is; '' = the home's own.
  owner_id      TEXT NOT NULL,
  scope         TEXT NOT NULL CHECK (scope IN ('global', 'home', 'automation')),
  -- '' for the global one.
  scope_id      TEXT NOT NULL,
  push_enabled  INTEGER NOT NULL CHECK (push_enabled IN (0, 1)),
  email_enabled INTEGER NOT NULL CHECK (email_enabled IN (0, 1)),
  local_enabled INTEGER NOT NULL CHECK (local_enabled IN (0, 1)),
  UNIQUE (owner_id, scope, scope_id)
) STRICT;
