-- What each run of an automation did, for people to read. Bounded (a hundred an automation); losing it loses nothing else.

CREATE TABLE traces (
  id            TEXT PRIMARY KEY,
  automation_id TEXT NOT NULL,
  home_id       TEXT NOT NULL,
  started_at    INTEGER NOT NULL,
  -- JSON of the whole trace.
  trace         TEXT NOT NULL
) STRICT;

CREATE INDEX traces_by_automation ON traces (automation_id, started_at);
