/**
 * The engine: watches the triggers of all automations and decides whether what fires becomes a run. It knows no kind of trigger,
 * condition or action, nothing of flows and native automations (both come as programs), and does little of what it decides itself:
 * `arming` watches, `guards` and `modes` judge, `runs` keeps what is under way, `run` and `steps` execute, `journal` remembers,
 * `reports` tells.
 */
import type { Clock } from '../../../kernel/clock.ts';
import { HearthError, messageOf } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Startable } from '../../../kernel/lifecycle.ts';
import { notFound } from '../../access/authorize.ts';
import type { Json } from '../flow.ts';
import {
  type Admission,
  type BlockedReason,
  type Cause,
  NO_CAUSE,
  type Program,
  type TriggerData,
} from '../program.ts';
import { systemEvent } from '../triggers/system.ts';
import { Arming, type Firing } from './arming.ts';
import { MinuteCount, type Nesting, nestingFault } from './guards.ts';
import type { Run } from './run.ts';
import { Runs, type RunsParts } from './runs.ts';
import { DELETED } from './signals.ts';
import { TOP } from './trace-recorder.ts';

const MOST_FIRE_DATES = 100;

export interface EngineParts extends RunsParts {
  readonly runsPerMinute: () => number;
}

/** Somebody asks for a run. */
export interface RunRequest {
  readonly type?: 'manual';
  /** Put over the automation's own. */
  readonly variables?: Readonly<Record<string, Json>>;
  /** For who stands for one of its triggers: which one, and what it says. */
  readonly data?: Partial<TriggerData>;
  /** The automation that asks, and what led to it. */
  readonly cause?: Cause;
}

type TriggeredListener = (program: Program, at: number, admission: Admission) => void;

interface Candidate {
  readonly program: Program;
  readonly trigger: TriggerData;
  readonly cause: Cause;
}

export class Engine implements Startable {
  readonly #parts: EngineParts;
  readonly #clock: Clock;
  readonly #arming: Arming;
  readonly #runs: Runs;
  readonly #rate: MinuteCount;
  readonly #programs = new Map<string, Program>();
  readonly #listeners = new Set<TriggeredListener>();
  #status: 'new' | 'started' | 'stopped' = 'new';
  #tidying: NodeJS.Immediate | undefined;

  /** How many automations there are. */
  get size(): number {
    return this.#programs.size;
  }

  /** How many runs are not over. */
  get underWay(): number {
    return this.#runs.size;
  }

  constructor(parts: EngineParts) {
    const { ground, kinds, runsPerMinute } = parts;
    this.#parts = parts;
    this.#clock = ground.clock;
    this.#runs = new Runs(parts);
    this.#rate = new MinuteCount(ground.clock, runsPerMinute);
    this.#arming = new Arming({
      ground,
      kinds,
      variablesOf: (automationId) => this.#programs.get(automationId)?.variables ?? {},
      onFired: (firing) => this.#fired(firing),
      onMissed: (automationId, trigger) => this.#missed(automationId, trigger),
    });
  }

  /** Goes on with the runs that a stop or a kill interrupted, and watches every trigger. Automations must have been put before. */
  start(): void {
    this.#status = 'started';
    for (const program of this.#programs.values()) this.#arming.arm(program);
    this.#runs.resume((automationId) => this.#programs.has(automationId));
    // By then every run that goes on has come to where it waits.
    this.#tidySoon();
  }

  /** Runs that survive a restart stay as they are; the others are kept, so that they do. */
  async stop(): Promise<void> {
    if (this.#status !== 'started') return;
    this.#status = 'stopped';
    // First, so that what is planned stays planned.
    this.#parts.ground.slots.stop();
    this.#arming.stop();
    await this.#runs.stop();
    this.#parts.ground.holds.flush();
  }

  /** Takes an automation in, or what it is now; runs under way end as what they began as. Before `start` it is only remembered. */
  put(program: Program): void {
    this.#programs.set(program.id, program);
    if (this.#status !== 'started') return;
    if (this.#arming.arm(program)) this.#tidySoon();
    const { homeId, id: automationId } = program;
    this.#parts.ground.events.emit({
      homeId,
      eventType: systemEvent('automation_reloaded'),
      eventData: { automationId },
      cause: NO_CAUSE,
    });
  }

  /** Forgets an automation and ends its runs. */
  remove(automationId: string): void {
    const program = this.#programs.get(automationId);
    if (!program) return;
    this.#programs.delete(automationId);
    this.#arming.arm({ ...program, enabled: false });
    for (const run of this.runsOf(automationId)) this.#runs.cancel(run.id, DELETED);
    this.#rate.forget(automationId);
    this.#parts.reports.forget(automationId);
    // Its runs come to their ends first.
    setImmediate(() => this.#parts.traces.forget(automationId));
    this.#tidySoon();
  }

  find(automationId: string): Program | undefined {
    return this.#programs.get(automationId);
  }

  /** Those under way and those in a queue. */
  runsOf(automationId: string): readonly Run[] {
    return this.#runs.of(automationId);
  }

  /** Ends a run at once. @returns whether there was one */
  cancel(runId: string): boolean {
    return this.#runs.cancel(runId, { error: 'It was cancelled.', reason: 'cancelled' });
  }

  /**
   * Begins a run that somebody asked for, if its conditions hold.
   * @throws `automation_not_found` · `relay_not_connected` the daemon is about to stop
   */
  trigger(automationId: string, { variables, data, cause = NO_CAUSE }: RunRequest = {}): Admission {
    const known = this.#programs.get(automationId);
    if (!known) throw notFound('automation_not_found');
    if (this.#status === 'stopped') throw new HearthError('relay_not_connected', 'hearthd is about to stop.');
    const program = variables ? { ...known, variables: { ...known.variables, ...variables } } : known;
    const timestamp = new Date(this.#clock.now()).toISOString();
    const trigger: TriggerData = { id: null, type: 'manual', timestamp, ...data };
    return this.#admit({ program, trigger, cause });
  }

  /** The next moments at which the clock fires the automation, earliest first; none while it is disabled. Milliseconds. */
  nextFireDates(automationId: string, count: number, after = this.#clock.now()): readonly number[] {
    const program = this.#programs.get(automationId);
    if (!program?.enabled) return [];
    const { kinds, ground } = this.#parts;
    const place = { homeId: program.homeId, state: ground.state };
    const dates: number[] = [];
    const enabled = program.triggers.filter((trigger) => trigger.enabled);
    for (let from = after; dates.length < Math.min(count, MOST_FIRE_DATES); ) {
      const next = enabled.map((trigger) => kinds.nextOf(trigger, place, from)).filter((at) => at !== null);
      if (next.length === 0) break;
      from = Math.min(...next);
      dates.push(from);
    }
    return dates;
  }

  /** Called for each firing, refused ones included. @returns the function that ends it */
  onTriggered(listener: TriggeredListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  // — from a firing to a run —

  #fired({ automationId, trigger, cause = NO_CAUSE }: Firing): void {
    const program = this.#programs.get(automationId);
    if (!program || this.#status !== 'started') return;
    this.#admit({ program, trigger, cause });
  }

  #missed(automationId: string, trigger: TriggerData): void {
    const program = this.#programs.get(automationId);
    if (program) this.#refuse({ program, trigger, cause: NO_CAUSE }, 'missed');
  }

  #admit(candidate: Candidate): Admission {
    const { program, cause } = candidate;
    if (!program.enabled) return this.#refuse(candidate, 'disabled');
    const nesting = nestingFault(cause, { automationId: program.id, name: program.name });
    if (nesting) return this.#refuse(candidate, nesting.reason, nesting);
    if (this.#rate.isFull(program.id)) return this.#refuse(candidate, 'rate_limit');
    const run = this.#runs.prepare(candidate);
    if (!this.#conditionsHold(run)) return this.#tell(run, null);
    const place = this.#runs.placeFor(program);
    if (place !== 'begin' && place !== 'restart' && place !== 'wait') {
      return this.#refuse(candidate, place, undefined, run.id);
    }
    this.#rate.take(program.id);
    this.#runs.add(run, place);
    return this.#tell(run, null);
  }

  #conditionsHold(run: Run): boolean {
    const { kinds, ground, reports, traces } = this.#parts;
    const { conditions, homeId, id } = run.program;
    if (conditions.conditions.length === 0) return true;
    const { state, presence, expressions } = ground;
    const now = this.#clock.now();
    const context = { homeId, state, presence, expressions, scope: run.scope(), now };
    const { passed, results } = kinds.evaluateConditions(conditions, context);
    run.recorder.begin({
      ...TOP,
      type: 'condition',
      nodeId: null,
      nodeType: conditions.operator,
      summarize: () => kinds.summarizeConditions(conditions, state),
      at: now,
    })({ at: now, result: passed ? 'passed' : 'failed', output: results });
    if (!passed && reports.mayStub(id)) {
      run.recorder.end({ at: now, status: 'stopped' });
      traces.changed(run.recorder);
    }
    return passed;
  }

  #refuse(candidate: Candidate, reason: BlockedReason, nesting?: Nesting, runId = newId()): Admission {
    const { program, trigger, cause } = candidate;
    this.#parts.reports.refused({ runId, program, trigger, cause, reason, nesting });
    return this.#tell({ id: runId, program }, reason);
  }

  #tell({ id, program }: Pick<Run, 'id' | 'program'>, blockedReason: BlockedReason | null): Admission {
    const admission = { runId: id, blockedReason };
    const at = this.#clock.now();
    for (const listener of this.#listeners) {
      try {
        listener(program, at, admission);
      } catch (error) {
        this.#parts.logger.error({ error: messageOf(error) }, 'What an automation did could not be counted');
      }
    }
    return admission;
  }

  /** Once for all that changes in one turn of the event loop: with a home thousands of automations may go. */
  #tidySoon(): void {
    this.#tidying ??= setImmediate(() => this.#forgetUnused());
  }

  /** Holds and slots of triggers that are watched no more. Before the start nobody knows yet which those are. */
  #forgetUnused(): void {
    this.#tidying = undefined;
    if (this.#status !== 'started') return;
    const { holds, slots } = this.#parts.ground;
    const keys = new Set([...this.#arming.keys(), ...this.#runs.watchKeys()]);
    try {
      holds.retain(keys);
      slots.retain(keys);
    } catch (error) {
      this.#parts.logger.warn({ error: messageOf(error) }, 'What triggers kept could not be tidied; it is later');
    }
  }
}
