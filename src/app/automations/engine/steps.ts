/**
 * The interpreter: executes actions in order, each under the key of its position in the run (`actions[2].then[0]`,
 * `actions[1].sequence#3[0]`; `!2` is the second attempt). It handles what is common to all kinds: steps done before a
 * restart, failures, the trace.
 */
import type { StepResult } from '../../../contract/automation-runs.ts';
import { HearthError, messageOf } from '../../../kernel/errors.ts';
import type { Json, JsonObject } from '../../../kernel/json.ts';
import type { ActionNode } from '../action-node.ts';
import { ActionFailure, type ActionKind, type Effect } from '../actions/action-kind.ts';
import type { WhyNot } from '../program.ts';
import type { ExpressionScope } from '../scope.ts';
import type { Frame } from './frame.ts';
import type { ActionAttempt, RunPosition, RunState } from './run-state.ts';
import { FailedSignal, RunSignal, type StopEnd, StopSignal } from './signals.ts';
import { StepContext } from './step-context.ts';
import { afterFailure } from './step-policy.ts';
import { inputOf, type StepEnd, whyNotIn } from './trace-recorder.ts';
import { whyNotOf } from './why-not.ts';

/** The journal entry of a step. */
interface StepRecord extends WhyNot {
  readonly startedAt: number;
  /** The end time. */
  readonly at: number;
  readonly result: StepResult;
  readonly output: JsonObject | null;
  readonly error: string | null;
  /** The step executed nested steps, which have records of their own. */
  readonly nested?: true;
  readonly variables?: Readonly<Record<string, Json>>;
  readonly wait?: NonNullable<ExpressionScope['wait']>;
  /** The order of its results for later steps. */
  readonly order?: number;
  /** The step requested a stop. */
  readonly stop?: StopEnd;
}

type Failure = Pick<StepRecord, 'error' | keyof WhyNot>;
type StepEnding = Pick<StepRecord, 'result' | 'output' | 'error' | 'stop' | keyof WhyNot>;

export class Steps {
  readonly #run: RunState;

  constructor(run: RunState) {
    this.#run = run;
  }

  async sequence(actions: readonly ActionNode[], where: RunPosition): Promise<void> {
    // An iteration without actions counts too.
    if (actions.length === 0) await this.#run.pause();
    for (const [index, action] of actions.entries()) {
      const pause = this.#run.pause();
      if (pause !== undefined) await pause;
      this.#run.checkpoint(where.frame);
      if (action.enabled) await this.#step(action, { ...where, path: `${where.path}[${index}]` });
      else this.#skip(action, where);
    }
  }

  async #step(action: ActionNode, where: RunPosition): Promise<void> {
    const { path, frame } = where;
    for (let attempt = 1; ; attempt += 1) {
      const key = attempt === 1 ? path : `${path}!${attempt}`;
      const failure = await this.#attempt({ ...where, action, key, attempt });
      if (failure === undefined) return;
      const next = afterFailure(action, attempt);
      if (next === 'stop') throw new FailedSignal(frame, failure.error ?? 'It failed.', whyNotIn(failure));
      if (next === 'continue') return;
      await this.#run.waiting.delay(`${key}:pause`, next);
    }
  }

  /** @returns the failure, if there is one */
  async #attempt(attempt: ActionAttempt): Promise<Failure | undefined> {
    const { journal, kinds } = this.#run;
    const kind = kinds.actionKind(attempt.action);
    const known = journal.find<StepRecord>(attempt.key);
    const finish = this.#trace(attempt, kind, known?.startedAt ?? this.#run.triggerDeps.clock.now());
    const isDone = known !== undefined && known.nested !== true;
    let record: StepRecord;
    try {
      record = isDone ? known : await this.#perform(attempt, kind, known);
    } catch (error) {
      finish({ at: this.#run.triggerDeps.clock.now(), result: 'error', error: messageOf(error), ...whyNotOf(error) });
      throw error;
    }
    finish(record);
    if (known) this.#restore(attempt.frame, known);
    return this.#settle(attempt, record);
  }

  /** Executes the step. A result from before the restart stays valid, after the nested steps have been replayed. */
  async #perform(attempt: ActionAttempt, kind: ActionKind, known: StepRecord | undefined): Promise<StepRecord> {
    const { journal, stopwatch, triggerDeps, gate } = this.#run;
    const effect = known ? 'none' : kind.effect;
    if (effect !== 'none' && !gate.isOpen) {
      await this.#orEnded(new Promise<void>((open) => gate.whenOpen(open)));
      this.#run.checkpoint(attempt.frame);
    }
    const context = new StepContext(this.#run, (...list) => this.sequence(...list), attempt, effect);
    const startedAt = triggerDeps.clock.now();
    const recordOf = (end: StepEnding): StepRecord => {
      return { ...end, ...context.left, startedAt, at: triggerDeps.clock.now() };
    };
    let record: StepRecord;
    stopwatch.enter();
    try {
      if (effect === 'atomic') return this.#performAtomically(attempt, kind, context, recordOf);
      this.#prepare(attempt, effect);
      const result = kind.execute(attempt.action, context);
      const output = result instanceof Promise ? await this.#orEnded(result) : result;
      record = recordOf({ result: context.timedOut ? 'timeout' : 'executed', output, error: null });
    } catch (error) {
      record = recordOf(failureOf(error));
    } finally {
      stopwatch.leave();
    }
    if (known) return known;
    journal.note(attempt.key, record);
    if (effect === 'once') journal.flush();
    return record;
  }

  /** The effect and the record of its completion share one transaction. */
  #performAtomically(
    attempt: ActionAttempt,
    kind: ActionKind,
    context: StepContext,
    recordOf: (end: StepEnding) => StepRecord,
  ): StepRecord {
    const { journal } = this.#run;
    const note = (record: StepRecord): StepRecord => {
      journal.note(attempt.key, record);
      return record;
    };
    try {
      this.#run.requireCurrent();
      return journal.atomically(() => {
        const output = kind.execute(attempt.action, context);
        if (output instanceof Promise) throw new Error(`${kind.type} takes longer than a transaction`);
        return note(recordOf({ result: 'executed', output, error: null }));
      });
    } catch (error) {
      return note(recordOf(failureOf(error)));
    }
  }

  /** Writes the preceding entries before an external action begins. */
  #prepare({ key }: ActionAttempt, effect: Effect): void {
    const { journal } = this.#run;
    if (effect === 'none') return;
    if (effect === 'once' && journal.wasBegun(key)) {
      throw new HearthError('conflict', 'It was interrupted by a restart, and is not done a second time.', {
        reason: 'interrupted',
      });
    }
    this.#run.requireCurrent();
    if (effect === 'once') journal.begin(key);
    else journal.flush();
  }

  /** A device or server that never responds does not delay a run that has ended. */
  #orEnded<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const forget = this.#run.onEnded(reject);
      work.then(resolve, reject).finally(forget);
    });
  }

  #restore(frame: Frame, { variables, wait, order = 0 }: StepRecord): void {
    if (variables) frame.setVariables(variables, order);
    if (wait) frame.setWait(wait, order);
  }

  #settle({ frame, action }: ActionAttempt, record: StepRecord): Failure | undefined {
    const { result, output, error, stop } = record;
    if (stop) throw new StopSignal(frame, stop);
    const data = output ?? (result === 'error' ? { success: false, error } : {});
    frame.setOutput(action.id, data);
    this.#run.collect(frame, data);
    return result === 'error' ? record : undefined;
  }

  #trace({ action, place, attempt }: ActionAttempt, kind: ActionKind, at: number): (end: StepEnd) => void {
    const { state } = this.#run.triggerDeps;
    return this.#run.recorder.begin({
      ...place,
      type: 'action',
      nodeId: action.id,
      nodeType: action.type,
      summarize: () => action.alias ?? kind.summarize(action, state),
      input: () => inputOf(action),
      attempt,
      at,
    });
  }

  #skip(action: ActionNode, where: RunPosition): void {
    const at = this.#run.triggerDeps.clock.now();
    const kind = this.#run.kinds.actionKind(action);
    const attempt: ActionAttempt = { ...where, action, key: '', attempt: 1 };
    this.#trace(attempt, kind, at)({ at, result: 'skipped' });
  }
}

/** @throws the signal that ends more than this step */
function failureOf(error: unknown): StepEnding {
  if (error instanceof StopSignal) return { result: 'executed', output: null, error: null, stop: error.end };
  if (error instanceof RunSignal) throw error;
  const output = error instanceof ActionFailure ? error.output : null;
  return { result: 'error', output, error: messageOf(error), ...whyNotOf(error) };
}
