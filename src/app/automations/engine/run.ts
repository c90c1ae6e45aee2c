/**
 * One run of an automation, from its first step to its end. It is plain asynchronous code over the tree of actions (`steps.ts`); what
 * makes it survive a restart is that each step, decision and wait has a key that is the same when the code runs again, under which
 * its journal knows what was done before.
 *
 * Nothing here is written or timed before the first action has been carried out, so that an event reaches the device at once.
 */
import { messageOf } from '../../../kernel/errors.ts';
import type { Caller } from '../../access/caller.ts';
import type { ActionPorts } from '../actions/action-kind.ts';
import type { Json, JsonObject } from '../flow.ts';
import type { Cause, Program, Scope, TriggerData } from '../program.ts';
import type { TriggerGround } from '../triggers/trigger-kind.ts';
import { Frame } from './frame.ts';
import { MOST_COLLECTED_BYTES, MOST_STEPS } from './guards.ts';
import { Journal } from './journal.ts';
import type { Kinds } from './kinds.ts';
import type { RunStart, RunStore, StoredRun } from './run-store.ts';
import { EndedSignal, FailedSignal, missedEnd, type RunEnd, StopSignal } from './signals.ts';
import type { StartGate } from './start-gate.ts';
import { Steps } from './steps.ts';
import { Stopwatch } from './stopwatch.ts';
import { TOP, TraceRecorder } from './trace-recorder.ts';
import type { Turn } from './turn.ts';
import { Waits } from './waits.ts';
import { whyNotOf } from './why-not.ts';

/** What all runs share. */
export interface RunGround {
  readonly kinds: Kinds;
  readonly ports: ActionPorts;
  readonly ground: TriggerGround;
  readonly store: RunStore;
}

interface Parts extends RunGround {
  readonly id: string;
  readonly start: RunStart;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** A run of before the restart. */
  readonly stored?: StoredRun | undefined;
  /** It begins to wait: from now on it survives a restart. */
  readonly onWaiting: (run: Run) => void;
  readonly gate: StartGate;
  readonly turn: Pick<Turn, 'pause'>;
}

/** One for all runs: making an error takes longer than everything else that ends one. */
const OVER = new EndedSignal({ status: 'cancelled', error: null });

export class Run {
  readonly id: string;
  readonly program: Program;
  readonly trigger: TriggerData;
  /** What led here, and this automation. */
  readonly cause: Cause;
  readonly caller: Caller;
  readonly startedAt: number;
  readonly journal: Journal;
  readonly recorder: TraceRecorder;
  readonly waiting: Waits;
  readonly stopwatch: Stopwatch;
  readonly #parts: Parts;
  readonly #frame: Frame;
  readonly #steps: Steps;
  readonly #enders = new Set<(signal: EndedSignal) => void>();
  #abort: AbortController | undefined;
  #ended: EndedSignal | undefined;
  #isSuspending = false;
  /** Whether what it does next may be long overdue. */
  #isBehind: boolean;
  #stepCount = 0;
  #collectedBytes = 0;

  constructor(parts: Parts) {
    const { id, start, startedAt, store, stored, ground } = parts;
    const { program, trigger, cause } = start;
    this.#parts = parts;
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
    this.stopwatch = new Stopwatch(ground.clock);
    this.waiting = new Waits(this);
    this.#steps = new Steps(this);
    this.#isBehind = stored !== undefined;
    this.#frame = new Frame({ trigger, cause: this.cause, variables: program.variables, nodes: outputOf(trigger) });
  }

  get homeId(): string {
    return this.program.homeId;
  }

  get ground(): TriggerGround {
    return this.#parts.ground;
  }

  get kinds(): Kinds {
    return this.#parts.kinds;
  }

  get ports(): ActionPorts {
    return this.#parts.ports;
  }

  readonly watchTrigger: Kinds['watchTrigger'] = (trigger, watch) => this.kinds.watchTrigger(trigger, watch);

  get gate(): StartGate {
    return this.#parts.gate;
  }

  get isOver(): boolean {
    return this.#ended !== undefined;
  }

  get variables(): Readonly<Record<string, Json>> {
    return this.#frame.variables;
  }

  /** What the automation's conditions see. */
  scope(): Scope {
    return this.#frame.scope(null);
  }

  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.#ended) this.#abort.abort(this.#ended);
    return this.#abort.signal;
  }

  /** Executes it until it is over. Never rejects. What it can do without waiting is done before this returns. */
  async execute(): Promise<RunEnd> {
    const { program } = this;
    let end: RunEnd;
    try {
      await this.#steps.sequence(program.actions, { path: 'actions', frame: this.#frame, place: TOP, repeat: null });
      end = { status: 'success', error: null };
    } catch (error) {
      end = endOf(error);
    }
    // Branches that are still under way must not go on behind it.
    this.#end(OVER);
    return end;
  }

  /** Ends it at once, whatever it is in the middle of. */
  endAs(end: RunEnd): void {
    this.#end(new EndedSignal(end));
  }

  /** The daemon stops: nothing new is begun; what is under way may come to its end until `endAs`. It goes on after the next start. */
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

  /** What to wait for before the next step, so that nobody else waits for this run; mostly nothing. */
  pause(): Promise<void> | undefined {
    return this.#parts.turn.pause();
  }

  /** Before each step. @throws where the run is over or has gone too far */
  checkpoint(frame: Frame): void {
    if (this.#isSuspending) this.endAs({ status: 'suspended', error: null });
    if (this.#ended) throw this.#ended;
    this.#stepCount += 1;
    if (this.#stepCount <= MOST_STEPS) return;
    throw new FailedSignal(frame, `It has carried out ${MOST_STEPS.toLocaleString('en')} steps, which is the most.`, {
      reason: 'too_many_steps',
    });
  }

  /** @throws where it has collected more than is good */
  collect(frame: Frame, output: JsonObject): void {
    this.#collectedBytes += roughSize(output);
    if (this.#collectedBytes <= MOST_COLLECTED_BYTES) return;
    throw new FailedSignal(frame, 'Its steps have collected more than 16 MiB, which is the most.', {
      reason: 'too_much_data',
    });
  }

  requireCurrent(): void {
    if (!this.#isBehind) return;
    this.#isBehind = false;
    if (this.ground.clock.now() - this.journal.lastKnownAt() <= this.ground.graceMs()) return;
    this.endAs(missedEnd('It was interrupted'));
    if (this.#ended) throw this.#ended;
  }

  caughtUp(): void {
    this.#isBehind = false;
  }

  waits(): void {
    this.#parts.onWaiting(this);
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

/** What fired, as steps find it under the trigger's id (wire-facts §6.3). */
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

/** About how much memory it takes: without making JSON of it. */
function roughSize(value: Json | undefined): number {
  if (typeof value === 'string') return BYTES_PER_VALUE + value.length;
  if (typeof value !== 'object' || value === null) return BYTES_PER_VALUE;
  let size = BYTES_PER_VALUE;
  for (const item of Object.values(value)) size += roughSize(item);
  return size;
}
