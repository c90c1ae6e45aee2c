/**
 * Defines an action kind and the run API that it uses. Each kind is one file in this folder and one line in
 * `index.ts`; the engine knows none of them. The run handles waiting, persistence and tracing.
 */

import type { AccessoryRefusal } from '../../../contract/automation-runs.ts';
import type { HomeState } from '../../../home/home-state.ts';
import type { HttpSender } from '../../../home/http-sender.ts';
import { type ErrorCode, HearthError } from '../../../kernel/errors.ts';
import type { Json, JsonObject } from '../../../kernel/json.ts';
import type { ErrorReason } from '../../../kernel/reasons.ts';
import type { Caller } from '../../access/caller.ts';
import type { Control } from '../../control/control.ts';
import type { CharacteristicOutcome } from '../../control/outcome.ts';
import type { ServiceGroups } from '../../groups/service-groups.ts';
import type { Notifier } from '../../notifications/notifier.ts';
import type { Scenes } from '../../scenes/scenes.ts';
import type { VirtualAccessories } from '../../virtual-accessories/virtual-accessories.ts';
import type { ActionNode } from '../action-node.ts';
import type { AutomationEvents } from '../automation-events.ts';
import type { ConditionBlock } from '../conditions/index.ts';
import type { FieldSet, ValuesOf } from '../parsing/field.ts';
import type { Admission, Program } from '../program.ts';
import type { Cause, ExpressionScope, RepeatScope, TriggerData } from '../scope.ts';
import type { Trigger } from '../triggers/index.ts';

/** What the daemon may assume about a step that had begun, with no recorded end, when the daemon was killed. */
export type Effect =
  /**
   * The step changes nothing outside the run, or nested steps make the changes (delays, branches). The run repeats it.
   */
  | 'none'
  /** Idempotent, such as setting a value. The run repeats it. */
  | 'repeatable'
  /** The step must not happen twice: a message, a request. The run does not repeat it; it fails with "interrupted". */
  | 'once'
  /** The step writes to the relay's own database before `execute` returns: effect and record share one transaction. */
  | 'atomic';

export interface ActionKind<T extends string = string, F extends FieldSet = FieldSet> {
  readonly type: T;
  /** In the order in which they are stored. */
  readonly fields: F;
  readonly effect: Effect;
  /** One line for people: `Set brightness of Lamp to 40`. Never throws, even if referenced objects no longer exist. */
  summarize(action: ActionNode & ValuesOf<F>, state: HomeState): string;
  /**
   * @returns the step's output, which later steps read as `nodes['<id>'].data`.
   * @throws a `HearthError` with a sentence for people: the run then follows the action's `onError`. An
   * `ActionFailure` if part of the action was done.
   */
  execute(action: ActionNode & ValuesOf<F>, run: RunContext): Promise<JsonObject> | JsonObject;
}

/** Infers the types of a kind from its fields. */
export function actionKind<const T extends string, F extends FieldSet>(kind: ActionKind<T, F>): ActionKind<T, F> {
  return kind;
}

/** An action that failed, wholly or in part, but has an output. The output lists what was done and what was not. */
export class ActionFailure extends HearthError {
  readonly output: JsonObject;
  readonly refusals: readonly AccessoryRefusal[];

  /** @param more the cause, where the code has several causes; the accessories that refused */
  constructor(
    code: ErrorCode,
    message: string,
    output: JsonObject,
    more: { readonly reason?: ErrorReason; readonly refusals?: readonly AccessoryRefusal[] } = {},
  ) {
    super(code, message, more.reason === undefined ? {} : { reason: more.reason });
    this.output = output;
    this.refusals = more.refusals ?? [];
  }
}

/** The run, as seen by the action that it executes. */
export interface RunContext {
  readonly runId: string;
  readonly program: Program;
  /** The automation itself (`principal.kind: 'automation'`); `requestId` is the run's id. */
  readonly caller: Caller;
  /** The causes that led here, and this automation: passed on to everything that the action triggers. */
  readonly cause: Cause;
  readonly scope: ExpressionScope;
  readonly ports: ActionPorts;
  /** All actions of the automation, nested ones too. */
  allActions(): Iterable<ActionNode>;
  /**
   * Aborted when the run is cancelled or exceeds its time limit. For work that can be interrupted, such as a request.
   */
  readonly signal: AbortSignal;
  /** Wall time, milliseconds. */
  now(): number;
  /** Replaces every template in the value. @throws `invalid_value` with the position of the error */
  render(value: Json): Json;
  /** @throws `invalid_value` with the position of the error */
  evaluate(expression: string): Json;
  /**
   * Whether the conditions hold now. The trace contains the results. The result is not persisted: see `decide`.
   * @param repeat the repeat iteration under decision: expressions can read it.
   */
  check(conditions: ConditionBlock, repeat?: RepeatScope): boolean;
  /**
   * A decision of this step (which branch, which items), made once: a restart does not change it. Every decision that
   * depends on state or time and controls `sequence` must use this method. @param name unique in the step
   */
  decide<T extends Json>(name: string, make: () => T): T;
  /**
   * Executes actions in order, as children of this step.
   * @param branch which of the step's branches: `then`, `choices[1]`, `branches[0]`; with `repeat`, its index
   * distinguishes iterations.
   * @param options `variables`: the actions run in a separate scope that starts with these (`call_script`).
   */
  sequence(
    actions: readonly ActionNode[],
    branch: string,
    options?: {
      readonly repeat?: RepeatScope;
      readonly variables?: Readonly<Record<string, Json>>;
      readonly cause?: Cause;
    },
  ): Promise<SequenceEnd>;
  /** Waits, across restarts. @throws no error of its own; a wait that became due too long ago ends the run as missed */
  delay(ms: number): Promise<void>;
  /**
   * Waits, across restarts, for the first of `triggers` or until `expression` is true. Returns `null` after
   * `timeoutMs` (`null`: no timeout). Does not wait if the expression is already true. Sets `wait` in the scope.
   */
  waitFor(
    what: { readonly triggers: readonly Trigger[] } | { readonly expression: string },
    timeoutMs: number | null,
  ): Promise<TriggerData | null>;
  setVariables(variables: Readonly<Record<string, Json>>): void;
  /** Ends the run, or the enclosing `sequence` that has its own variables. */
  stop(end: { readonly reason: string | null; readonly isError: boolean; readonly response?: Json }): never;
}

/** How a sequence with its own variables ended. Other sequences always end `completed`. */
export type SequenceEnd =
  | { readonly completed: true }
  | { readonly completed: false; readonly reason: string | null; readonly isError: boolean; readonly response: Json };

/** The ports through which actions act. A dry run replaces them. */
export interface ActionPorts {
  readonly state: HomeState;
  readonly control: Pick<Control, 'writeCharacteristics'>;
  readonly scenes: Pick<Scenes, 'get' | 'execute'>;
  readonly serviceGroups: Pick<ServiceGroups, 'set'>;
  readonly virtuals: Pick<VirtualAccessories, 'operate'>;
  readonly notifier: Notifier;
  readonly http: HttpSender;
  readonly events: AutomationEvents;
  readonly automations: AutomationControl;
}

/** Other automations of the same home. */
export interface AutomationControl {
  find(automationId: string): Program | undefined;
  /** @throws `automation_not_found` · `storage_unavailable` */
  setEnabled(automationId: string, enabled: boolean): void;
  /** Starts a separate run; does not wait for it. */
  trigger(automationId: string, cause: Cause): Admission;
  /**
   * Whether the automation may send requests. An automation made by an app or an access token may do so as long as its
   * author may.
   */
  mayReachOut(automationId: string): boolean;
}

/** The accessories that did not accept the write, each once. */
export function refusalsIn(outcomes: readonly CharacteristicOutcome[]): readonly AccessoryRefusal[] {
  const codes = new Map<string, ErrorCode>();
  for (const outcome of outcomes) {
    if (!outcome.ok && !codes.has(outcome.accessoryId)) codes.set(outcome.accessoryId, outcome.code);
  }
  return [...codes].map(([accessoryId, code]) => ({ accessoryId, code }));
}
