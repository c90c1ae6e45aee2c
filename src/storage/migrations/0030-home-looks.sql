-- What is behind the tiles of a home.

-- A name of home/vocabulary/room-looks.ts; NULL = none.
ALTER TABLE homes ADD COLUMN background TEXT;

-- It counts before the background. In a table of its own: homes are read without it.
CREATE TABLE home_pictures (
  home_id TEXT PRIMARY KEY REFERENCES homes (id) ON DELETE CASCADE,
  -- JPEG, PNG or WebP, by its first bytes.
  picture BLOB NOT NULL,
  -- Of the bytes: SHA-256, base64url.
  hash    TEXT NOT NULL
) STRICT;
