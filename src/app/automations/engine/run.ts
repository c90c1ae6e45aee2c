/**
 * One run of an automation, from its first step to its end. It is plain asynchronous code over the tree of actions
 * (`steps.ts`). It survives a restart because each step, decision and wait has a key that is the same when the code
 * runs again. The journal stores earlier results under that key.
 *
 * Nothing is written or timed before the first action has been executed, so that an event reaches the device at once.
 */
import { messageOf } from '../../../kernel/errors.ts';
import type { Json, JsonObject } from '../../../kernel/json.ts';
import type { Caller } from '../../access/caller.ts';
import type { ActionPorts } from '../actions/action-kind.ts';
import type { Program } from '../program.ts';
import type { Cause, ExpressionScope, TriggerData } from '../scope.ts';
import type { TriggerDeps } from '../triggers/trigger-kind.ts';
import { Frame } from './frame.ts';
import { MAX_COLLECTED_BYTES, MAX_STEPS } from './guards.ts';
import { Journal } from './journal.ts';
import type { Kinds } from './kinds.ts';
import type { RunState } from './run-state.ts';
import type { RunStart, RunStore, StoredRun } from './run-store.ts';
import { EndedSignal, FailedSignal, missedEnd, type RunEnd, StopSignal } from './signals.ts';
import type { StartGate } from './start-gate.ts';
import type { StepYield } from './step-yield.ts';
import { Steps } from './steps.ts';
import { Stopwatch } from './stopwatch.ts';
import { TOP, TraceRecorder } from './trace-recorder.ts';
import { Waits } from './waits.ts';
import { whyNotOf } from './why-not.ts';

/** Dependencies that all runs share. */
export interface RunDeps {
  readonly kinds: Kinds;
  readonly ports: ActionPorts;
  readonly triggerDeps: TriggerDeps;
  readonly store: RunStore;
}

interface Deps extends RunDeps {
  readonly id: string;
  readonly start: RunStart;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** A run restored from the journal after a restart. */
  readonly stored?: StoredRun | undefined;
  /** The run begins to wait: from now on it survives a restart. */
  readonly onWaiting: (run: Run) => void;
  readonly gate: StartGate;
  readonly turn: Pick<StepYield, 'pause'>;
}

/** One instance for all runs: creating an error takes longer than the rest of ending a run. */
const OVER = new EndedSignal({ status: 'cancelled', error: null });

export class Run implements RunState {
  readonly id: string;
  readonly program: Program;
  readonly trigger: TriggerData;
  readonly cause: Cause;
  readonly caller: Caller;
  readonly startedAt: number;
  readonly journal: Journal;
  readonly recorder: TraceRecorder;
  readonly waiting: Waits;
  readonly stopwatch: Stopwatch;
  readonly #deps: Deps;
  readonly #frame: Frame;
  readonly #steps: Steps;
  readonly #enders = new Set<(signal: EndedSignal) => void>();
  #abort: AbortController | undefined;
  #ended: EndedSignal | undefined;
  #isSuspending = false;
  /** Whether the next action may be long overdue. */
  #isBehind: boolean;
  #stepCount = 0;
  #collectedBytes = 0;

  constructor(deps: Deps) {
    const { id, start, startedAt, store, stored, triggerDeps } = deps;
    const { program, trigger, cause } = start;
    this.#deps = deps;
    this.id = id;
    this.program = program;
    this.trigger = trigger;
    this.startedAt = startedAt;
    this.cause = { chain: [...cause.chain, { automationId: program.id, name: program.name }] };
    this.caller = {
      principal: { kind: 'automation', automationId: program.id, homeId: program.homeId },
      requestId: id,
      depth: this.cause.chain.length,
    };
    this.journal = new Journal({ runId: id, start, startedAt, store, stored });
    this.recorder = new TraceRecorder({ id, program, trigger, startedAt });
    this.stopwatch = new Stopwatch(triggerDeps.clock);
    this.waiting = new Waits(this);
    this.#steps = new Steps(this);
    this.#isBehind = stored !== undefined;
    this.#frame = new Frame({
      trigger,
      cause: this.cause,
      variables: program.variables,
      nodes: () => outputOf(trigger),
    });
  }

  get homeId(): string {
    return this.program.homeId;
  }

  get triggerDeps(): TriggerDeps {
    return this.#deps.triggerDeps;
  }

  get kinds(): Kinds {
    return this.#deps.kinds;
  }

  get ports(): ActionPorts {
    return this.#deps.ports;
  }

  readonly watchTrigger: Kinds['watchTrigger'] = (trigger, watch) => this.kinds.watchTrigger(trigger, watch);

  get gate(): StartGate {
    return this.#deps.gate;
  }

  get isOver(): boolean {
    return this.#ended !== undefined;
  }

  get variables(): Readonly<Record<string, Json>> {
    return this.#frame.variables;
  }

  /** The scope of the automation's conditions. */
  scope(): ExpressionScope {
    return this.#frame.scope(null);
  }

  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.#ended) this.#abort.abort(this.#ended);
    return this.#abort.signal;
  }

  /** Executes the run until it ends. Never rejects. Work that needs no waiting completes before this method returns. */
  async execute(): Promise<RunEnd> {
    const { program } = this;
    let end: RunEnd;
    try {
      await this.#steps.sequence(program.actions, { path: 'actions', frame: this.#frame, place: TOP, repeat: null });
      end = { status: 'success', error: null };
    } catch (error) {
      end = endOf(error);
    }
    // Branches that are still active must not continue after the run has ended.
    this.#end(OVER);
    return end;
  }

  /** Ends the run at once, even in the middle of a step. */
  endAs(end: RunEnd): void {
    this.#end(new EndedSignal(end));
  }

  /**
   * The daemon stops: starts nothing new; steps in progress may finish until `endAs`. The run resumes after the next
   * start.
   */
  suspend(): void {
    this.#isSuspending = true;
    this.journal.keep();
    if (!this.stopwatch.isWorking) this.endAs({ status: 'suspended', error: null });
  }

  onEnded(listener: (signal: EndedSignal) => void): () => void {
    if (this.#ended) {
      const signal = this.#ended;
      queueMicrotask(() => listener(signal));
      return () => {};
    }
    this.#enders.add(listener);
    return () => this.#enders.delete(listener);
  }

  pause(): Promise<void> | undefined {
    return this.#deps.turn.pause();
  }

  checkpoint(frame: Frame): void {
    if (this.#isSuspending) this.endAs({ status: 'suspended', error: null });
    if (this.#ended) throw this.#ended;
    this.#stepCount += 1;
    if (this.#stepCount <= MAX_STEPS) return;
    throw new FailedSignal(frame, `It has carried out ${MAX_STEPS.toLocaleString('en')} steps, which is the most.`, {
      reason: 'too_many_steps',
    });
  }

  collect(frame: Frame, output: JsonObject): void {
    this.#collectedBytes += roughSize(output);
    if (this.#collectedBytes <= MAX_COLLECTED_BYTES) return;
    throw new FailedSignal(frame, 'Its steps have collected more than 16 MiB, which is the most.', {
      reason: 'too_much_data',
    });
  }

  requireCurrent(): void {
    if (!this.#isBehind) return;
    this.#isBehind = false;
    if (this.triggerDeps.clock.now() - this.journal.lastKnownAt() <= this.triggerDeps.graceMs()) return;
    this.endAs(missedEnd('It was interrupted'));
    if (this.#ended) throw this.#ended;
  }

  caughtUp(): void {
    this.#isBehind = false;
  }

  waits(): void {
    this.#deps.onWaiting(this);
  }

  #end(signal: EndedSignal): void {
    if (this.#ended) return;
    this.#ended = signal;
    if (signal.end.status === 'suspended') this.journal.suspend();
    this.#abort?.abort(signal);
    for (const listener of [...this.#enders]) listener(signal);
    this.#enders.clear();
  }
}

function endOf(error: unknown): RunEnd {
  if (error instanceof EndedSignal) return error.end;
  if (error instanceof StopSignal) {
    const { isError, reason } = error.end;
    return isError
      ? { status: 'error', error: reason ?? 'Stopped with an error.' }
      : { status: 'stopped', error: reason };
  }
  return { status: 'error', error: messageOf(error), ...whyNotOf(error) };
}

/** The trigger data, which steps read under the trigger's id (wire-facts §6.3). */
function outputOf(trigger: TriggerData): Record<string, { readonly data: JsonObject }> {
  if (trigger.id === null) return {};
  const data = {
    type: trigger.type,
    timestamp: trigger.timestamp,
    from_value: trigger.from_value,
    to_value: trigger.to_value,
    accessoryId: trigger.accessory_id,
    serviceGroupId: trigger.service_group_id,
    characteristicType: trigger.characteristic_type,
    eventType: trigger.event_type,
    eventData: trigger.event_data,
    webhookPayload: trigger.webhook_payload,
    personId: trigger.person_id,
  };
  const known = Object.entries(data).filter(([, value]) => value !== undefined);
  return { [trigger.id]: { data: Object.fromEntries(known) } };
}

const BYTES_PER_VALUE = 16;

/** The approximate memory size, without conversion to JSON. */
function roughSize(value: Json | undefined): number {
  if (typeof value === 'string') return BYTES_PER_VALUE + value.length;
  if (typeof value !== 'object' || value === null) return BYTES_PER_VALUE;
  let size = BYTES_PER_VALUE;
  for (const item of Object.values(value)) size += roughSize(item);
  return size;
}
