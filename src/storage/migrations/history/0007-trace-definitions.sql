-- What automations were when their runs began: one row for all runs of the same definition. A row goes with the last trace that
-- refers to it, and an automation has twenty at most.

CREATE TABLE trace_definitions (
  automation_id TEXT NOT NULL,
  -- Of the text, SHA-256.
  hash          TEXT NOT NULL,
  -- JSON: the kind of the automation, and what decides what its runs do.
  definition    TEXT NOT NULL,
  PRIMARY KEY (automation_id, hash)
) STRICT;

-- NULL = it is of an earlier version of hearthd.
ALTER TABLE traces ADD COLUMN definition_hash TEXT;
