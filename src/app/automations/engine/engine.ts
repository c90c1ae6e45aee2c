/**
 * The engine: watches the triggers of all automations and decides whether a firing becomes a run. It knows no kind of
 * trigger, condition or action. It knows neither flows nor native automations: both arrive as programs. It delegates:
 * `arming` watches, `guards` and `run-mode-gate` decide, `runs` holds active runs, `run` and `steps` execute,
 * `journal` persists, `reports` publishes.
 */

import type { BlockedReason } from '../../../contract/automation-runs.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { HearthError, messageOf } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Json } from '../../../kernel/json.ts';
import type { Startable } from '../../../kernel/lifecycle.ts';
import { notFound } from '../../access/authorize.ts';
import { type Nesting, nestingFault } from '../cause-chain.ts';
import type { Admission, Program } from '../program.ts';
import { type Cause, NO_CAUSE, type TriggerData } from '../scope.ts';
import { timestampOf } from '../trigger-time.ts';
import { systemEvent } from '../triggers/system.ts';
import { Arming, type Firing } from './arming.ts';
import { MinuteCount } from './guards.ts';
import type { Run } from './run.ts';
import { Runs, type RunsDeps } from './runs.ts';
import { DELETED } from './signals.ts';
import { TOP } from './trace-recorder.ts';

const MAX_FIRE_DATES = 100;

export interface EngineDeps extends RunsDeps {
  readonly runsPerMinute: () => number;
}

/** A request for a run. */
export interface RunRequest {
  readonly type?: 'manual';
  /** Override the automation's own variables. */
  readonly variables?: Readonly<Record<string, Json>>;
  /** For a caller that acts as one of its triggers: the trigger and its data. */
  readonly data?: Partial<TriggerData>;
  /** The requesting automation and its cause. */
  readonly cause?: Cause;
}

type TriggeredListener = (program: Program, at: number, admission: Admission) => void;

interface Candidate {
  readonly program: Program;
  readonly trigger: TriggerData;
  readonly cause: Cause;
}

export class Engine implements Startable {
  readonly #deps: EngineDeps;
  readonly #clock: Clock;
  readonly #arming: Arming;
  readonly #runs: Runs;
  readonly #rate: MinuteCount;
  readonly #programs = new Map<string, Program>();
  readonly #listeners = new Set<TriggeredListener>();
  #status: 'new' | 'started' | 'stopped' = 'new';
  #tidying: NodeJS.Immediate | undefined;

  /** The number of automations. */
  get size(): number {
    return this.#programs.size;
  }

  /** The number of runs that have not ended. */
  get underWay(): number {
    return this.#runs.size;
  }

  constructor(deps: EngineDeps) {
    const { triggerDeps, kinds, runsPerMinute } = deps;
    this.#deps = deps;
    this.#clock = triggerDeps.clock;
    this.#runs = new Runs(deps);
    this.#rate = new MinuteCount(triggerDeps.clock, runsPerMinute);
    this.#arming = new Arming({
      triggerDeps,
      kinds,
      variablesOf: (automationId) => this.#programs.get(automationId)?.variables ?? {},
      onFired: (firing) => this.#fired(firing),
      onMissed: (automationId, trigger) => this.#missed(automationId, trigger),
    });
  }

  /**
   * Resumes the runs that a stop or a kill interrupted, and watches every trigger. Call `put` for all automations
   * first.
   */
  start(): void {
    this.#status = 'started';
    for (const program of this.#programs.values()) this.#arming.arm(program, { atStart: true });
    this.#runs.resume((automationId) => this.#programs.has(automationId));
    // By then every resumed run has reached its wait.
    this.#tidySoon();
  }

  /** Persisted runs stay stored; all other runs are persisted, so that they survive too. */
  async stop(): Promise<void> {
    if (this.#status !== 'started') return;
    this.#status = 'stopped';
    // First, so that scheduled firings stay stored.
    this.#deps.triggerDeps.slots.stop();
    this.#arming.stop();
    await this.#runs.stop();
    this.#deps.triggerDeps.holds.flush();
  }

  /** Adds or replaces an automation; active runs continue with the old version. Before `start` it is only stored. */
  put(program: Program): void {
    this.#programs.set(program.id, program);
    // `start` arms all and nothing listens before it: without this check, the same would only be done twice.
    if (this.#status !== 'started') return;
    if (this.#arming.arm(program)) this.#tidySoon();
    const { homeId, id: automationId } = program;
    this.#deps.triggerDeps.events.emit({
      homeId,
      eventType: systemEvent('automation_reloaded'),
      eventData: { automationId },
      cause: NO_CAUSE,
    });
  }

  /** Removes an automation and ends its runs. */
  remove(automationId: string): void {
    const program = this.#programs.get(automationId);
    if (!program) return;
    this.#programs.delete(automationId);
    this.#arming.arm({ ...program, enabled: false });
    for (const run of this.runsOf(automationId)) this.#runs.cancel(run.id, DELETED);
    this.#rate.forget(automationId);
    this.#deps.reports.forget(automationId);
    // Its runs end first.
    setImmediate(() => this.#deps.traces.forget(automationId));
    this.#tidySoon();
  }

  find(automationId: string): Program | undefined {
    return this.#programs.get(automationId);
  }

  /** The active and the queued runs. */
  runsOf(automationId: string): readonly Run[] {
    return this.#runs.of(automationId);
  }

  /** Ends a run at once. @returns whether the run existed */
  cancel(runId: string): boolean {
    return this.#runs.cancel(runId, { error: 'It was cancelled.', reason: 'cancelled' });
  }

  /**
   * Starts a requested run, if its conditions hold.
   * @throws `automation_not_found` · `relay_not_connected` the daemon is about to stop
   */
  trigger(automationId: string, { variables, data, cause = NO_CAUSE }: RunRequest = {}): Admission {
    const known = this.#programs.get(automationId);
    if (!known) throw notFound('automation_not_found');
    if (this.#status === 'stopped') throw new HearthError('relay_not_connected', 'hearthd is about to stop.');
    const program = variables ? { ...known, variables: { ...known.variables, ...variables } } : known;
    const timestamp = timestampOf(this.#clock.now());
    const trigger: TriggerData = { id: null, type: 'manual', timestamp, ...data };
    return this.#admit({ program, trigger, cause });
  }

  /**
   * The next times at which the clock fires the automation, earliest first; none while it is disabled. Milliseconds.
   */
  nextFireDates(automationId: string, count: number, after = this.#clock.now()): readonly number[] {
    const program = this.#programs.get(automationId);
    if (!program?.enabled) return [];
    const { kinds, triggerDeps } = this.#deps;
    const place = { homeId: program.homeId, state: triggerDeps.state };
    const dates: number[] = [];
    const enabled = program.triggers.filter((trigger) => trigger.enabled);
    for (let from = after; dates.length < Math.min(count, MAX_FIRE_DATES); ) {
      const next = enabled.map((trigger) => kinds.nextOf(trigger, place, from)).filter((at) => at !== null);
      if (next.length === 0) break;
      from = Math.min(...next);
      dates.push(from);
    }
    return dates;
  }

  /** Called for each firing, including refused ones. @returns the function that removes the listener */
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
    if (!this.#conditionsHold(run)) return this.#reportBlocked(run, null);
    const place = this.#runs.placeFor(program);
    if (place !== 'begin' && place !== 'restart' && place !== 'wait') {
      return this.#refuse(candidate, place, undefined, run.id);
    }
    this.#rate.take(program.id);
    this.#runs.add(run, place);
    return this.#reportBlocked(run, null);
  }

  #conditionsHold(run: Run): boolean {
    const { kinds, triggerDeps, reports, traces } = this.#deps;
    const { conditions, homeId, id } = run.program;
    if (conditions.conditions.length === 0) return true;
    const { state, presence, expressions } = triggerDeps;
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
    this.#deps.reports.refused({ runId, program, trigger, cause, reason, nesting });
    return this.#reportBlocked({ id: runId, program }, reason);
  }

  #reportBlocked({ id, program }: Pick<Run, 'id' | 'program'>, blockedReason: BlockedReason | null): Admission {
    const admission = { runId: id, blockedReason };
    const at = this.#clock.now();
    for (const listener of this.#listeners) {
      try {
        listener(program, at, admission);
      } catch (error) {
        this.#deps.logger.error({ error: messageOf(error) }, 'Could not count the runs of an automation');
      }
    }
    return admission;
  }

  /** Runs once per turn of the event loop: deleting a home can remove thousands of automations. */
  #tidySoon(): void {
    this.#tidying ??= setImmediate(() => this.#forgetUnused());
  }

  /**
   * Deletes holds and slots of triggers that are no longer watched. Does nothing before the start, when those are not
   * known yet.
   */
  #forgetUnused(): void {
    this.#tidying = undefined;
    if (this.#status !== 'started') return;
    const { holds, slots } = this.#deps.triggerDeps;
    const keys = new Set([...this.#arming.keys(), ...this.#runs.watchKeys()]);
    try {
      holds.retain(keys);
      slots.retain(keys);
    } catch (error) {
      this.#deps.logger.warn(
        { error: messageOf(error) },
        'Could not clean up the stored data of triggers; the relay retries',
      );
    }
  }
}
