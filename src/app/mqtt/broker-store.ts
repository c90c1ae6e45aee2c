import type { Database } from '../../storage/database.ts';
import type { Broker } from './broker.ts';

interface BrokerRow {
  id: string;
  home_id: string;
  name: string;
  host: string;
  port: number;
  username: string | null;
  password: string | null;
  use_tls: 0 | 1;
  ca: string | null;
  topic_prefix: string;
  ha_discovery: 0 | 1;
  ha_discovery_prefix: string;
  enabled: 0 | 1;
  created_at: number;
}

/** The tables `mqtt_brokers` and `mqtt_homes`. */
export class BrokerStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  load(): readonly Broker[] {
    return this.#database.prepare<[], BrokerRow>('SELECT * FROM mqtt_brokers').all().map(toBroker);
  }

  /** Runs `write` in a transaction. */
  transaction(write: () => void): void {
    this.#database.transaction(write)();
  }

  /** Inserts or replaces the broker. */
  save({ isConfigured: _, useTls, haDiscovery, enabled, ...broker }: Broker): void {
    this.#database
      .prepare(
        `INSERT INTO mqtt_brokers (id, home_id, name, host, port, username, password, use_tls, ca, topic_prefix, ha_discovery,
           ha_discovery_prefix, enabled, created_at)
         VALUES (@id, @homeId, @name, @host, @port, @username, @password, @useTls, @ca, @topicPrefix, @haDiscovery,
           @haDiscoveryPrefix, @enabled, @createdAt)
         ON CONFLICT (id) DO UPDATE SET
           name = excluded.name, host = excluded.host, port = excluded.port, username = excluded.username,
           password = excluded.password, use_tls = excluded.use_tls, ca = excluded.ca, topic_prefix = excluded.topic_prefix,
           ha_discovery = excluded.ha_discovery, ha_discovery_prefix = excluded.ha_discovery_prefix,
           enabled = excluded.enabled`,
      )
      .run({ ...broker, useTls: Number(useTls), haDiscovery: Number(haDiscovery), enabled: Number(enabled) });
  }

  delete(id: string): void {
    this.#database.prepare('DELETE FROM mqtt_brokers WHERE id = ?').run(id);
  }

  /** The homes for which publishing is disabled. */
  loadDisabledHomes(): readonly string[] {
    const rows = this.#database.prepare<[], { home_id: string }>('SELECT home_id FROM mqtt_homes WHERE enabled = 0');
    return rows.all().map(({ home_id: homeId }) => homeId);
  }

  setHomeEnabled(homeId: string, enabled: boolean): void {
    this.#database
      .prepare(
        `INSERT INTO mqtt_homes (home_id, enabled) VALUES (?, ?)
         ON CONFLICT (home_id) DO UPDATE SET enabled = excluded.enabled`,
      )
      .run(homeId, Number(enabled));
  }
}

function toBroker(row: BrokerRow): Broker {
  return {
    id: row.id,
    homeId: row.home_id,
    name: row.name,
    host: row.host,
    port: row.port,
    username: row.username,
    password: row.password,
    useTls: row.use_tls === 1,
    ca: row.ca,
    topicPrefix: row.topic_prefix,
    haDiscovery: row.ha_discovery === 1,
    haDiscoveryPrefix: row.ha_discovery_prefix,
    enabled: row.enabled === 1,
    createdAt: row.created_at,
    isConfigured: false,
  };
}
