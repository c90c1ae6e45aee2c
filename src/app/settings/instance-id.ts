import { randomBytes } from 'node:crypto';
import type { Database } from '../../storage/database.ts';

const KEY = 'instance.id';

/** Eight hex digits that identify this installation, created at its first start. Not a secret. */
export function loadInstanceId(database: Database): string {
  const row = database.prepare<[string], { value: string }>('SELECT value FROM settings WHERE key = ?').get(KEY);
  if (row) return row.value;
  const id = randomBytes(4).toString('hex');
  database.prepare('INSERT INTO settings (key, value) VALUES (?, ?)').run(KEY, id);
  return id;
}
