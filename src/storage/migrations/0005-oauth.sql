-- OAuth 2.1 (API §4.3, §5.2): registered clients, what people allowed them, and what was issued. No secret is stored in the clear.
-- Sign-ins under way are not here: they end with the process, and nobody unknown makes us write.

CREATE TABLE oauth_clients (
  id           TEXT PRIMARY KEY,
  -- JSON: the registered metadata (RFC 7591).
  metadata     TEXT NOT NULL,
  -- SHA-256 of the client's secret (256 random bits), hex; NULL for a public client.
  secret_hash  TEXT,
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;

-- What a person allowed an app: one row a pair.
CREATE TABLE oauth_consents (
  client_id        TEXT NOT NULL REFERENCES oauth_clients (id) ON DELETE CASCADE,
  user_id          TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  scope            TEXT NOT NULL CHECK (scope IN ('read', 'write', 'admin')),
  -- JSON object home id -> 'control' | 'view'; NULL = all homes.
  home_permissions TEXT,
  -- How far it reaches (RFC 8707): 'mcp' = the MCP endpoint alone, 'api' = everything.
  resource         TEXT NOT NULL CHECK (resource IN ('api', 'mcp')),
  created_at       INTEGER NOT NULL,
  updated_at       INTEGER NOT NULL,
  last_used_at     INTEGER,
  PRIMARY KEY (client_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX oauth_consents_by_user ON oauth_consents (user_id);

-- Grants and what was issued from them: codes, access tokens, refresh tokens.
CREATE TABLE oauth_artifacts (
  kind        TEXT NOT NULL CHECK (kind IN ('Grant', 'AuthorizationCode', 'AccessToken', 'RefreshToken')),
  -- SHA-256 of the value that clients hold, hex.
  id_hash     TEXT NOT NULL,
  -- JSON, without that value.
  payload     TEXT NOT NULL,
  client_id   TEXT NOT NULL REFERENCES oauth_clients (id) ON DELETE CASCADE,
  user_id     TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- The id_hash of the grant that it was issued from, or is.
  grant_hash  TEXT NOT NULL,
  created_at  INTEGER NOT NULL,
  expires_at  INTEGER NOT NULL,
  -- When it was first seen past its end: a clock set back does not revive it.
  expired_at  INTEGER,
  consumed_at INTEGER,
  -- Of a refresh token used a moment ago: the answer that it got, sealed with the token itself, for a client that lost it.
  replay      BLOB,
  PRIMARY KEY (kind, id_hash)
) STRICT, WITHOUT ROWID;

CREATE INDEX oauth_artifacts_by_grant ON oauth_artifacts (grant_hash);
CREATE INDEX oauth_artifacts_by_client ON oauth_artifacts (client_id, user_id);
CREATE INDEX oauth_artifacts_by_end ON oauth_artifacts (expires_at);
