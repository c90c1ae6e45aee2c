import type { Clock } from '../../../kernel/clock.ts';
import { HearthError } from '../../../kernel/errors.ts';
import { silentLogger } from '../../../kernel/logger.ts';
import { TraceLog } from '../engine/trace-log.ts';
import type { TraceRecorder } from '../engine/trace-recorder.ts';
import { TraceStore } from '../engine/trace-store.ts';
import type { Trace } from '../program.ts';
import type { SimulationBudget } from './simulation-budget.ts';

/** The traces of a dry run: all of them, in start order, in memory only. */
export class CollectedTraces extends TraceLog {
  readonly #pace: SimulationBudget;
  /** By run; after the run has ended, its presented trace. */
  readonly #runs = new Map<string, TraceRecorder | Trace>();
  /** Runs in start order. */
  readonly #order = new Set<string>();

  constructor(deps: { clock: Clock; pace: SimulationBudget }) {
    super({ store: NO_STORE, clock: deps.clock, logger: silentLogger });
    this.#pace = deps.pace;
  }

  /** The run acts: a run that triggers others is listed before them. */
  acts(runId: string): void {
    this.#order.add(runId);
  }

  override changed(recorder: TraceRecorder): void {
    this.#order.add(recorder.id);
    const isNew = !this.#runs.has(recorder.id);
    const trace = recorder.isOver ? recorder.snapshot() : undefined;
    this.#runs.set(recorder.id, trace ?? recorder);
    if (trace) this.#pace.takeBytes(Buffer.byteLength(JSON.stringify(trace)));
    if (isNew) this.#pace.takeRun();
  }

  override forget(): void {}

  all(): readonly Trace[] {
    const runs = [...this.#order].flatMap((id) => this.#runs.get(id) ?? []);
    return runs.map((run) => ('snapshot' in run ? run.snapshot() : run));
  }
}

const NO_STORE = new TraceStore({
  get current(): never {
    throw new HearthError('internal', 'A dry run has no history');
  },
});
