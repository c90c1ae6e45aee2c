import type { CertificateSourceName } from '../../contract/https.ts';
import type { CertifiedKey, Permitted } from '../../home/certificates.ts';
import type { Database } from '../../storage/database.ts';

/** What is turned on. */
export interface StoredHttps {
  readonly source: CertificateSourceName;
  readonly names: readonly string[];
}

export type KeyKind = 'authority' | 'acme_account' | CertificateSourceName;

export interface StoredKey extends CertifiedKey {
  /** Of an authority. */
  readonly permitted?: Permitted;
}

const NO_NETWORKS: Permitted = { domains: [], networks: [] };

/** The tables `https` and `https_keys`. */
export class HttpsStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @returns `undefined` while it is off. */
  load(): StoredHttps | undefined {
    const row = this.#database.prepare<[], { source: string; names: string }>('SELECT source, names FROM https').get();
    if (!row) return undefined;
    const names = readJson<readonly string[]>(row.names) ?? [];
    return { source: row.source as CertificateSourceName, names };
  }

  save({ source, names }: StoredHttps): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO https (only, source, names) VALUES (1, ?, ?)')
      .run(source, JSON.stringify(names));
  }

  /** Keys and certificates stay: the authority that phones trust is there when it is turned on again. */
  clear(): void {
    this.#database.prepare('DELETE FROM https').run();
  }

  key(kind: KeyKind): StoredKey | undefined {
    const row = this.#database
      .prepare<[string], { private_key: string; certificate: string; permitted: string }>(
        'SELECT private_key, certificate, permitted FROM https_keys WHERE kind = ?',
      )
      .get(kind);
    if (!row) return undefined;
    const { private_key: key, certificate, permitted } = row;
    return { key, certificate, permitted: readJson<Permitted>(permitted) ?? NO_NETWORKS };
  }

  /** All of them or none. */
  saveKeys(keys: Readonly<Partial<Record<KeyKind, StoredKey>>>, createdAt: number): void {
    const save = this.#database.prepare('INSERT OR REPLACE INTO https_keys VALUES (?, ?, ?, ?, ?)');
    this.#database
      .transaction(() => {
        for (const [kind, { key, certificate, permitted }] of Object.entries(keys))
          save.run(kind, key, certificate, permitted ? JSON.stringify(permitted) : '', createdAt);
      })
      .immediate();
  }
}

function readJson<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}
