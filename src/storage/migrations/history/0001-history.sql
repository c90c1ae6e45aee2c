-- What the home was like: every recorded value, and what became of them by the hour and by the day.
-- Times are milliseconds since the epoch. Nothing here is irreplaceable: the whole file may be set aside and begun anew.

CREATE TABLE series (
  id             INTEGER PRIMARY KEY,
  home_id        TEXT NOT NULL,
  -- An accessory's or a service group's id. They outlive an unpairing, and so does the series. What an accessory did in one home
  -- is none of the next one's business: there it has series of its own.
  accessory_id   TEXT NOT NULL,
  -- snake_case, with a number from the second service that has it on: power_state_2.
  characteristic TEXT NOT NULL,
  kind           TEXT NOT NULL CHECK (kind IN ('numeric', 'bool', 'enum', 'string')),
  unit           TEXT,
  -- Samples before this have been pruned, all but the newest of them: it says what held at this moment.
  raw_from       INTEGER NOT NULL DEFAULT 0,
  -- Counted along: counting ten million rows would hold everybody up.
  sample_count   INTEGER NOT NULL DEFAULT 0,
  rollup_count   INTEGER NOT NULL DEFAULT 0,
  UNIQUE (home_id, accessory_id, characteristic)
) STRICT;

-- The bulk of the file: without a rowid a sample takes about twenty bytes. A REAL without decimals is stored as an integer.
CREATE TABLE samples (
  series_id INTEGER NOT NULL,
  at        INTEGER NOT NULL,
  -- bool and enum: the state's number; string: its text's id.
  value     REAL NOT NULL,
  PRIMARY KEY (series_id, at)
) STRICT, WITHOUT ROWID;

CREATE TABLE texts (
  id   INTEGER PRIMARY KEY,
  text TEXT NOT NULL UNIQUE
) STRICT;

-- One row a bucket (UTC) that has samples; a bucket without any held the value before it throughout.
CREATE TABLE hourly (
  series_id   INTEGER NOT NULL,
  start       INTEGER NOT NULL,
  min         REAL NOT NULL,
  max         REAL NOT NULL,
  -- Weighted by how long each value held, the one carried over from before included.
  avg         REAL NOT NULL,
  last        REAL NOT NULL,
  count       INTEGER NOT NULL,
  transitions INTEGER NOT NULL,
  -- How much of the bucket a value was known for: less than all of it only in the first one.
  covered_ms  INTEGER NOT NULL,
  -- JSON object state -> milliseconds; NULL for numeric series.
  state_ms    TEXT,
  PRIMARY KEY (series_id, start)
) STRICT, WITHOUT ROWID;

CREATE TABLE daily (
  series_id   INTEGER NOT NULL,
  start       INTEGER NOT NULL,
  min         REAL NOT NULL,
  max         REAL NOT NULL,
  avg         REAL NOT NULL,
  last        REAL NOT NULL,
  count       INTEGER NOT NULL,
  transitions INTEGER NOT NULL,
  covered_ms  INTEGER NOT NULL,
  state_ms    TEXT,
  PRIMARY KEY (series_id, start)
) STRICT, WITHOUT ROWID;

-- Buckets to be built, anew or for the first time. Written together with the sample that makes it necessary, so that neither
-- a kill nor a sample that comes late is ever forgotten.
CREATE TABLE stale_hours (
  series_id INTEGER NOT NULL,
  start     INTEGER NOT NULL,
  PRIMARY KEY (series_id, start)
) STRICT, WITHOUT ROWID;

CREATE TABLE stale_days (
  series_id INTEGER NOT NULL,
  start     INTEGER NOT NULL,
  PRIMARY KEY (series_id, start)
) STRICT, WITHOUT ROWID;
