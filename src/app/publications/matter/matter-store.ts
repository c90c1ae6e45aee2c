import { randomBytes, randomInt } from 'node:crypto';
import type { MatterStorage, MatterStorageChange, MatterStoredValue } from '../../../home/matter-port.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Database } from '../../../storage/database.ts';
import { parseFabrics, type StoredFabric } from './stored-fabrics.ts';

export interface MatterBridgeRecord {
  readonly publicationId: string;
  readonly id: string;
  readonly uniqueId: string;
  readonly passcode: number;
  readonly discriminator: number;
  readonly nextNumber: number;
  readonly port: number | null;
  readonly manualCode: string | null;
  readonly qrCode: string | null;
  readonly fabrics: readonly StoredFabric[];
}

export interface EndpointRecord {
  readonly thing: string;
  readonly part: string;
  readonly number: number;
  readonly uniqueId: string;
}

interface BridgeRow {
  publication_id: string;
  id: string;
  unique_id: string;
  passcode: number;
  discriminator: number;
  next_number: number;
  port: number | null;
  manual_code: string | null;
  qr_code: string | null;
  fabrics: string;
}

/** 0 is the root, 1 the aggregator. */
const FIRST_NUMBER = 2;
const UNIQUE_ID_BYTES = 16;
const MAX_PASSCODE = 99_999_998;
const MAX_DISCRIMINATOR = 4_095;
/** The passcodes that the specification forbids (core §5.1.7.1). */
const TRIVIAL_PASSCODES: ReadonlySet<number> = new Set([
  ...[11_111_111, 22_222_222, 33_333_333, 44_444_444, 55_555_555, 66_666_666, 77_777_777, 88_888_888],
  ...[12_345_678, 87_654_321],
]);

/** The tables `matter_bridges`, `matter_endpoints` and `matter_storage`. */
export class MatterStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  transaction<T>(write: () => T): T {
    return this.#database.transaction(write).immediate();
  }

  /** A new bridge of a publication, which replaces the one before with everything of it. */
  create(publicationId: string): void {
    this.#database.prepare('DELETE FROM matter_bridges WHERE publication_id = ?').run(publicationId);
    this.#database
      .prepare(
        `INSERT INTO matter_bridges (publication_id, id, unique_id, passcode, discriminator, next_number, fabrics)
         VALUES (?, ?, ?, ?, ?, ?, '[]')`,
      )
      .run(publicationId, newId(), newUniqueId(), newPasscode(), randomInt(MAX_DISCRIMINATOR + 1), FIRST_NUMBER);
  }

  bridgeOf(publicationId: string): MatterBridgeRecord | undefined {
    const row = this.#database
      .prepare<[string], BridgeRow>('SELECT * FROM matter_bridges WHERE publication_id = ?')
      .get(publicationId);
    return row && toRecord(row);
  }

  /** What a bridge learned when it opened. */
  saveOpened(
    bridgeId: string,
    opened: { readonly port: number; readonly manualCode: string; readonly qrCode: string },
  ): void {
    this.#database
      .prepare(
        'UPDATE matter_bridges SET port = @port, manual_code = @manualCode, qr_code = @qrCode WHERE id = @bridgeId',
      )
      .run({ ...opened, bridgeId });
  }

  /** Whether another bridge had a port last. */
  isPortOfAnother(bridgeId: string, port: number): boolean {
    const found = this.#database
      .prepare<[number, string], { found: 1 }>('SELECT 1 AS found FROM matter_bridges WHERE port = ? AND id <> ?')
      .get(port, bridgeId);
    return found !== undefined;
  }

  saveFabrics(bridgeId: string, fabrics: readonly StoredFabric[]): void {
    this.#database.prepare('UPDATE matter_bridges SET fabrics = ? WHERE id = ?').run(JSON.stringify(fabrics), bridgeId);
  }

  endpoints(bridgeId: string): readonly EndpointRecord[] {
    return this.#database
      .prepare<[string], EndpointRecord>(
        'SELECT thing, part, number, unique_id AS uniqueId FROM matter_endpoints WHERE bridge_id = ?',
      )
      .all(bridgeId);
  }

  /** Gives an endpoint its number and its unique id. Call in a transaction. */
  addEndpoint(bridgeId: string, thing: string, part: string): EndpointRecord {
    const row = this.#database
      .prepare<[string], { number: number }>(
        'UPDATE matter_bridges SET next_number = next_number + 1 WHERE id = ? RETURNING next_number - 1 AS number',
      )
      .get(bridgeId);
    if (!row) throw new Error(`There is no Matter bridge ${bridgeId}`);
    const record: EndpointRecord = { thing, part, number: row.number, uniqueId: newUniqueId() };
    this.#database
      .prepare(
        `INSERT INTO matter_endpoints (bridge_id, thing, part, number, unique_id)
         VALUES (@bridgeId, @thing, @part, @number, @uniqueId)`,
      )
      .run({ ...record, bridgeId });
    return record;
  }

  storageOf(bridgeId: string): MatterStorage {
    return {
      load: () =>
        this.#database
          .prepare<[string], MatterStoredValue>('SELECT context, key, value FROM matter_storage WHERE bridge_id = ?')
          .all(bridgeId),
      apply: (changes) =>
        this.transaction(() => {
          for (const change of changes) this.#apply(bridgeId, change);
        }),
    };
  }

  #apply(bridgeId: string, change: MatterStorageChange): void {
    const { context } = change;
    if (change.type === 'set') {
      this.#database
        .prepare('INSERT OR REPLACE INTO matter_storage (bridge_id, context, key, value) VALUES (?, ?, ?, ?)')
        .run(bridgeId, context, change.key, Buffer.from(change.value));
    } else if (change.type === 'delete') {
      this.#database
        .prepare('DELETE FROM matter_storage WHERE bridge_id = ? AND context = ? AND key = ?')
        .run(bridgeId, context, change.key);
    } else {
      this.#database
        .prepare(
          `DELETE FROM matter_storage
           WHERE bridge_id = @bridgeId AND (@context = '' OR context = @context OR substr(context, 1, length(@start)) = @start)`,
        )
        .run({ bridgeId, context, start: `${context}.` });
    }
  }
}

function newPasscode(): number {
  for (;;) {
    const passcode = randomInt(1, MAX_PASSCODE + 1);
    if (!TRIVIAL_PASSCODES.has(passcode)) return passcode;
  }
}

function newUniqueId(): string {
  return randomBytes(UNIQUE_ID_BYTES).toString('hex');
}

function toRecord(row: BridgeRow): MatterBridgeRecord {
  return {
    publicationId: row.publication_id,
    id: row.id,
    uniqueId: row.unique_id,
    passcode: row.passcode,
    discriminator: row.discriminator,
    nextNumber: row.next_number,
    port: row.port,
    manualCode: row.manual_code,
    qrCode: row.qr_code,
    fabrics: parseFabrics(row.fabrics),
  };
}
