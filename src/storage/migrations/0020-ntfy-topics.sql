-- The ntfy topic of a person, beside the one of the configuration.

CREATE TABLE ntfy_topics (
  user_id    TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  -- Of the topic at its server. As secret as a password.
  url        TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
