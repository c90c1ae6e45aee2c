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

/** A saved version of a flow. */
export interface FlowVersion {
  readonly id: string;
  readonly flowId: string;
  /** The flow's version number at that time. */
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

/** Per flow (wire-facts §6.5); older versions are deleted. */
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

  /** A flow that can no longer be parsed is loaded empty and disabled: the user can restore an earlier version. */
  load(): readonly Flow[] {
    return this.#database.prepare<[], FlowRow>('SELECT * FROM flows').all().map(toFlow);
  }

  /**
   * Inserts or replaces the flow, and stores this version beside the earlier ones. @param versionId the id of the
   * version
   * @param also writes more in the same transaction.
   */
  save(flow: Flow, versionId: string, also: () => void): void {
    const { id, homeId, name, enabled, version, createdAt, updatedAt } = flow;
    const definition = JSON.stringify(definitionOf(flow));
    this.#database.transaction(() => {
      this.#database
        .prepare(
          `INSERT INTO flows (id, home_id, name, enabled, definition, version, created_at, updated_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (id) DO UPDATE SET
             name = excluded.name, enabled = excluded.enabled,
             definition = excluded.definition, version = excluded.version, updated_at = excluded.updated_at`,
        )
        .run(id, homeId, name, Number(enabled), definition, version, createdAt, updatedAt);
      this.#database
        .prepare(
          `INSERT INTO flow_versions (id, flow_id, version, name, definition, saved_at) VALUES (?, ?, ?, ?, ?, ?)`,
        )
        .run(versionId, id, version, name, definition, updatedAt);
      this.#database
        .prepare('DELETE FROM flow_versions WHERE flow_id = ? AND version <= ?')
        .run(id, version - KEPT_VERSIONS);
      also();
    })();
  }

  setEnabled(id: string, enabled: boolean): void {
    this.#database.prepare('UPDATE flows SET enabled = ? WHERE id = ?').run(Number(enabled), id);
  }

  /** In one transaction, because counts change often. */
  saveCounts(counts: readonly FlowCount[]): void {
    const update = this.#database.prepare('UPDATE flows SET last_triggered_at = ?, trigger_count = ? WHERE id = ?');
    this.#database.transaction(() => {
      for (const { id, lastTriggeredAt, triggerCount } of counts) update.run(lastTriggeredAt, triggerCount, id);
    })();
  }

  /** Also deletes its versions. */
  delete(id: string): void {
    this.#database.prepare('DELETE FROM flows WHERE id = ?').run(id);
  }

  /** Latest first. Omits versions that can no longer be parsed. */
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

/** The `FlowDefinition` fields of a flow, without its other columns. */
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

/** Writes are atomic; only disk corruption makes a row invalid. */
function readDefinition(text: string): FlowDefinition | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return hasOutline(value) ? definitionOf({ ...EMPTY, ...value }) : undefined;
  } catch {
    return undefined;
  }
}
