-- Settings of the daemon that were changed while it ran. Flags, variables and the configuration file win over them.

CREATE TABLE relay_settings (
  -- As in the configuration file: `log_level`.
  name  TEXT PRIMARY KEY,
  -- Its words as a JSON array of texts. Some are secrets (addresses with passwords, tokens).
  words TEXT NOT NULL
) STRICT, WITHOUT ROWID;
