-- Who did what in a home, and when: for people to read. Bounded (90 days, 100,000 rows); losing it loses nothing else.

CREATE TABLE activity (
  -- In the order of the events. An id is never used again, so that it can be a place to continue from.
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  at             INTEGER NOT NULL,
  home_id        TEXT NOT NULL,
  kind           TEXT NOT NULL,
  -- Names are those of the moment: what was renamed or deleted since keeps the name that it had.
  subject_type   TEXT NOT NULL,
  subject_id     TEXT NOT NULL,
  subject_name   TEXT NOT NULL,
  -- The room of an accessory at that moment.
  room_id        TEXT,
  room_name      TEXT,
  characteristic TEXT,
  -- A word or a number, as text.
  value          TEXT,
  actor_kind     TEXT NOT NULL,
  -- Empty for those that are one of their kind, such as the device itself.
  actor_id       TEXT NOT NULL,
  actor_name     TEXT
) STRICT;

CREATE INDEX activity_by_subject ON activity (subject_id, id);
CREATE INDEX activity_by_actor ON activity (home_id, actor_kind, actor_id, id);
CREATE INDEX activity_by_age ON activity (at);
