import type { Database } from '../../storage/database.ts';
import { parseHostPort } from '../discovery/host-port.ts';

/** `host:port` entries that users added, for networks that multicast does not cross. */
export class ManualDevicesStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Omits rows that a damaged disk has made unreadable. */
  list(): readonly string[] {
    return this.#database
      .prepare<[], { host_port: string }>('SELECT host_port FROM manual_devices ORDER BY added_at, host_port')
      .all()
      .map((row) => row.host_port)
      .filter(isHostPort);
  }

  add(hostPort: string, at: number): void {
    this.#database
      .prepare('INSERT OR IGNORE INTO manual_devices (host_port, added_at) VALUES (?, ?)')
      .run(hostPort, at);
  }

  remove(hostPort: string): void {
    this.#database.prepare('DELETE FROM manual_devices WHERE host_port = ?').run(hostPort);
  }
}

function isHostPort(text: string): boolean {
  try {
    parseHostPort(text);
    return true;
  } catch {
    return false;
  }
}
