import type { CharacteristicValue, HapId } from '../../home/model.ts';
import type { Database } from '../../storage/database.ts';

export interface LastValue {
  readonly accessoryId: string;
  readonly iid: HapId;
  readonly value: CharacteristicValue;
}

/** The table `last_values`. Values are JSON text; decimal text of 64-bit numbers stays text. */
export class LastValuesStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  load(): readonly LastValue[] {
    return this.#database
      .prepare<[], { accessory_id: string; iid: string; value: string }>('SELECT * FROM last_values')
      .all()
      .flatMap(({ accessory_id: accessoryId, iid, value }) => {
        const read = readValue(value);
        return read === undefined ? [] : [{ accessoryId, iid, value: read }];
      });
  }

  /** Writes all in one transaction. Values of accessories that are not stored are skipped. */
  save(values: readonly LastValue[]): void {
    const insert = this.#database.prepare<[string, string, string, string]>(
      `INSERT INTO last_values (accessory_id, iid, value)
       SELECT ?, ?, ? WHERE EXISTS (SELECT 1 FROM accessories WHERE id = ? AND removed_at IS NULL)
       ON CONFLICT (accessory_id, iid) DO UPDATE SET value = excluded.value`,
    );
    this.#database
      .transaction(() => {
        for (const { accessoryId, iid, value } of values)
          insert.run(accessoryId, iid, JSON.stringify(value), accessoryId);
      })
      .immediate();
  }
}

/** `undefined` if corrupted on disk: the device reports the value again. */
function readValue(text: string): CharacteristicValue | undefined {
  try {
    return JSON.parse(text) as CharacteristicValue;
  } catch {
    return undefined;
  }
}
