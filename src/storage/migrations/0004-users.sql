-- People with accounts: how they sign in, what they may do in which home, and how often it was tried.

CREATE TABLE users (
  id            TEXT PRIMARY KEY,
  email         TEXT NOT NULL,
  -- The address folded, by which it is looked up.
  email_key     TEXT NOT NULL UNIQUE,
  name          TEXT NOT NULL,
  -- Argon2id in PHC form, with its salt and its parameters.
  password_hash TEXT NOT NULL,
  -- The one who claimed the relay: the owner of homes that are made without anybody asking.
  is_founder    INTEGER NOT NULL CHECK (is_founder IN (0, 1)),
  -- JSON object: what clients keep for this person, Developer Mode among it (API §4.2, wire-facts §10).
  settings      TEXT NOT NULL,
  created_at    INTEGER NOT NULL,
  last_login_at INTEGER
) STRICT;

-- 100 claims at the same moment make one founder.
CREATE UNIQUE INDEX users_one_founder ON users (is_founder) WHERE is_founder = 1;

CREATE TABLE home_members (
  home_id    TEXT NOT NULL REFERENCES homes (id) ON DELETE CASCADE,
  user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  role       TEXT NOT NULL CHECK (role IN ('view', 'control', 'admin', 'owner')),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (home_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE invitations (
  id         TEXT PRIMARY KEY,
  home_id    TEXT NOT NULL REFERENCES homes (id) ON DELETE CASCADE,
  email      TEXT NOT NULL,
  email_key  TEXT NOT NULL,
  role       TEXT NOT NULL CHECK (role IN ('view', 'control', 'admin', 'owner')),
  -- Whom it is for, if they had an account when they were invited: an address that changes hands later gives nobody the invitation.
  user_id    TEXT REFERENCES users (id) ON DELETE CASCADE,
  -- Of those without an account: SHA-256 of the code in the invitation's link, hex.
  code_hash  TEXT UNIQUE,
  -- Who invited; NULL = the CLI.
  inviter_id TEXT REFERENCES users (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  UNIQUE (home_id, email_key)
) STRICT;

CREATE TABLE sessions (
  id           TEXT PRIMARY KEY,
  user_id      TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at   INTEGER NOT NULL,
  expires_at   INTEGER NOT NULL,
  -- When it was first seen past its end: a clock set back does not revive it.
  expired_at   INTEGER,
  last_used_at INTEGER,
  -- What it was made with, to tell sessions apart: User-Agent and address.
  device       TEXT,
  address      TEXT
) STRICT;

CREATE INDEX sessions_by_user ON sessions (user_id);

-- Failed tries of whatever can be guessed (passwords, passcodes, codes), so that limits hold across restarts.
CREATE TABLE attempts (
  -- The rule and, as SHA-256, what it counts for: an account, an address, a share. Names of people are not kept by trying them.
  key TEXT NOT NULL,
  at  INTEGER NOT NULL
) STRICT;

CREATE INDEX attempts_by_key ON attempts (key, at);

-- Keys of our own: they sign sessions and share links. 256 random bits each, base64url.
CREATE TABLE signing_keys (
  name       TEXT PRIMARY KEY,
  value      TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
