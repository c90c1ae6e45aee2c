-- How busy the relay was, and when it started: for people to read. Bounded by the number of rows; losing it loses nothing else.
-- Ids are in the order of writing. Times are those of the clock then, which may have been set since.

CREATE TABLE relay_samples (
  id                INTEGER PRIMARY KEY,
  at                INTEGER NOT NULL,
  load              REAL NOT NULL,
  -- Of one processor, since the sample before.
  processor_percent REAL NOT NULL,
  memory_bytes      INTEGER NOT NULL,
  database_bytes    INTEGER NOT NULL,
  connected_devices INTEGER NOT NULL
) STRICT;

CREATE TABLE relay_starts (
  id      INTEGER PRIMARY KEY,
  at      INTEGER NOT NULL,
  version TEXT NOT NULL
) STRICT;
