-- Lamps whose colour temperature follows the day.

-- A home without a row has the defaults: off.
CREATE TABLE adaptive_lighting_homes (
  home_id      TEXT PRIMARY KEY REFERENCES homes (id) ON DELETE CASCADE,
  enabled      INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  -- Mireds.
  warmest      INTEGER NOT NULL,
  coldest      INTEGER NOT NULL,
  -- Minutes after midnight, by the wall clock of the home.
  wake_minute  INTEGER NOT NULL,
  sleep_minute INTEGER NOT NULL,
  -- How long a colour that someone set stays; NULL = until the lamp is turned off.
  pause_hours  INTEGER
) STRICT, WITHOUT ROWID;

-- A room without a row is as its home.
CREATE TABLE adaptive_lighting_rooms (
  room_id TEXT PRIMARY KEY REFERENCES rooms (id) ON DELETE CASCADE,
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1))
) STRICT, WITHOUT ROWID;

-- A lamp is one light service of an accessory.
CREATE TABLE adaptive_lighting_lamps (
  accessory_id TEXT NOT NULL REFERENCES accessories (id) ON DELETE CASCADE,
  service_iid  TEXT NOT NULL,
  -- NULL = as its room.
  enabled      INTEGER CHECK (enabled IN (0, 1)),
  -- When someone set its colour, and when that ends; NULL = it is not paused, or until it is turned off.
  paused_at    INTEGER,
  resumes_at INTEGER,
  -- When the schedule starts that the lamp itself runs; NULL = it has none of ours.
  schedule_at  INTEGER,
  PRIMARY KEY (accessory_id, service_iid)
) STRICT, WITHOUT ROWID;
