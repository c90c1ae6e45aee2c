-- The run of an automation that an entry is about, or that caused it. Its trace, while it is kept, has its trigger.
-- NULL = none, or it is of an earlier version of hearthd.

ALTER TABLE activity ADD COLUMN run_id TEXT;
