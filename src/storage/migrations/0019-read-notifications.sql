-- Which notifications a person has read, and where one leads.

-- A path of the dashboard, or an http or https address; NULL = nowhere.
ALTER TABLE notifications ADD COLUMN link TEXT;

-- Single ones. All of them at once move the mark below.
CREATE TABLE notification_reads (
  user_id         TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  notification_id TEXT NOT NULL REFERENCES notifications (id) ON DELETE CASCADE,
  PRIMARY KEY (user_id, notification_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX notification_reads_by_notification ON notification_reads (notification_id);

-- Notifications up to this time are read. A person without a row has read what is older than the account.
CREATE TABLE notification_marks (
  user_id    TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  read_up_to INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What came before there was such a list counts as read.
INSERT INTO notification_marks (user_id, read_up_to)
SELECT users.id, coalesce((SELECT max(created_at) FROM notifications), 0) FROM users;
