-- Passkeys (WebAuthn): public keys, with which a person signs in without a password.

CREATE TABLE passkeys (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- As the authenticator calls it, base64url.
  credential_id TEXT NOT NULL UNIQUE,
  -- COSE (RFC 9052).
  public_key BLOB NOT NULL,
  -- The highest signature counter that was seen; 0 of authenticators that do not count.
  counter INTEGER NOT NULL,
  -- JSON: how browsers reach the authenticator.
  transports TEXT NOT NULL,
  -- The host name that it works under.
  host TEXT NOT NULL,
  name TEXT NOT NULL,
  -- Whether the authenticator may copy it to other devices of the person.
  is_synced INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;

CREATE INDEX passkeys_of_users ON passkeys (user_id);
