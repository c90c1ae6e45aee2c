-- What energy costs, from which day on.
CREATE TABLE energy_tariffs (
  home_id TEXT NOT NULL REFERENCES homes (id) ON DELETE CASCADE,
  -- YYYY-MM-DD in the home's time zone; empty = from the beginning.
  since   TEXT NOT NULL,
  -- JSON, as the API takes it.
  tariff  TEXT NOT NULL CHECK (json_valid(tariff)),
  PRIMARY KEY (home_id, since)
) STRICT, WITHOUT ROWID;
