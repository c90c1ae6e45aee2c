/**
 * The tables `runs` and `run_steps`: waiting runs and their steps. This class handles disk errors: each write reports
 * whether it succeeded. If a run could not be deleted, the delete is retried, so that a restart does not repeat the
 * run.
 */
import type { Clock } from '../../../kernel/clock.ts';
import { messageOf } from '../../../kernel/errors.ts';
import type { Json } from '../../../kernel/json.ts';
import { type Logger, LogThrottle } from '../../../kernel/logger.ts';
import type { Database } from '../../../storage/database.ts';
import type { Program } from '../program.ts';
import type { Cause, TriggerData } from '../scope.ts';
import { withNumericTimestamp } from '../trigger-time.ts';

/** The initial data of a run. */
export interface RunStart {
  readonly program: Program;
  readonly trigger: TriggerData;
  readonly cause: Cause;
}

export interface StoredRun {
  readonly id: string;
  readonly start: RunStart;
  readonly startedAt: number;
  /** By the step's path; `null`: begun, with no recorded end. */
  readonly steps: ReadonlyMap<string, Json>;
}

interface RunRow {
  id: string;
  start: string;
  started_at: number;
}

export class RunStore {
  readonly #database: Database | null;
  readonly #logger: Logger;
  readonly #throttle: LogThrottle;
  readonly #undeleted = new Set<string>();
  #tidying: NodeJS.Immediate | undefined;

  /** @param parts `database: null`: nothing is stored (a dry run) */
  constructor(deps: { database: Database | null; clock: Clock; logger: Logger }) {
    this.#database = deps.database;
    this.#logger = deps.logger;
    this.#throttle = new LogThrottle(deps.clock);
  }

  /** Whether a transaction is open: writes become part of it and may roll back with it. */
  get isInTransaction(): boolean {
    return this.#database?.inTransaction === true;
  }

  /** In start order. Deletes runs that can no longer be parsed. */
  list(): readonly StoredRun[] {
    const database = this.#database;
    if (!database) return [];
    const rows = database.prepare<[], RunRow>('SELECT id, start, started_at FROM runs ORDER BY rowid').all();
    return rows.flatMap((row) => {
      try {
        return [
          { id: row.id, start: readStart(row.start), startedAt: row.started_at, steps: stepsOf(database, row.id) },
        ];
      } catch (error) {
        this.#logger.error({ runId: row.id, error: messageOf(error) }, 'Could not read a stored run; discarded it');
        this.delete(row.id);
        return [];
      }
    });
  }

  /**
   * Writes steps of a run, and the run itself before its first step. Writes nothing if the disk fails, and logs the
   * error.
   * @returns whether the steps are stored
   */
  save(
    runId: string,
    beginning: { readonly start: RunStart; readonly startedAt: number } | null,
    steps: ReadonlyMap<string, object | null>,
  ): boolean {
    return this.#attempt((database) => {
      if (beginning) insert(database, runId, beginning);
      const put = database.prepare('INSERT OR REPLACE INTO run_steps (run_id, step, output) VALUES (?, ?, ?)');
      for (const [step, output] of steps) put.run(runId, step, output === null ? null : JSON.stringify(output));
    });
  }

  /**
   * Takes effect with the next write, at the latest at the end of this turn of the event loop: automations do not wait
   * for the disk. Never throws; after a disk error, every write retries the delete.
   */
  delete(runId: string): void {
    if (!this.#database) return;
    this.#undeleted.add(runId);
    this.#tidying ??= setImmediate(() => this.tidy());
  }

  /** Executes pending deletes at once. */
  tidy(): void {
    clearImmediate(this.#tidying);
    this.#tidying = undefined;
    if (this.#undeleted.size > 0 && this.#database?.open) this.#attempt(() => {});
  }

  /** Commits everything that `work` writes, or nothing. @throws what `work` throws, and `storage_unavailable` */
  transaction<T>(work: () => T): T {
    return this.#database ? this.#database.transaction(work)() : work();
  }

  #attempt(write: (database: Database) => void): boolean {
    const database = this.#database;
    if (!database) return false;
    try {
      this.transaction(() => {
        for (const id of this.#undeleted) database.prepare('DELETE FROM runs WHERE id = ?').run(id);
        write(database);
      });
      if (!this.isInTransaction) this.#undeleted.clear();
      return true;
    } catch (error) {
      this.#throttle.once('write', () =>
        this.#logger.error(
          { error: messageOf(error) },
          'Could not save runs. They continue, but would not survive a restart',
        ),
      );
      return false;
    }
  }
}

function stepsOf(database: Database, runId: string): Map<string, Json> {
  const rows = database
    .prepare<[string], { step: string; output: string | null }>('SELECT step, output FROM run_steps WHERE run_id = ?')
    .all(runId);
  return new Map(rows.map(({ step, output }) => [step, JSON.parse(output ?? 'null')]));
}

function insert(database: Database, runId: string, { start, startedAt }: Omit<StoredRun, 'id' | 'steps'>): void {
  const { program } = start;
  database
    .prepare('INSERT OR IGNORE INTO runs (id, automation_id, home_id, start, started_at) VALUES (?, ?, ?, ?, ?)')
    .run(runId, program.id, program.homeId, JSON.stringify(start), startedAt);
}

/** The text was complete when it was written. @throws if it is not a valid run start */
function readStart(text: string): RunStart {
  const start: unknown = JSON.parse(text);
  if (isStart(start)) return { ...start, trigger: withNumericTimestamp(start.trigger) };
  throw new Error('It does not contain the start of the run');
}

function isStart(value: unknown): value is RunStart {
  const { program, trigger, cause } = membersOf(value);
  const { id, homeId, triggers, actions, conditions, variables } = membersOf(program);
  const lists = [triggers, actions, membersOf(conditions).conditions, membersOf(cause).chain];
  const objects = [trigger, variables];
  return (
    typeof id === 'string' &&
    typeof homeId === 'string' &&
    lists.every(Array.isArray) &&
    objects.every((one) => typeof one === 'object' && one !== null)
  );
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
