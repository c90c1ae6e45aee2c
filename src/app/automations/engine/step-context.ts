/** A run, as seen by one action during execution (`actions/action-kind.ts`). */

import { MAX_ROUNDS } from '../../../home/vocabulary/limits.ts';
import { HearthError } from '../../../kernel/errors.ts';
import type { Json } from '../../../kernel/json.ts';
import type { Caller } from '../../access/caller.ts';
import type { ActionNode } from '../action-node.ts';
import type { ActionPorts, Effect, RunContext, SequenceEnd } from '../actions/action-kind.ts';
import { nestingFault } from '../cause-chain.ts';
import type { ConditionBlock } from '../conditions/index.ts';
import type { Program } from '../program.ts';
import type { Cause, ExpressionScope, RepeatScope, TriggerData } from '../scope.ts';
import type { Trigger } from '../triggers/index.ts';
import { actionsIn } from '../walk.ts';
import { Frame } from './frame.ts';
import type { ActionAttempt, RunSequence, RunState } from './run-state.ts';
import { FailedSignal, StopSignal } from './signals.ts';

export class StepContext implements RunContext {
  readonly #run: RunState;
  readonly #sequence: RunSequence;
  readonly #attempt: ActionAttempt;
  readonly #effect: Effect;
  /** What the step leaves besides its output. */
  readonly left: {
    nested?: true;
    variables?: Readonly<Record<string, Json>>;
    wait?: NonNullable<ExpressionScope['wait']>;
    order?: number;
  } = {};
  /** Whether its last wait timed out. */
  timedOut = false;
  #waits = 0;
  #pauses = 0;

  constructor(run: RunState, sequence: RunSequence, attempt: ActionAttempt, effect: Effect) {
    this.#run = run;
    this.#sequence = sequence;
    this.#attempt = attempt;
    this.#effect = effect;
  }

  get runId(): string {
    return this.#run.id;
  }

  get program(): Program {
    return this.#run.program;
  }

  get caller(): Caller {
    return this.#run.caller;
  }

  get cause(): Cause {
    return this.#attempt.frame.cause;
  }

  get scope(): ExpressionScope {
    return this.#attempt.frame.scope(this.#attempt.repeat);
  }

  get ports(): ActionPorts {
    return this.#run.ports;
  }

  get signal(): AbortSignal {
    return this.#run.signal;
  }

  now(): number {
    return this.#run.triggerDeps.clock.now();
  }

  render(value: Json): Json {
    return this.#run.triggerDeps.expressions.render(value, this.scope, this.#run.homeId);
  }

  evaluate(expression: string): Json {
    return this.#run.triggerDeps.expressions.evaluate(expression, this.scope, this.#run.homeId);
  }

  check(conditions: ConditionBlock, repeat?: RepeatScope): boolean {
    const { triggerDeps, kinds, recorder, homeId } = this.#run;
    const { state, presence, expressions, clock } = triggerDeps;
    const { frame, action } = this.#attempt;
    const scope = frame.scope(repeat ?? this.#attempt.repeat);
    const at = clock.now();
    const context = { homeId, state, presence, expressions, scope, now: at };
    const { passed, results } = kinds.evaluateConditions(conditions, context);
    recorder.begin({
      type: 'condition',
      nodeId: null,
      nodeType: conditions.operator,
      summarize: () => kinds.summarizeConditions(conditions, state),
      parentNodeId: action.id,
      branch: null,
      iteration: repeat?.index ?? this.#attempt.repeat?.index ?? null,
      at,
    })({ at, result: passed ? 'passed' : 'failed', output: results });
    return passed;
  }

  decide<T extends Json>(name: string, make: () => T): T {
    const { journal } = this.#run;
    const key = `${this.#attempt.key}?${name}`;
    const known = journal.find<{ readonly decided: T }>(key);
    if (known) return known.decided;
    const decided = make();
    journal.note(key, { decided, at: this.now() });
    // The step's next action may change the basis of the decision: it must not be decided again after that.
    if (this.#effect !== 'none') journal.flush();
    return decided;
  }

  *allActions(): Iterable<ActionNode> {
    for (const { action } of actionsIn(this.program.actions)) yield action;
  }

  async sequence(
    actions: readonly ActionNode[],
    branch: string,
    options: { repeat?: RepeatScope; variables?: Readonly<Record<string, Json>>; cause?: Cause } = {},
  ): Promise<SequenceEnd> {
    this.left.nested = true;
    const { repeat, variables, cause } = options;
    const { key, frame: outer, action, repeat: outerRepeat } = this.#attempt;
    if (repeat && repeat.index > MAX_ROUNDS) {
      throw new HearthError('invalid_value', `A repeat has at most ${MAX_ROUNDS} rounds.`);
    }
    const frame = variables ? this.#innerFrame(variables, cause) : outer;
    const round = repeat ?? (variables ? null : outerRepeat);
    const where = {
      path: repeat ? `${key}.${branch}#${repeat.index}` : `${key}.${branch}`,
      frame,
      place: { parentNodeId: action.id, branch, iteration: round?.index ?? null },
      repeat: round,
    };
    return this.#pausing(async () => {
      try {
        await this.#sequence(actions, where);
        return { completed: true };
      } catch (error) {
        if (frame !== outer && error instanceof StopSignal && error.frame === frame) {
          return { completed: false, ...error.end };
        }
        if (frame !== outer && error instanceof FailedSignal && error.frame === frame) {
          return { completed: false, reason: error.message, isError: true, response: null };
        }
        throw error;
      }
    });
  }

  async delay(ms: number): Promise<void> {
    if (ms <= 0) return;
    await this.#pausing(() => this.#run.waiting.delay(this.#nextWait(), ms));
  }

  async waitFor(
    what: { readonly triggers: readonly Trigger[] } | { readonly expression: string },
    timeoutMs: number | null,
  ): Promise<TriggerData | null> {
    const { waiting } = this.#run;
    const key = this.#nextWait();
    const trigger = await this.#pausing(() =>
      'triggers' in what
        ? waiting.forTriggers(key, what.triggers, timeoutMs, () => this.scope)
        : waiting.forExpression(key, what.expression, timeoutMs, () => this.scope),
    );
    this.left.wait = { completed: trigger !== null, trigger };
    this.left.order = this.#run.journal.nextOrder();
    this.#attempt.frame.setWait(this.left.wait, this.left.order);
    this.timedOut = trigger === null;
    return trigger;
  }

  setVariables(variables: Readonly<Record<string, Json>>): void {
    this.left.variables = { ...this.left.variables, ...variables };
    this.left.order = this.#run.journal.nextOrder();
    this.#attempt.frame.setVariables(variables, this.left.order);
  }

  stop(end: { readonly reason: string | null; readonly isError: boolean; readonly response?: Json }): never {
    throw new StopSignal(this.#attempt.frame, { ...end, response: end.response ?? null });
  }

  #innerFrame(variables: Readonly<Record<string, Json>>, cause: Cause | undefined): Frame {
    const next = cause?.chain.at(-1);
    const fault = cause && next && nestingFault({ chain: cause.chain.slice(0, -1) }, next);
    if (fault) throw new HearthError('conflict', fault.sentence, { reason: fault.reason });
    return new Frame({ trigger: this.#run.trigger, cause: cause ?? this.cause, variables });
  }

  #nextWait(): string {
    this.#waits += 1;
    return this.#waits === 1 ? `${this.#attempt.key}:wait` : `${this.#attempt.key}:wait${this.#waits}`;
  }

  /** Time that the step spends waiting is not working time; several waits may run at once. */
  async #pausing<T>(work: () => Promise<T>): Promise<T> {
    const { stopwatch } = this.#run;
    if (this.#pauses === 0) stopwatch.leave();
    this.#pauses += 1;
    try {
      return await work();
    } finally {
      this.#pauses -= 1;
      if (this.#pauses === 0) stopwatch.enter();
    }
  }
}
