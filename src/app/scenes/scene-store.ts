import type { Scene, SceneAction } from '../../home/model.ts';
import { nameKey } from '../../home/names.ts';
import { isIconName } from '../../home/vocabulary/icon-names.ts';
import { findRoomColor } from '../../home/vocabulary/room-looks.ts';
import type { Database } from '../../storage/database.ts';

interface Row {
  id: string;
  home_id: string;
  name: string;
  actions: string;
  automation_id: string | null;
  icon: string | null;
  color: string | null;
  created_at: number;
}

/** The table `scenes`. */
export class SceneStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  load(): readonly Scene[] {
    const rows = this.#database.prepare<[], Row>('SELECT * FROM scenes').all();
    return rows.map((row) => ({
      id: row.id,
      homeId: row.home_id,
      name: row.name,
      actions: readActions(row.actions),
      automationId: row.automation_id,
      icon: isIconName(row.icon) ? row.icon : null,
      color: findRoomColor(row.color) ?? null,
      createdAt: row.created_at,
    }));
  }

  /** Inserts the scene, or updates its name, actions and look. */
  save(scene: Scene): void {
    this.#database
      .prepare(
        `INSERT INTO scenes (id, home_id, name, name_key, actions, automation_id, icon, color, created_at)
         VALUES (@id, @homeId, @name, @key, @actions, @automationId, @icon, @color, @createdAt)
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, name_key = excluded.name_key, actions = excluded.actions,
           icon = excluded.icon, color = excluded.color`,
      )
      .run({ ...scene, key: nameKey(scene.name), actions: JSON.stringify(scene.actions) });
  }

  delete(id: string): void {
    this.#database.prepare('DELETE FROM scenes WHERE id = ?').run(id);
  }
}

/** Skips corrupted actions: the scene stays, so that its owner sees what is missing. */
function readActions(text: string): readonly SceneAction[] {
  try {
    const actions: unknown = JSON.parse(text);
    return Array.isArray(actions) ? actions.filter(isAction) : [];
  } catch {
    return [];
  }
}

function isAction(value: unknown): value is SceneAction {
  if (typeof value !== 'object' || value === null) return false;
  const { accessoryId, serviceIid, type, value: target } = value as Record<string, unknown>;
  return (
    typeof accessoryId === 'string' &&
    typeof type === 'string' &&
    (serviceIid === null || typeof serviceIid === 'string') &&
    (target === null || typeof target !== 'object') &&
    target !== undefined
  );
}
