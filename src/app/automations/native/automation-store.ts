import type { Scene } from '../../../home/model.ts';
import type { Database } from '../../../storage/database.ts';
import type { SceneStore } from '../../scenes/scene-store.ts';
import type { Automation } from './automation.ts';
import { readStoredTrigger } from './stored-trigger.ts';

/** An automation without the content of its scene. */
export type StoredAutomation = Omit<Automation, 'sceneId' | 'actions'>;

interface Row {
  id: string;
  home_id: string;
  name: string;
  enabled: number;
  trigger: string;
  last_fire_at: number | null;
  created_at: number;
}

/** The table `automations`, and the scenes that its rows own: both are inserted, changed and deleted together. */
export class AutomationStore {
  readonly #database: Database;
  readonly #scenes: SceneStore;

  constructor(database: Database, scenes: SceneStore) {
    this.#database = database;
    this.#scenes = scenes;
  }

  /** Omits rows whose trigger is corrupted on disk, and reports them: their behaviour is unknown. */
  load(): { readonly automations: readonly StoredAutomation[]; readonly unreadable: readonly string[] } {
    const rows = this.#database.prepare<[], Row>('SELECT * FROM automations').all();
    const automations: StoredAutomation[] = [];
    const unreadable: string[] = [];
    for (const row of rows) {
      const trigger = readStoredTrigger(row.trigger);
      if (trigger) automations.push({ ...fromRow(row), trigger });
      else unreadable.push(row.id);
    }
    return { automations, unreadable };
  }

  nameOf(id: string): string | undefined {
    return this.#database.prepare<[string], string>('SELECT name FROM automations WHERE id = ?').pluck().get(id);
  }

  /** Inserts the automation and its scene, or updates their mutable columns; both or neither. */
  save({ id, homeId, name, enabled, trigger, lastFireAt, createdAt }: Automation, scene: Scene): void {
    this.#database
      .transaction(() => {
        this.#database
          .prepare(
            `INSERT INTO automations (id, home_id, name, enabled, trigger, last_fire_at, created_at)
             VALUES (@id, @homeId, @name, @enabled, @trigger, @lastFireAt, @createdAt)
             ON CONFLICT (id) DO UPDATE SET name = excluded.name, enabled = excluded.enabled, trigger = excluded.trigger, last_fire_at = excluded.last_fire_at`,
          )
          .run({
            id,
            homeId,
            name,
            enabled: Number(enabled),
            trigger: JSON.stringify(trigger),
            lastFireAt,
            createdAt,
          });
        this.#scenes.save(scene);
      })
      .immediate();
  }

  /** The results of firings for automations. */
  saveFirings(fired: readonly Pick<Automation, 'id' | 'enabled' | 'lastFireAt'>[]): void {
    const update = this.#database.prepare('UPDATE automations SET enabled = ?, last_fire_at = ? WHERE id = ?');
    this.#database
      .transaction(() => {
        for (const { id, enabled, lastFireAt } of fired) update.run(Number(enabled), lastFireAt, id);
      })
      .immediate();
  }

  delete(id: string, sceneId: string): void {
    this.#database
      .transaction(() => {
        this.#database.prepare('DELETE FROM automations WHERE id = ?').run(id);
        this.#scenes.delete(sceneId);
      })
      .immediate();
  }
}

function fromRow(row: Row): Omit<StoredAutomation, 'trigger'> {
  return {
    id: row.id,
    homeId: row.home_id,
    name: row.name,
    enabled: row.enabled === 1,
    lastFireAt: row.last_fire_at,
    createdAt: row.created_at,
  };
}
