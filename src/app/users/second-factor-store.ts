import type { Database } from '../../storage/database.ts';

/** The second factor of an account, as stored. */
export interface StoredSecondFactor {
  readonly userId: string;
  /** Base32. */
  readonly secret: string;
  /** The step of the last accepted code. */
  readonly lastStep: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

interface Row {
  user_id: string;
  secret: string;
  last_step: number;
  created_at: number;
}

/** The tables `second_factors` and `recovery_codes`. */
export class SecondFactorStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  find(userId: string): StoredSecondFactor | undefined {
    const row = this.#database.prepare<[string], Row>('SELECT * FROM second_factors WHERE user_id = ?').get(userId);
    return row && { userId, secret: row.secret, lastStep: row.last_step, createdAt: row.created_at };
  }

  /** Inserts a factor with its recovery codes, in place of an earlier one. */
  replace({ userId, secret, lastStep, createdAt }: StoredSecondFactor, hashes: readonly string[]): void {
    this.#database.transaction(() => {
      this.delete(userId);
      this.#database
        .prepare('INSERT INTO second_factors (user_id, secret, last_step, created_at) VALUES (?, ?, ?, ?)')
        .run(userId, secret, lastStep, createdAt);
      this.replaceRecoveryCodes(userId, hashes);
    })();
  }

  setLastStep(userId: string, step: number): void {
    this.#database
      .prepare('UPDATE second_factors SET last_step = max(last_step, ?) WHERE user_id = ?')
      .run(step, userId);
  }

  delete(userId: string): void {
    this.#database.prepare('DELETE FROM second_factors WHERE user_id = ?').run(userId);
  }

  replaceRecoveryCodes(userId: string, hashes: readonly string[]): void {
    this.#database.transaction(() => {
      this.#database.prepare('DELETE FROM recovery_codes WHERE user_id = ?').run(userId);
      const insert = this.#database.prepare('INSERT INTO recovery_codes (user_id, hash) VALUES (?, ?)');
      for (const hash of hashes) insert.run(userId, hash);
    })();
  }

  hasRecoveryCode(userId: string, hash: string): boolean {
    return (
      this.#database.prepare('SELECT 1 FROM recovery_codes WHERE user_id = ? AND hash = ?').get(userId, hash) !==
      undefined
    );
  }

  /** @returns whether there was this code. */
  deleteRecoveryCode(userId: string, hash: string): boolean {
    const { changes } = this.#database
      .prepare('DELETE FROM recovery_codes WHERE user_id = ? AND hash = ?')
      .run(userId, hash);
    return changes > 0;
  }

  countRecoveryCodes(userId: string): number {
    return (
      this.#database
        .prepare<[string], { n: number }>('SELECT count(*) AS n FROM recovery_codes WHERE user_id = ?')
        .get(userId)?.n ?? 0
    );
  }
}
