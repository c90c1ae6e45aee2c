/** The traces of automations as operations: what each run did and why; at most 100 per automation. */
import type { Access } from '../../access/authorize.ts';
import { notFound } from '../../access/authorize.ts';
import type { Caller } from '../../access/caller.ts';
import type { Program, Trace } from '../program.ts';
import { parseTraceLimit, type TraceLog } from './trace-log.ts';

export class Traces {
  readonly #log: TraceLog;
  readonly #access: Access;
  readonly #find: (automationId: string) => Program | undefined;

  constructor(deps: { log: TraceLog; access: Access; find: (automationId: string) => Program | undefined }) {
    this.#log = deps.log;
    this.#access = deps.access;
    this.#find = deps.find;
  }

  /**
   * Newest first, including active and refused runs. Requires view access to the home.
   * @param limit 1–100
   * @throws `automation_not_found`
   */
  list(caller: Caller, automationId: string, limit?: number): readonly Trace[] {
    const { id } = this.#access.authorizeIn(
      caller,
      'view',
      this.#find(automationId.toLowerCase()),
      'automation_not_found',
    );
    return this.#log.list(id, parseTraceLimit(limit));
  }

  /** Requires view access to the home. @throws `not_found` */
  get(caller: Caller, runId: string): Trace {
    const trace = this.#log.find(runId.toLowerCase());
    const program = trace && this.#find(trace.automationId);
    if (!trace || !program || !this.#access.mayIn(caller, 'view', program.homeId)) throw notFound('not_found');
    return trace;
  }
}
