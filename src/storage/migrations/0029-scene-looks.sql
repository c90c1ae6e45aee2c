-- The look of scenes.

-- A name of home/vocabulary/icon-names.ts; NULL = one by its name.
ALTER TABLE scenes ADD COLUMN icon TEXT;
-- A name of home/vocabulary/room-looks.ts.
ALTER TABLE scenes ADD COLUMN color TEXT;
