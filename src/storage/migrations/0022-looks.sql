-- The icons that users chose, and the look of rooms.

-- A name of home/vocabulary/icon-names.ts; NULL = the icon of its kind.
ALTER TABLE accessories ADD COLUMN icon TEXT;
ALTER TABLE service_groups ADD COLUMN icon TEXT;

-- A name of home/vocabulary/room-looks.ts.
ALTER TABLE rooms ADD COLUMN color TEXT;

-- In a table of their own: rooms are read without them.
CREATE TABLE room_pictures (
  room_id TEXT PRIMARY KEY REFERENCES rooms (id) ON DELETE CASCADE,
  -- JPEG, PNG or WebP, by its first bytes.
  picture BLOB NOT NULL,
  -- Of the bytes: SHA-256, base64url.
  hash    TEXT NOT NULL
) STRICT;
