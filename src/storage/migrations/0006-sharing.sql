-- Share links (API §4.4): who may reach an entity without being a member of its home.

CREATE TABLE shares (
  id              TEXT PRIMARY KEY,
  entity_type     TEXT NOT NULL CHECK (entity_type IN
                    ('accessory', 'accessory_group', 'room', 'room_group', 'collection', 'collection_group', 'home')),
  -- A UUID; of a group inside a collection both ids, with a colon between.
  entity_id       TEXT NOT NULL,
  -- The UUID in the link: the entity's own, or one made from both ids.
  link_id         TEXT NOT NULL,
  -- The home that it was made in; NULL for what belongs to no home (collections).
  home_id         TEXT REFERENCES homes (id) ON DELETE CASCADE,
  access_type     TEXT NOT NULL CHECK (access_type IN ('public', 'passcode', 'user')),
  role            TEXT NOT NULL CHECK (role IN ('view', 'control')),
  name            TEXT,
  -- Argon2id in PHC form; of access type passcode only.
  passcode_hash   TEXT,
  -- Of access type user only: the person, by account.
  user_id         TEXT REFERENCES users (id) ON DELETE CASCADE,
  -- JSON (decisions §8); NULL = always.
  access_schedule TEXT,
  -- Whether GET may not act (decisions §8).
  require_post    INTEGER NOT NULL CHECK (require_post IN (0, 1)),
  -- Who shared it; NULL = the CLI.
  maker_id        TEXT REFERENCES users (id) ON DELETE CASCADE,
  created_at      INTEGER NOT NULL
) STRICT;

CREATE INDEX shares_by_link ON shares (entity_type, link_id);
CREATE INDEX shares_by_maker ON shares (maker_id);

-- Rises when the last share of an entity goes, so that an old link never comes back to life.
CREATE TABLE share_epochs (
  entity_type TEXT NOT NULL,
  link_id     TEXT NOT NULL,
  epoch       INTEGER NOT NULL,
  PRIMARY KEY (entity_type, link_id)
) STRICT, WITHOUT ROWID;

-- Here rather than in the program: rows also go with their home, their maker and the person whom they are for.
CREATE TRIGGER share_epoch_rises AFTER DELETE ON shares
WHEN NOT EXISTS (SELECT 1 FROM shares WHERE entity_type = OLD.entity_type AND link_id = OLD.link_id)
BEGIN
  INSERT INTO share_epochs (entity_type, link_id, epoch) VALUES (OLD.entity_type, OLD.link_id, 1)
  ON CONFLICT (entity_type, link_id) DO UPDATE SET epoch = epoch + 1;
END;
