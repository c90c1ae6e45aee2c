-- Energy by the hour. It is recorded whether or not the history of a home is on: an hour takes about thirty bytes.

-- A meter is one measuring service of an accessory.
CREATE TABLE energy_meters (
  id             INTEGER PRIMARY KEY,
  home_id        TEXT NOT NULL,
  -- The accessory's id outlives an unpairing. In another home the accessory has meters of its own.
  accessory_id   TEXT NOT NULL,
  -- 1 for the first meter of the accessory.
  number         INTEGER NOT NULL,
  -- The last known name, for accessories that are gone.
  name           TEXT NOT NULL,
  since          INTEGER NOT NULL,
  -- The device's counter up to which energy is counted, in milliwatt-hours, and when it was read; NULL = it has none.
  -- Written in the transaction that writes the hours, so that a restart counts nothing twice.
  counter_mwh    INTEGER,
  counter_at     INTEGER,
  -- The counter before it last dropped, and when it dropped.
  dropped_mwh    INTEGER,
  dropped_at     INTEGER,
  UNIQUE (home_id, accessory_id, number)
) STRICT;

-- One row an hour (UTC) in which energy was used, in milliwatt-hours for each quarter of it: time zones, tariffs and
-- spot prices change on quarters of an hour.
CREATE TABLE energy_hours (
  meter_id INTEGER NOT NULL,
  start    INTEGER NOT NULL,
  q1       INTEGER NOT NULL,
  q2       INTEGER NOT NULL,
  q3       INTEGER NOT NULL,
  q4       INTEGER NOT NULL,
  PRIMARY KEY (meter_id, start)
) STRICT, WITHOUT ROWID;

-- Spot prices of a kilowatt-hour, one row a quarter of an hour (UTC).
CREATE TABLE energy_prices (
  home_id TEXT NOT NULL,
  start   INTEGER NOT NULL,
  price   REAL NOT NULL,
  PRIMARY KEY (home_id, start)
) STRICT, WITHOUT ROWID;
