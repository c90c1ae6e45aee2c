-- Sessions of accounts that must set a second step up before they do anything else.

ALTER TABLE sessions ADD COLUMN is_enrolling INTEGER NOT NULL DEFAULT 0;
