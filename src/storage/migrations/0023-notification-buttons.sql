-- Buttons that people answer a notification with, and which one was pressed.

-- JSON: [{"id","title"}]; NULL = none.
ALTER TABLE notifications ADD COLUMN buttons TEXT;
-- What the automation calls it, for triggers; NULL = nothing.
ALTER TABLE notifications ADD COLUMN tag TEXT;
-- The pressed one: its id, when, and who as JSON {"kind","id","name"}; all NULL while none was.
ALTER TABLE notifications ADD COLUMN pressed_button TEXT;
ALTER TABLE notifications ADD COLUMN pressed_at INTEGER;
ALTER TABLE notifications ADD COLUMN pressed_by TEXT;
