import { nameKey } from '../../home/names.ts';
import type { Database } from '../../storage/database.ts';
import type { Person } from './person.ts';

interface PersonRow {
  id: string;
  home_id: string;
  name: string;
  user_id: string | null;
  at_home: 0 | 1 | null;
  changed_at: number | null;
  latitude: number | null;
  longitude: number | null;
  accuracy_m: number | null;
  located_at: number | null;
  created_at: number;
}

/** The table `people`. */
export class PeopleStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  load(): readonly Person[] {
    return this.#database.prepare<[], PersonRow>('SELECT * FROM people').all().map(toPerson);
  }

  /** Inserts or replaces the person. */
  save(person: Person): void {
    const { id, homeId, name, userId, atHome, changedAt, fix, createdAt } = person;
    this.#database
      .prepare(
        `INSERT INTO people (id, home_id, name, name_key, user_id, at_home, changed_at, latitude, longitude, accuracy_m,
           located_at, created_at)
         VALUES (@id, @homeId, @name, @key, @userId, @atHome, @changedAt, @latitude, @longitude, @accuracyM, @locatedAt, @createdAt)
         ON CONFLICT (id) DO UPDATE SET
           name = excluded.name, name_key = excluded.name_key, user_id = excluded.user_id, at_home = excluded.at_home,
           changed_at = excluded.changed_at, latitude = excluded.latitude, longitude = excluded.longitude,
           accuracy_m = excluded.accuracy_m, located_at = excluded.located_at`,
      )
      .run({
        id,
        homeId,
        name,
        key: nameKey(name),
        userId,
        atHome: atHome === null ? null : Number(atHome),
        changedAt,
        latitude: fix?.latitude ?? null,
        longitude: fix?.longitude ?? null,
        accuracyM: fix?.accuracyM ?? null,
        locatedAt: fix?.at ?? null,
        createdAt,
      });
  }

  delete(id: string): void {
    this.#database.prepare('DELETE FROM people WHERE id = ?').run(id);
  }
}

function toPerson(row: PersonRow): Person {
  const { latitude, longitude, accuracy_m: accuracyM, located_at: at } = row;
  const isLocated = latitude !== null && longitude !== null && accuracyM !== null && at !== null;
  return {
    id: row.id,
    homeId: row.home_id,
    name: row.name,
    userId: row.user_id,
    atHome: row.at_home === null ? null : row.at_home === 1,
    changedAt: row.changed_at,
    fix: isLocated ? { latitude, longitude, accuracyM, at } : null,
    createdAt: row.created_at,
  };
}
