import { EnergyTariff } from '../../contract/energy.ts';
import type { Database } from '../../storage/database.ts';
import { requireValidTariff } from './tariff.ts';

interface TariffRow {
  since: string;
  tariff: string;
}

/** The table `energy_tariffs` of relay.db. */
export class TariffStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The tariffs of a home, the earliest first. */
  list(homeId: string): readonly EnergyTariff[] {
    return this.#database
      .prepare<[string], TariffRow>('SELECT since, tariff FROM energy_tariffs WHERE home_id = ? ORDER BY since')
      .all(homeId)
      .flatMap(({ since, tariff }) => toTariff(since, tariff) ?? []);
  }

  /** Replaces all tariffs that apply from the same day on or later. */
  put(homeId: string, { since, ...tariff }: EnergyTariff): void {
    const database = this.#database;
    database.transaction(() => {
      database.prepare('DELETE FROM energy_tariffs WHERE home_id = ? AND since >= ?').run(homeId, since ?? '');
      database
        .prepare('INSERT INTO energy_tariffs (home_id, since, tariff) VALUES (?, ?, ?)')
        .run(homeId, since ?? '', JSON.stringify(tariff));
    })();
  }

  removeAll(homeId: string): void {
    this.#database.prepare('DELETE FROM energy_tariffs WHERE home_id = ?').run(homeId);
  }
}

/** An altered backup may hold what no operation makes: such a tariff is none. */
function toTariff(since: string, json: string): EnergyTariff | undefined {
  try {
    const stored: object = JSON.parse(json);
    const tariff = EnergyTariff.parse({ ...stored, since: since === '' ? null : since });
    requireValidTariff(tariff);
    return tariff;
  } catch {
    return undefined;
  }
}
