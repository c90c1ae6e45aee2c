/**
 * The tables `runs` and `run_steps`: runs that wait, and what they have done. A disk that fails is met here: writes say whether they
 * succeeded, and a run that could not be deleted is deleted as soon as that works, so that it is not run again after a restart.
 */

import type { Clock } from '../../../kernel/clock.ts';
import { messageOf } from '../../../kernel/errors.ts';
import { type Logger, LogThrottle } from '../../../kernel/logger.ts';
import type { Database } from '../../../storage/database.ts';
import type { Json } from '../flow.ts';
import type { Cause, Program, TriggerData } from '../program.ts';

/** What a run begins with. */
export interface RunStart {
  readonly program: Program;
  readonly trigger: TriggerData;
  readonly cause: Cause;
}

export interface StoredRun {
  readonly id: string;
  readonly start: RunStart;
  readonly startedAt: number;
  /** By the step's path; `null`: begun and not known to have ended. */
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

  /** @param parts `database: null`: nothing is kept (a dry run) */
  constructor(parts: { database: Database | null; clock: Clock; logger: Logger }) {
    this.#database = parts.database;
    this.#logger = parts.logger;
    this.#throttle = new LogThrottle(parts.clock);
  }

  /** Whether somebody writes to the database right now: what is written meanwhile is part of that, and may come to nothing with it. */
  get isInTransaction(): boolean {
    return this.#database?.inTransaction === true;
  }

  /** In the order in which they began. What can't be read any more is deleted. */
  list(): readonly StoredRun[] {
    const database = this.#database;
    if (!database) return [];
    const rows = database.prepare<[], RunRow>('SELECT id, start, started_at FROM runs ORDER BY rowid').all();
    return rows.flatMap((row) => {
      try {
        return [{ id: row.id, start: readStart(row.start), startedAt: row.started_at, steps: this.#stepsOf(row.id) }];
      } catch (error) {
        this.#logger.error({ runId: row.id, error: messageOf(error) }, 'A run can’t be read and is given up');
        this.delete(row.id);
        return [];
      }
    });
  }

  #stepsOf(runId: string): Map<string, Json> {
    const rows = this.#database
      ?.prepare<[string], { step: string; output: string | null }>(
        'SELECT step, output FROM run_steps WHERE run_id = ?',
      )
      .all(runId);
    return new Map(rows?.map(({ step, output }) => [step, output === null ? null : JSON.parse(output)]));
  }

  /**
   * Writes steps of a run, and its beginning before the first of them. Nothing of it where the disk fails, which is logged.
   * @returns whether it is kept now
   */
  save(
    runId: string,
    beginning: { readonly start: RunStart; readonly startedAt: number } | null,
    steps: ReadonlyMap<string, Json>,
  ): boolean {
    return this.#attempt(() => {
      if (beginning) this.#insert(runId, beginning);
      const put = this.#database?.prepare('INSERT OR REPLACE INTO run_steps (run_id, step, output) VALUES (?, ?, ?)');
      for (const [step, output] of steps) put?.run(runId, step, output === null ? null : JSON.stringify(output));
    });
  }

  /**
   * Takes effect with the next write, at the latest when this turn of the event loop is over: what an event makes automations do
   * does not wait for the disk. Never throws; where the disk fails, it is tried again with every write.
   */
  delete(runId: string): void {
    if (!this.#database) return;
    this.#undeleted.add(runId);
    this.#tidying ??= setImmediate(() => this.tidy());
  }

  /** Deletes at once what is to be deleted. */
  tidy(): void {
    clearImmediate(this.#tidying);
    this.#tidying = undefined;
    if (this.#undeleted.size > 0 && this.#database?.open) this.#attempt(() => {});
  }

  /** All that `work` writes, or nothing of it. @throws what `work` throws, and `storage_unavailable` */
  transaction<T>(work: () => T): T {
    return this.#database ? this.#database.transaction(work)() : work();
  }

  #insert(runId: string, { start, startedAt }: { readonly start: RunStart; readonly startedAt: number }): void {
    const { program } = start;
    this.#database
      ?.prepare('INSERT OR IGNORE INTO runs (id, automation_id, home_id, start, started_at) VALUES (?, ?, ?, ?, ?)')
      .run(runId, program.id, program.homeId, JSON.stringify(start), startedAt);
  }

  #attempt(write: () => void): boolean {
    if (!this.#database) return false;
    try {
      this.transaction(() => {
        for (const id of this.#undeleted) this.#database?.prepare('DELETE FROM runs WHERE id = ?').run(id);
        write();
      });
      if (!this.isInTransaction) this.#undeleted.clear();
      return true;
    } catch (error) {
      this.#throttle.once('write', () =>
        this.#logger.error(
          { error: messageOf(error) },
          'Runs can’t be kept. They go on, but would not survive a restart',
        ),
      );
      return false;
    }
  }
}

/** It was whole when it was written. @throws where it is nothing that a run can begin with */
function readStart(text: string): RunStart {
  const start: unknown = JSON.parse(text);
  if (isStart(start)) return start;
  throw new Error('It does not say what the run began with');
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
