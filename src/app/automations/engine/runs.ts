/** The active and queued runs: starts them, resumes those from before a restart, and handles their end. */
import { messageOf } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Logger } from '../../../kernel/logger.ts';
import type { Causes } from '../causes.ts';
import type { Program } from '../program.ts';
import { MAX_WORK_MS } from './guards.ts';
import type { Reports } from './reports.ts';
import { Run, type RunDeps } from './run.ts';
import { type GateDecision, RunModeGate } from './run-mode-gate.ts';
import type { RunStart, StoredRun } from './run-store.ts';
import { AGAIN, DELETED, type RunEnd } from './signals.ts';
import { StartGate } from './start-gate.ts';
import { StepYield } from './step-yield.ts';
import type { TraceLog } from './trace-log.ts';
import { TOP, whyNotIn } from './trace-recorder.ts';

/** The interval of the check for runs that work too long, while any run is active. */
const LOOK_EVERY_MS = 5_000;
/** How long a stop waits for steps in progress. */
const STOP_GRACE_MS = 2_000;

export interface RunsDeps extends RunDeps {
  readonly traces: TraceLog;
  readonly reports: Reports;
  readonly causes: Causes;
  /** Set if another component yields to the event loop. */
  readonly turn?: Pick<StepYield, 'pause'>;
  readonly logger: Logger;
}

export class Runs {
  readonly #deps: RunsDeps;
  readonly #lanes = new Map<string, RunModeGate>();
  readonly #all = new Map<string, Run>();
  readonly #gate: StartGate;
  readonly #turn: Pick<StepYield, 'pause'>;
  /** Called when a run ends, while a stop waits for the runs. */
  #onOver: (() => void) | undefined;
  #cancelLook: (() => void) | undefined;

  /** The number of runs that have not ended. */
  get size(): number {
    return this.#all.size;
  }

  constructor(deps: RunsDeps) {
    this.#deps = deps;
    this.#gate = new StartGate(deps.triggerDeps);
    this.#turn = deps.turn ?? new StepYield();
  }

  /** A run that has not started yet. */
  prepare({ program, trigger, cause }: RunStart, stored?: StoredRun): Run {
    const { kinds, ports, triggerDeps, store } = this.#deps;
    const run = new Run({
      kinds,
      ports,
      triggerDeps,
      store,
      id: stored?.id ?? newId(),
      start: { program, trigger, cause },
      startedAt: stored?.startedAt ?? triggerDeps.clock.now(),
      stored,
      onWaiting: (waiting) => this.#waits(waiting),
      gate: this.#gate,
      turn: this.#turn,
    });
    const fired = program.triggers.find(({ id }) => id === trigger.id);
    run.recorder.begin({
      ...TOP,
      type: 'trigger',
      nodeId: trigger.id,
      nodeType: trigger.type,
      summarize: () => (fired ? kinds.summarizeTrigger(fired, triggerDeps.state) : 'Started manually'),
      at: run.startedAt,
    })({ at: run.startedAt, result: 'executed', output: { ...trigger } });
    return run;
  }

  placeFor(program: Program): GateDecision {
    return (this.#lanes.get(program.id) ?? new RunModeGate()).placeFor(program);
  }

  /**
   * In a transaction (of a firing that is due, or a step of another run), the run becomes part of the transaction. It
   * is persisted from its start and begins after the commit: its cause and its effects are never stored apart.
   */
  add(run: Run, place: 'begin' | 'restart' | 'wait'): void {
    const isWithin = this.#deps.store.isInTransaction;
    const lane = this.#laneOf(run.program.id);
    if (place === 'restart') {
      for (const other of lane.running) other.endAs({ status: 'cancelled', ...AGAIN });
    }
    this.#all.set(run.id, run);
    if (isWithin) run.journal.keep();
    if (place === 'wait') {
      lane.queue.push(run);
      this.#deps.traces.changed(run.recorder);
      // The runs before it survive a restart: the runs that wait for them must too.
      if (!isWithin && [...lane.running].some(({ journal }) => journal.isKept)) run.journal.keep();
      return;
    }
    lane.running.add(run);
    // If that transaction rolls back, its owner does not fire again: the run continues, and is stored with its next
    // step.
    if (isWithin) queueMicrotask(() => this.#begin(run, lane));
    else this.#begin(run, lane);
  }

  of(automationId: string): readonly Run[] {
    return this.#lanes.get(automationId)?.runs() ?? [];
  }

  cancel(runId: string, why: Pick<RunEnd, 'error' | 'reason'>): boolean {
    const run = this.#all.get(runId);
    if (!run) return false;
    const end: RunEnd = { status: 'cancelled', ...why };
    const queue = this.#lanes.get(run.program.id)?.queue ?? [];
    run.endAs(end);
    const place = queue.indexOf(run);
    if (place >= 0) {
      queue.splice(place, 1);
      this.#over(run, end);
    }
    return true;
  }

  /** The keys under which runs keep holds and slots. */
  watchKeys(): string[] {
    return [...this.#all.values()].flatMap(({ waiting }) => [...waiting.watchKeys]);
  }

  /** Resumes the runs from before the restart whose automations still exist. */
  resume(isKnown: (automationId: string) => boolean): void {
    const { store, traces } = this.#deps;
    this.#gate.start();
    for (const stored of store.list()) {
      const { program } = stored.start;
      const run = this.prepare(stored.start, stored);
      this.#all.set(run.id, run);
      if (!isKnown(program.id)) {
        run.endAs({ status: 'cancelled', ...DELETED });
        this.#over(run, { status: 'cancelled', ...DELETED });
        continue;
      }
      // The run waits for its turn or for devices to be found: the trace shows that it is not lost.
      traces.changed(run.recorder);
      const lane = this.#laneOf(program.id);
      // The daemon was killed between the end of one run and the start of the next: the later run wins.
      if (program.mode === 'restart') for (const { id } of lane.running) this.cancel(id, AGAIN);
      if (program.mode === 'queued' && lane.running.size > 0) {
        lane.queue.push(run);
        continue;
      }
      lane.running.add(run);
      this.#begin(run, lane);
    }
  }

  /** Waits a limited time for steps in progress; everything else resumes after the next start. */
  async stop(): Promise<void> {
    this.#cancelLook?.();
    this.#cancelLook = undefined;
    for (const run of this.#all.values()) run.suspend();
    for (const lane of this.#lanes.values()) {
      for (const run of lane.queue.splice(0)) this.#over(run, { status: 'suspended', error: null });
    }
    this.#gate.open();
    await this.#allOver();
    for (const run of this.#all.values()) run.endAs({ status: 'suspended', error: null });
    this.#lanes.clear();
    this.#all.clear();
    this.#deps.store.tidy();
  }

  #allOver(): Promise<void> {
    if (this.#all.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.#deps.triggerDeps.clock.after(STOP_GRACE_MS, resolve);
      this.#onOver = () => {
        if (this.#all.size > 0) return;
        cancel();
        resolve();
      };
    });
  }

  /** A run that was waiting resumes its wait at once, so that it misses nothing. */
  #begin(run: Run, lane: RunModeGate): void {
    if (this.#gate.isOpen || run.journal.wasWaiting) this.#execute(run, lane);
    else this.#gate.whenOpen(() => this.#execute(run, lane));
  }

  #execute(run: Run, lane: RunModeGate): void {
    const { causes, traces } = this.#deps;
    causes.begin(run.id, run.cause);
    this.#reportFired(run);
    run.execute().then(
      (end) => this.#ended(run, lane, end),
      (error) => this.#ended(run, lane, { status: 'error', error: messageOf(error) }),
    );
    traces.changed(run.recorder);
    this.#cancelLook ??= this.#deps.triggerDeps.clock.after(LOOK_EVERY_MS, () => this.#look());
  }

  /** Reports once, even for a run that began in a transaction and was killed before the report. */
  #reportFired({ journal, program, id, isOver }: Run): void {
    if (isOver || journal.find('fired')) return;
    journal.note('fired', { at: this.#deps.triggerDeps.clock.now() });
    this.#deps.reports.fired(program, id);
  }

  #ended(run: Run, lane: RunModeGate, end: RunEnd): void {
    lane.running.delete(run);
    this.#over(run, end);
    // Other runs may still be active, if its mode has changed meanwhile.
    const isNextDue = end.status !== 'suspended' && lane.running.size === 0;
    const next = isNextDue ? lane.queue.shift() : undefined;
    if (next) {
      lane.running.add(next);
      this.#begin(next, lane);
    } else if (lane.isEmpty && this.#lanes.get(run.program.id) === lane) {
      this.#lanes.delete(run.program.id);
    }
  }

  #over(run: Run, end: RunEnd): void {
    const { traces, reports, causes, triggerDeps } = this.#deps;
    this.#all.delete(run.id);
    causes.end(run.id);
    if (end.status === 'suspended') run.journal.suspend();
    else {
      run.journal.end();
      const { status, error, blockedReason = null } = end;
      const more = whyNotIn(end);
      reports.ended(status);
      run.recorder.end({ at: triggerDeps.clock.now(), status, error, blockedReason, more, variables: run.variables });
      traces.changed(run.recorder);
      if (status === 'error' || status === 'timeout' || blockedReason !== null) {
        reports.failed(run.program, run.id, error ?? 'It failed.', run.cause);
      }
    }
    this.#onOver?.();
  }

  #waits(run: Run): void {
    this.#deps.traces.changed(run.recorder);
    for (const queued of this.#lanes.get(run.program.id)?.queue ?? []) queued.journal.keep();
  }

  /** One check for all runs: ends each run that has worked too long. */
  #look(): void {
    this.#cancelLook = undefined;
    for (const run of [...this.#all.values()]) {
      if (run.stopwatch.elapsedMs() <= MAX_WORK_MS) continue;
      const error = `It worked for more than ${MAX_WORK_MS / 60_000} minutes.`;
      run.endAs({ status: 'timeout', error, reason: 'took_too_long' });
    }
    this.#deps.store.tidy();
    if (this.#all.size > 0) this.#cancelLook = this.#deps.triggerDeps.clock.after(LOOK_EVERY_MS, () => this.#look());
  }

  #laneOf(automationId: string): RunModeGate {
    const lane = this.#lanes.get(automationId) ?? new RunModeGate();
    this.#lanes.set(automationId, lane);
    return lane;
  }
}
