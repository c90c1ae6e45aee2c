-- The PIN that a Matter publication asks for before it operates a lock.

-- Argon2id; NULL = no PIN.
ALTER TABLE publications ADD COLUMN lock_pin_hash TEXT;
-- How often a first PIN was set or the PIN was removed: controllers learn by it that the locks are other ones.
ALTER TABLE publications ADD COLUMN lock_pin_changes INTEGER NOT NULL DEFAULT 0;
