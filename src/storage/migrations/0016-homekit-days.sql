-- Days that controllers of a HomeKit bridge wrote for lamps: adaptive lighting of Apple Home.
CREATE TABLE homekit_days (
  bridge_id     TEXT NOT NULL REFERENCES homekit_bridges (id) ON DELETE CASCADE,
  accessory_id  TEXT NOT NULL,
  service_iid   TEXT NOT NULL,
  -- TLV8, as it was written.
  configuration BLOB NOT NULL,
  written_at    INTEGER NOT NULL,
  PRIMARY KEY (bridge_id, accessory_id, service_iid)
) STRICT, WITHOUT ROWID;
