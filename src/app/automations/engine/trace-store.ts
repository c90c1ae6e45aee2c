/** The table `traces` of history.db (wire-facts §6.5). */
import { MAX_TRACES } from '../../../contract/automation-runs.ts';
import type { DisposableDatabase } from '../../../storage/disposable-database.ts';
import type { Trace } from '../program.ts';

export class TraceStore {
  readonly #source: Pick<DisposableDatabase, 'current'>;

  constructor(source: Pick<DisposableDatabase, 'current'>) {
    this.#source = source;
  }

  /** Saves all traces or none. @throws `storage_unavailable` */
  save(traces: readonly Trace[]): void {
    const database = this.#source.current;
    const put = database.prepare(
      `INSERT INTO traces (id, automation_id, home_id, started_at, trace) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET trace = excluded.trace`,
    );
    database.transaction(() => {
      for (const trace of traces) {
        put.run(trace.id, trace.automationId, trace.homeId, trace.startedAt, JSON.stringify(trace));
      }
    })();
  }

  /** Deletes all but the newest hundred. @throws `storage_unavailable` */
  prune(automationId: string): void {
    this.#source.current
      .prepare(
        `DELETE FROM traces WHERE automation_id = ? AND id NOT IN
           (SELECT id FROM traces WHERE automation_id = ? ORDER BY started_at DESC, rowid DESC LIMIT ${MAX_TRACES})`,
      )
      .run(automationId, automationId);
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

  /** @throws `storage_unavailable` */
  delete(automationId: string): void {
    this.#source.current.prepare('DELETE FROM traces WHERE automation_id = ?').run(automationId);
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
