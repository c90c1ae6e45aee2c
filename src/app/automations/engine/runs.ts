/** The runs that are under way or wait their turn: begins them, goes on with those of before a restart, and sees them end. */
import { messageOf } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Logger } from '../../../kernel/logger.ts';
import type { Program } from '../program.ts';
import type { Causes } from './causes.ts';
import { LONGEST_WORK_MS } from './guards.ts';
import { Lane, type Place } from './modes.ts';
import type { Reports } from './reports.ts';
import { Run, type RunGround } from './run.ts';
import type { RunStart, StoredRun } from './run-store.ts';
import { AGAIN, DELETED, type RunEnd } from './signals.ts';
import { StartGate } from './start-gate.ts';
import type { TraceLog } from './trace-log.ts';
import { TOP, whyNotIn } from './trace-recorder.ts';
import { Turn } from './turn.ts';

/** How often runs that work too long are looked for, while any is under way. */
const LOOK_EVERY_MS = 5_000;
/** How long a stop lets steps that are under way come to their end. */
const STOP_GRACE_MS = 2_000;

export interface RunsParts extends RunGround {
  readonly traces: TraceLog;
  readonly reports: Reports;
  readonly causes: Causes;
  /** Where something else sees to it that others have their turn. */
  readonly turn?: Pick<Turn, 'pause'>;
  readonly logger: Logger;
}

export class Runs {
  readonly #parts: RunsParts;
  readonly #lanes = new Map<string, Lane>();
  readonly #all = new Map<string, Run>();
  readonly #gate: StartGate;
  readonly #turn: Pick<Turn, 'pause'>;
  /** Called when a run is over, while a stop waits for them. */
  #onOver: (() => void) | undefined;
  #cancelLook: (() => void) | undefined;

  /** How many are not over. */
  get size(): number {
    return this.#all.size;
  }

  constructor(parts: RunsParts) {
    this.#parts = parts;
    this.#gate = new StartGate(parts.ground);
    this.#turn = parts.turn ?? new Turn();
  }

  /** A run that is not under way yet. */
  prepare({ program, trigger, cause }: RunStart, stored?: StoredRun): Run {
    const { kinds, ports, ground, store } = this.#parts;
    const run = new Run({
      kinds,
      ports,
      ground,
      store,
      id: stored?.id ?? newId(),
      start: { program, trigger, cause },
      startedAt: stored?.startedAt ?? ground.clock.now(),
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
      summarize: () => (fired ? kinds.summarizeTrigger(fired, ground.state) : 'Somebody asked for it'),
      at: run.startedAt,
    })({ at: run.startedAt, result: 'executed', output: { ...trigger } });
    return run;
  }

  placeFor(program: Program): Place {
    return (this.#lanes.get(program.id) ?? new Lane()).placeFor(program);
  }

  /**
   * In a transaction (of a moment that is due, or a step of another run) the run becomes part of that, kept from its start, and begins
   * once that is through: none of what led to it and of what it does is ever without the other.
   */
  add(run: Run, place: 'begin' | 'restart' | 'wait'): void {
    const isWithin = this.#parts.store.isInTransaction;
    const lane = this.#laneOf(run.program.id);
    if (place === 'restart') {
      for (const other of lane.running) other.endAs({ status: 'cancelled', ...AGAIN });
    }
    this.#all.set(run.id, run);
    if (isWithin) run.journal.keep();
    if (place === 'wait') {
      lane.queue.push(run);
      this.#parts.traces.changed(run.recorder);
      // Those before it survive a restart: so must what waits for them.
      if (!isWithin && [...lane.running].some(({ journal }) => journal.isKept)) run.journal.keep();
      return;
    }
    lane.running.add(run);
    // Where that transaction comes to nothing, whoever made it does not fire again: the run goes on, kept with its next step.
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

  /** Under which runs keep holds and slots. */
  watchKeys(): string[] {
    return [...this.#all.values()].flatMap(({ waiting }) => [...waiting.watchKeys]);
  }

  /** Goes on with the runs of before the restart, as far as their automations are still there. */
  resume(isKnown: (automationId: string) => boolean): void {
    const { store, traces } = this.#parts;
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
      // Whether it waits its turn or for devices to be found: whoever asks sees that it is not lost.
      traces.changed(run.recorder);
      const lane = this.#laneOf(program.id);
      // Killed between the end of one and the beginning of the next: the later one stands.
      if (program.mode === 'restart') for (const { id } of lane.running) this.cancel(id, AGAIN);
      if (program.mode === 'queued' && lane.running.size > 0) {
        lane.queue.push(run);
        continue;
      }
      lane.running.add(run);
      this.#begin(run, lane);
    }
  }

  /** Lets steps come to their end, for a while; everything else goes on after the next start. */
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
    this.#parts.store.tidy();
  }

  #allOver(): Promise<void> {
    if (this.#all.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.#parts.ground.clock.after(STOP_GRACE_MS, resolve);
      this.#onOver = () => {
        if (this.#all.size > 0) return;
        cancel();
        resolve();
      };
    });
  }

  /** Who was waiting goes on waiting at once, so that it misses nothing. */
  #begin(run: Run, lane: Lane): void {
    if (this.#gate.isOpen || run.journal.wasWaiting) this.#execute(run, lane);
    else this.#gate.whenOpen(() => this.#execute(run, lane));
  }

  #execute(run: Run, lane: Lane): void {
    const { causes, traces } = this.#parts;
    causes.begin(run.id, run.cause);
    this.#tellFired(run);
    run.execute().then(
      (end) => this.#ended(run, lane, end),
      (error) => this.#ended(run, lane, { status: 'error', error: messageOf(error) }),
    );
    traces.changed(run.recorder);
    this.#cancelLook ??= this.#parts.ground.clock.after(LOOK_EVERY_MS, () => this.#look());
  }

  /** Once, of what was begun in a transaction and killed before it was told too. */
  #tellFired({ journal, program, id, isOver }: Run): void {
    if (isOver || journal.find('fired')) return;
    journal.note('fired', { at: this.#parts.ground.clock.now() });
    this.#parts.reports.fired(program, id);
  }

  #ended(run: Run, lane: Lane, end: RunEnd): void {
    lane.running.delete(run);
    this.#over(run, end);
    // Others may run still, where its mode has changed meanwhile.
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
    const { traces, reports, causes, ground } = this.#parts;
    this.#all.delete(run.id);
    causes.end(run.id);
    if (end.status === 'suspended') run.journal.suspend();
    else {
      run.journal.end();
      const { status, error, blockedReason = null } = end;
      const more = whyNotIn(end);
      reports.ended(status);
      run.recorder.end({ at: ground.clock.now(), status, error, blockedReason, more, variables: run.variables });
      traces.changed(run.recorder);
      if (status === 'error' || status === 'timeout' || blockedReason !== null) {
        reports.failed(run.program, run.id, error ?? 'It failed.', run.cause);
      }
    }
    this.#onOver?.();
  }

  #waits(run: Run): void {
    this.#parts.traces.changed(run.recorder);
    for (const queued of this.#lanes.get(run.program.id)?.queue ?? []) queued.journal.keep();
  }

  /** One look for all runs: whoever works too long is ended. */
  #look(): void {
    this.#cancelLook = undefined;
    for (const run of [...this.#all.values()]) {
      if (run.stopwatch.elapsedMs() <= LONGEST_WORK_MS) continue;
      const error = `It worked for more than ${LONGEST_WORK_MS / 60_000} minutes.`;
      run.endAs({ status: 'timeout', error, reason: 'took_too_long' });
    }
    this.#parts.store.tidy();
    if (this.#all.size > 0) this.#cancelLook = this.#parts.ground.clock.after(LOOK_EVERY_MS, () => this.#look());
  }

  #laneOf(automationId: string): Lane {
    const lane = this.#lanes.get(automationId) ?? new Lane();
    this.#lanes.set(automationId, lane);
    return lane;
  }
}
