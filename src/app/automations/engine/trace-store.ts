/** The tables `traces` and `trace_definitions` of history.db (wire-facts §6.5). */
import { MAX_TRACES } from '../../../contract/automation-runs.ts';
import type { DisposableDatabase } from '../../../storage/disposable-database.ts';
import type { Program, Trace } from '../program.ts';
import { definitionHash, definitionText, type RunDefinition, readDefinition } from './run-definition.ts';

/** Per automation. A large flow that is changed after each run must not fill the disk. */
const KEPT_DEFINITIONS = 20;

/** A trace with the automation as the run found it. */
export interface TracedRun {
  readonly trace: Trace;
  readonly program: Program;
}

export class TraceStore {
  readonly #source: Pick<DisposableDatabase, 'current'>;

  constructor(source: Pick<DisposableDatabase, 'current'>) {
    this.#source = source;
  }

  /** Saves all traces or none. A definition is written once. @throws `storage_unavailable` */
  save(runs: readonly TracedRun[]): void {
    const database = this.#source.current;
    const put = database.prepare(
      `INSERT INTO traces (id, automation_id, home_id, started_at, trace, definition_hash) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET trace = excluded.trace, definition_hash = excluded.definition_hash`,
    );
    const known = database.prepare('SELECT 1 FROM trace_definitions WHERE automation_id = ? AND hash = ?');
    const keep = database.prepare('INSERT INTO trace_definitions (automation_id, hash, definition) VALUES (?, ?, ?)');
    database.transaction(() => {
      for (const { trace, program } of runs) {
        const { id, automationId, homeId, startedAt } = trace;
        const hash = definitionHash(program) ?? null;
        put.run(id, automationId, homeId, startedAt, JSON.stringify(trace), hash);
        if (hash !== null && !known.get(automationId, hash)) keep.run(automationId, hash, definitionText(program));
      }
    })();
  }

  /**
   * Deletes all but the newest hundred, and the definitions that none of them refers to any more. @throws
   * `storage_unavailable`
   */
  prune(automationId: string): void {
    const database = this.#source.current;
    database.transaction(() => {
      database
        .prepare(
          `DELETE FROM traces WHERE automation_id = ? AND id NOT IN
             (SELECT id FROM traces WHERE automation_id = ? ORDER BY started_at DESC, rowid DESC LIMIT ${MAX_TRACES})`,
        )
        .run(automationId, automationId);
      database
        .prepare(
          `DELETE FROM trace_definitions WHERE automation_id = @id AND (
             hash NOT IN (SELECT definition_hash FROM traces WHERE automation_id = @id AND definition_hash IS NOT NULL)
             OR rowid NOT IN (SELECT rowid FROM trace_definitions WHERE automation_id = @id
                              ORDER BY rowid DESC LIMIT ${KEPT_DEFINITIONS}))`,
        )
        .run({ id: automationId });
    })();
  }

  /** Newest first. @throws `storage_unavailable` */
  list(automationId: string, limit: number): readonly Trace[] {
    return this.#source.current
      .prepare<[string, number], { trace: string }>(
        'SELECT trace FROM traces WHERE automation_id = ? ORDER BY started_at DESC, rowid DESC LIMIT ?',
      )
      .all(automationId, limit)
      .flatMap(({ trace }) => readTrace(trace) ?? []);
  }

  /** @throws `storage_unavailable` */
  find(runId: string): Trace | undefined {
    const row = this.#source.current
      .prepare<[string], { trace: string }>('SELECT trace FROM traces WHERE id = ?')
      .get(runId);
    return row && readTrace(row.trace);
  }

  /** What the run ran, if it is kept. @throws `storage_unavailable` */
  definitionOf(runId: string): RunDefinition | undefined {
    const text = this.#source.current
      .prepare<[string], string>(
        `SELECT definition FROM traces JOIN trace_definitions USING (automation_id)
         WHERE id = ? AND hash = definition_hash`,
      )
      .pluck()
      .get(runId);
    return text === undefined ? undefined : readDefinition(text);
  }

  /** @throws `storage_unavailable` */
  delete(automationId: string): void {
    const database = this.#source.current;
    database.transaction(() => {
      database.prepare('DELETE FROM traces WHERE automation_id = ?').run(automationId);
      database.prepare('DELETE FROM trace_definitions WHERE automation_id = ?').run(automationId);
    })();
  }
}

/** A trace corrupted on disk is omitted. */
function readTrace(text: string): Trace | undefined {
  try {
    const trace: Trace | null = JSON.parse(text);
    return Array.isArray(trace?.steps) ? trace : undefined;
  } catch {
    return undefined;
  }
}
