/** The traces of automations as operations: what each run did and why; at most 100 per automation. */

import type { TraceAutomation } from '../../../contract/automation-runs.ts';
import type { Access } from '../../access/authorize.ts';
import { notFound } from '../../access/authorize.ts';
import type { Caller } from '../../access/caller.ts';
import type { Program, Trace } from '../program.ts';
import { definitionText, type RunDefinition } from './run-definition.ts';
import { parseTraceLimit, type TraceLog } from './trace-log.ts';

interface TracesDeps {
  readonly log: TraceLog;
  readonly access: Access;
  readonly find: (automationId: string) => Program | undefined;
  /** What a run ran, in the form in which clients read automations. */
  readonly asDraft: (ran: RunDefinition, homeId: string) => object;
}

export class Traces {
  readonly #log: TraceLog;
  readonly #access: Access;
  readonly #find: (automationId: string) => Program | undefined;
  readonly #asDraft: TracesDeps['asDraft'];

  constructor(deps: TracesDeps) {
    this.#log = deps.log;
    this.#access = deps.access;
    this.#find = deps.find;
    this.#asDraft = deps.asDraft;
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

  /** One run, with the automation as the run found it. Requires view access to the home. @throws `not_found` */
  get(caller: Caller, runId: string): Trace {
    const trace = this.#log.find(runId.toLowerCase());
    const program = trace && this.#find(trace.automationId);
    if (!trace || !program || !this.#access.mayIn(caller, 'view', program.homeId)) throw notFound('not_found');
    return { ...trace, automation: this.#automationOf(trace, program) };
  }

  #automationOf({ id, homeId }: Trace, now: Program): TraceAutomation | null {
    const ran = this.#log.ran(id);
    if (!ran) return null;
    const isCurrent = JSON.stringify(ran) === definitionText(now);
    return { kind: ran.kind, isCurrent, definition: { ...this.#asDraft(ran, homeId) } };
  }
}
