/** Automatic backups: the time of day in UTC when that of the night is due, and how often the relay checks that. */
export const NIGHTLY_BACKUP = { dueMs: 3 * 3_600_000, checkMs: 3_600_000 };
