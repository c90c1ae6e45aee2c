/**
 * The traces of active and recent runs, until they are written to history.db. Writes once a second, a few traces at a
 * time, so that a busy home is not blocked. If the file cannot be written, traces stay in bounded memory; runs are not
 * affected.
 */
import { DEFAULT_TRACES, MAX_TRACES } from '../../../contract/automation-runs.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { messageOf } from '../../../kernel/errors.ts';
import { type Logger, LogThrottle } from '../../../kernel/logger.ts';
import type { Trace } from '../program.ts';
import { definitionOf, type RunDefinition } from './run-definition.ts';
import type { TraceRecorder } from './trace-recorder.ts';
import type { TraceStore } from './trace-store.ts';

const WRITE_INTERVAL_MS = 1_000;
/** The retry interval while the file cannot be written. */
const RETRY_INTERVAL_MS = 10_000;
/** Some milliseconds of work. */
const SLICE = 25;
const MAX_WAITING = 2_000;
/** The number of new traces after which old ones are pruned. */
const PRUNE_EVERY = 10;

export class TraceLog {
  readonly #store: TraceStore;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #throttle: LogThrottle;
  /** Traces of active or unwritten runs, by run, in start order. */
  readonly #recent = new Map<string, TraceRecorder>();
  /** Traces to write, in the order in which they changed. */
  readonly #dirty = new Set<TraceRecorder>();
  readonly #newOnes = new Map<string, number>();
  #cancel: (() => void) | undefined;

  constructor(deps: { store: TraceStore; clock: Clock; logger: Logger }) {
    this.#store = deps.store;
    this.#clock = deps.clock;
    this.#logger = deps.logger;
    this.#throttle = new LogThrottle(deps.clock);
  }

  /** The trace is new, has changed, or has ended. */
  changed(trace: TraceRecorder): void {
    this.#recent.set(trace.id, trace);
    this.#dirty.add(trace);
    if (this.#dirty.size > MAX_WAITING) this.#dropOldest();
    this.#cancel ??= this.#clock.after(WRITE_INTERVAL_MS, () => this.#writeSlice());
  }

  /** Newest first, including active runs. Omits stored traces if history.db cannot be read. */
  list(automationId: string, limit: number): readonly Trace[] {
    const traces = new Map<string, Trace>();
    const stored = this.#attempt(() => this.#store.list(automationId, limit)) ?? [];
    for (const trace of stored.toReversed()) traces.set(trace.id, this.#ofNow(trace));
    for (const recorder of [...this.#recent.values()]) {
      const trace = recorder.automationId === automationId ? this.#snapshot(recorder) : undefined;
      if (trace) traces.set(trace.id, trace);
    }
    const rank = new Map([...traces.keys()].map((id, index) => [id, index]));
    return [...traces.values()]
      .sort((a, b) => b.startedAt - a.startedAt || (rank.get(b.id) ?? 0) - (rank.get(a.id) ?? 0))
      .slice(0, limit);
  }

  find(runId: string): Trace | undefined {
    const recorder = this.#recent.get(runId);
    const recent = recorder && this.#snapshot(recorder);
    if (recent) return recent;
    const stored = this.#attempt(() => this.#store.find(runId));
    return stored && this.#ofNow(stored);
  }

  /** The automation as the run found it; `undefined` if it is no longer kept. */
  ran(runId: string): RunDefinition | undefined {
    const recorder = this.#recent.get(runId);
    return recorder ? definitionOf(recorder.program) : this.#attempt(() => this.#store.definitionOf(runId));
  }

  forget(automationId: string): void {
    for (const recorder of this.#recent.values()) if (recorder.automationId === automationId) this.#drop(recorder);
    this.#newOnes.delete(automationId);
    this.#attempt(() => this.#store.delete(automationId));
  }

  /** Writes all pending traces at once: the daemon stops. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    while (this.#dirty.size > 0 && this.#write()) {}
    this.#dirty.clear();
    this.#recent.clear();
  }

  /**
   * A run that was active when the daemon was killed, and was not resumed: every other active run has a trace in
   * memory.
   */
  #ofNow(trace: Trace): Trace {
    if (trace.status !== 'running') return trace;
    return { ...trace, status: 'cancelled', error: 'The daemon was stopped while it ran.', reason: 'relay_stopped' };
  }

  #writeSlice(): void {
    const went = this.#write();
    const pause = went ? 0 : RETRY_INTERVAL_MS;
    this.#cancel = this.#dirty.size > 0 ? this.#clock.after(pause, () => this.#writeSlice()) : undefined;
  }

  #write(): boolean {
    const slice = [...this.#dirty].slice(0, SLICE);
    const went = this.#attempt(() => {
      this.#store.save(
        slice.flatMap((recorder) => {
          const trace = this.#snapshot(recorder);
          return trace ? [{ trace, program: recorder.program }] : [];
        }),
      );
      for (const { automationId, isOver } of slice) if (isOver) this.#countNew(automationId);
      return true;
    });
    if (went) for (const recorder of slice) this.#written(recorder);
    return went === true;
  }

  /** A trace that cannot be presented is dropped, so that it does not block the others. */
  #snapshot(recorder: TraceRecorder): Trace | undefined {
    try {
      return recorder.snapshot();
    } catch (error) {
      this.#logger.error({ runId: recorder.id, error: messageOf(error) }, 'Could not save a trace; it is lost');
      this.#drop(recorder);
      return undefined;
    }
  }

  #countNew(automationId: string): void {
    const count = (this.#newOnes.get(automationId) ?? PRUNE_EVERY) + 1;
    if (count > PRUNE_EVERY) this.#store.prune(automationId);
    this.#newOnes.set(automationId, count > PRUNE_EVERY ? 0 : count);
  }

  #dropOldest(): void {
    for (const recorder of this.#dirty) {
      if (!recorder.isOver) continue;
      this.#drop(recorder);
      return;
    }
  }

  #drop(recorder: TraceRecorder): void {
    this.#dirty.delete(recorder);
    this.#recent.delete(recorder.id);
  }

  #written(recorder: TraceRecorder): void {
    this.#dirty.delete(recorder);
    if (recorder.isOver) this.#recent.delete(recorder.id);
  }

  #attempt<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.#throttle.once('traces', () =>
        this.#logger.warn({ error: messageOf(error) }, 'Cannot read or write traces. Automations continue'),
      );
      return undefined;
    }
  }
}

/** The limits for a list of traces. */
export function parseTraceLimit(limit: number | undefined): number {
  return Math.min(MAX_TRACES, Math.max(1, Math.trunc(limit ?? DEFAULT_TRACES)));
}
