import { nameKey } from '../../../home/names.ts';
import type { Database } from '../../../storage/database.ts';
import type { Flow, FlowDefinition } from '../flow.ts';
import { hasOutline } from './outline.ts';

interface FlowRow {
  id: string;
  home_id: string;
  name: string;
  enabled: number;
  definition: string;
  version: number;
  last_triggered_at: number | null;
  trigger_count: number;
  created_at: number;
  updated_at: number;
}

interface VersionRow {
  id: string;
  flow_id: string;
  version: number;
  name: string;
  definition: string;
  saved_at: number;
}

/** A flow as it was saved once. */
export interface FlowVersion {
  readonly id: string;
  readonly flowId: string;
  /** The flow's number then. */
  readonly version: number;
  readonly name: string;
  readonly definition: FlowDefinition;
  readonly savedAt: number;
}

export interface FlowCount {
  readonly id: string;
  readonly lastTriggeredAt: number | null;
  readonly triggerCount: number;
}

/** Of each flow (wire-facts §6.5); older ones go. */
const KEPT_VERSIONS = 50;

const EMPTY: FlowDefinition = {
  description: null,
  mode: 'single',
  maxRunning: 10,
  triggers: [],
  conditions: { operator: 'and', conditions: [] },
  actions: [],
  variables: {},
  blueprintId: null,
  uiState: null,
};

/** The tables `flows` and `flow_versions`. */
export class FlowStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** One that can't be read any more is there without anything that it did, and off: an earlier version can be restored. */
  load(): readonly Flow[] {
    return this.#database.prepare<[], FlowRow>('SELECT * FROM flows').all().map(toFlow);
  }

  /** Inserts the flow or replaces it, and keeps this version of it beside the earlier ones. @param versionId of the version */
  save(flow: Flow, versionId: string): void {
    const { id, homeId, name, enabled, version, createdAt, updatedAt } = flow;
    const definition = JSON.stringify(definitionOf(flow));
    this.#database.transaction(() => {
      this.#database
        .prepare(
          `INSERT INTO flows (id, home_id, name, name_key, enabled, definition, version, created_at, updated_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (id) DO UPDATE SET
             name = excluded.name, name_key = excluded.name_key, enabled = excluded.enabled,
             definition = excluded.definition, version = excluded.version, updated_at = excluded.updated_at`,
        )
        .run(id, homeId, name, nameKey(name), Number(enabled), definition, version, createdAt, updatedAt);
      this.#database
        .prepare(
          `INSERT INTO flow_versions (id, flow_id, version, name, definition, saved_at) VALUES (?, ?, ?, ?, ?, ?)`,
        )
        .run(versionId, id, version, name, definition, updatedAt);
      this.#database
        .prepare('DELETE FROM flow_versions WHERE flow_id = ? AND version <= ?')
        .run(id, version - KEPT_VERSIONS);
    })();
  }

  setEnabled(id: string, enabled: boolean): void {
    this.#database.prepare('UPDATE flows SET enabled = ? WHERE id = ?').run(Number(enabled), id);
  }

  /** Together, for they come often. */
  saveCounts(counts: readonly FlowCount[]): void {
    const update = this.#database.prepare('UPDATE flows SET last_triggered_at = ?, trigger_count = ? WHERE id = ?');
    this.#database.transaction(() => {
      for (const { id, lastTriggeredAt, triggerCount } of counts) update.run(lastTriggeredAt, triggerCount, id);
    })();
  }

  /** With its versions. */
  delete(id: string): void {
    this.#database.prepare('DELETE FROM flows WHERE id = ?').run(id);
  }

  /** Latest first. One that can't be read any more is none. */
  versionsOf(flowId: string): readonly FlowVersion[] {
    return this.#database
      .prepare<[string], VersionRow>('SELECT * FROM flow_versions WHERE flow_id = ? ORDER BY version DESC')
      .all(flowId)
      .flatMap((row) => toVersion(row) ?? []);
  }

  findVersion(id: string): FlowVersion | undefined {
    const row = this.#database.prepare<[string], VersionRow>('SELECT * FROM flow_versions WHERE id = ?').get(id);
    return row && toVersion(row);
  }
}

/** Of a flow what `FlowDefinition` says, without its columns. */
export function definitionOf(flow: FlowDefinition): FlowDefinition {
  const { description, mode, maxRunning, triggers, conditions, actions, variables, blueprintId, uiState } = flow;
  return { description, mode, maxRunning, triggers, conditions, actions, variables, blueprintId, uiState };
}

function toFlow(row: FlowRow): Flow {
  const definition = readDefinition(row.definition);
  return {
    ...(definition ?? EMPTY),
    id: row.id,
    homeId: row.home_id,
    name: row.name,
    enabled: row.enabled === 1 && definition !== undefined,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastTriggeredAt: row.last_triggered_at,
    triggerCount: row.trigger_count,
  };
}

function toVersion({ id, flow_id, version, name, definition: text, saved_at }: VersionRow): FlowVersion | undefined {
  const definition = readDefinition(text);
  return definition && { id, flowId: flow_id, version, name, definition, savedAt: saved_at };
}

/** What was written is whole or nothing; only a disk that rots makes it anything else. */
function readDefinition(text: string): FlowDefinition | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return hasOutline(value) ? definitionOf({ ...EMPTY, ...value }) : undefined;
  } catch {
    return undefined;
  }
}
