-- Which access token or app made, or changed, what goes on without it: the thing ends with its maker. What people made themselves, and
-- what was made before this table, has no row.

CREATE TABLE made_by (
  thing      TEXT NOT NULL CHECK (thing IN ('access_token', 'webhook', 'share', 'mqtt_broker', 'outward_flow')),
  thing_id   TEXT NOT NULL,
  -- `token <id>` or `app <client id> <user id>`: the columns below, as one text.
  maker      TEXT NOT NULL,
  token_id   TEXT,
  client_id  TEXT,
  user_id    TEXT,
  -- When the person allowed the app: an app that is allowed anew does not revive what ended with it before.
  consent_at INTEGER,
  -- The sign-in of the app. With a stolen one ends what was made through it.
  grant_hash TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (thing, thing_id, maker)
) STRICT, WITHOUT ROWID;

CREATE INDEX made_by_token ON made_by (token_id);
CREATE INDEX made_by_app ON made_by (client_id, user_id);

-- When everything that the token made was ended with it.
ALTER TABLE access_tokens ADD COLUMN made_ended_at INTEGER;

-- Whether the owner allows GET for what opens, unlocks or disarms. Rows of before this column did not say so.
ALTER TABLE shares ADD COLUMN allow_get INTEGER NOT NULL DEFAULT 0 CHECK (allow_get IN (0, 1));

-- Whether the passcode is long enough for a share that controls. Of rows of before this column that is not known.
ALTER TABLE shares ADD COLUMN long_passcode INTEGER NOT NULL DEFAULT 0 CHECK (long_passcode IN (0, 1));
