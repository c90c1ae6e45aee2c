-- MQTT brokers that homes are published on.

CREATE TABLE mqtt_brokers (
  id                  TEXT PRIMARY KEY,
  home_id             TEXT NOT NULL REFERENCES homes (id) ON DELETE CASCADE,
  name                TEXT NOT NULL,
  host                TEXT NOT NULL,
  port                INTEGER NOT NULL,
  username            TEXT,
  -- As the broker wants it; never shown again.
  password            TEXT,
  use_tls             INTEGER NOT NULL CHECK (use_tls IN (0, 1)),
  -- Certificates (PEM) of the authorities that it is trusted by; NULL = those that everybody trusts.
  ca                  TEXT,
  topic_prefix        TEXT NOT NULL,
  ha_discovery        INTEGER NOT NULL CHECK (ha_discovery IN (0, 1)),
  ha_discovery_prefix TEXT NOT NULL,
  enabled             INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  created_at          INTEGER NOT NULL
) STRICT;

CREATE INDEX mqtt_brokers_by_home ON mqtt_brokers (home_id);

-- Whether a home is published at all; a home without a row is.
CREATE TABLE mqtt_homes (
  home_id TEXT PRIMARY KEY REFERENCES homes (id) ON DELETE CASCADE,
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1))
) STRICT, WITHOUT ROWID;

-- What was published retained and must be taken back when its accessory goes or its broker is another. A broker of the
-- configuration has topics but no row above.
CREATE TABLE mqtt_topics (
  broker_id TEXT NOT NULL,
  topic     TEXT NOT NULL,
  PRIMARY KEY (broker_id, topic)
) STRICT, WITHOUT ROWID;
