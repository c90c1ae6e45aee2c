/**
 * What a kind of action is, and what a run lends it. One file a kind in this folder, one line in `index.ts`; the engine knows none
 * of them. Waiting, remembering and tracing are the run's business, so that a kind reads like what it does.
 */

import type { HomeState } from '../../../home/home-state.ts';
import type { HttpSender } from '../../../home/http-sender.ts';
import { type ErrorCode, HearthError } from '../../../kernel/errors.ts';
import type { ErrorReason } from '../../../kernel/reasons.ts';
import type { Caller } from '../../access/caller.ts';
import type { Control } from '../../control/control.ts';
import type { CharacteristicOutcome } from '../../control/outcome.ts';
import type { ServiceGroups } from '../../groups/service-groups.ts';
import type { Notifier } from '../../notifications/notifier.ts';
import type { Scenes } from '../../scenes/scenes.ts';
import type { VirtualAccessories } from '../../virtual-accessories/virtual-accessories.ts';
import type { AutomationEvents } from '../automation-events.ts';
import type { Action, ActionOf, ActionType, ConditionBlock, Json, JsonObject, Trigger } from '../flow.ts';
import type { AccessoryRefusal, Admission, Cause, Program, RepeatScope, Scope, TriggerData } from '../program.ts';

/** What the daemon may assume of a step that was begun and not known to have ended when it was killed. */
export type Effect =
  /** It changes nothing outside the run, or other steps do (delays, branches). Begun again. */
  | 'none'
  /** Doing it twice is doing it once: a value that is set. Done again. */
  | 'repeatable'
  /** It must not happen twice: a message, a request. Not done again; the step fails with "interrupted". */
  | 'once'
  /** It happens in our own database and before `execute` returns: done and remembered in one transaction. */
  | 'atomic';

export interface ActionKind<T extends ActionType = ActionType> {
  readonly type: T;
  readonly effect: Effect;
  /** One line for people: `Set brightness of Lamp to 40`. Never throws, whatever is gone by now. */
  summarize(action: ActionOf<T>, state: HomeState): string;
  /**
   * @returns the step's output, which later steps read as `nodes['<id>'].data`.
   * @throws a `HearthError` with a sentence for people: the run then follows the action's `onError`. An `ActionFailure` where
   *         something was done in spite of it.
   */
  execute(action: ActionOf<T>, run: RunContext): Promise<JsonObject> | JsonObject;
}

/** An action that failed, wholly or in part, with an output all the same: it shows what was done and what was not. */
export class ActionFailure extends HearthError {
  readonly output: JsonObject;
  readonly refusals: readonly AccessoryRefusal[];

  /** @param more which cause it was, where the code has several; the accessories that refused */
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

/** A run, as the action that is being executed sees it. */
export interface RunContext {
  readonly runId: string;
  readonly program: Program;
  /** The automation itself (`principal.kind: 'automation'`); `requestId` is the run's id. */
  readonly caller: Caller;
  /** What led here and this automation: for whatever the action sets off. */
  readonly cause: Cause;
  readonly scope: Scope;
  readonly ports: ActionPorts;
  /** Aborted when the run is cancelled or has taken too long: for what can be broken off, such as a request. */
  readonly signal: AbortSignal;
  /** Wall time, milliseconds. */
  now(): number;
  /** The value with every template in it replaced. @throws `invalid_value` with the place of the fault */
  render(value: Json): Json;
  /** @throws `invalid_value` with the place of the fault */
  evaluate(expression: string): Json;
  /**
   * Whether conditions hold now; what was found is in the trace. Not remembered: see `decide`.
   * @param repeat the round that they decide about: expressions see it.
   */
  check(conditions: ConditionBlock, repeat?: RepeatScope): boolean;
  /**
   * A decision of this step (which branch, which items), made once: after a restart it is what it was. Whatever depends on the state
   * or the time and steers `sequence` must go through this. @param name unique in the step
   */
  decide<T extends Json>(name: string, make: () => T): T;
  /**
   * Executes actions in order, as children of this step.
   * @param branch which of the step's branches: `then`, `choices[1]`, `branches[0]`; with `repeat`, its index tells rounds apart.
   * @param options `variables`: they run in a scope of their own that begins with these (`call_script`).
   */
  sequence(
    actions: readonly Action[],
    branch: string,
    options?: {
      readonly repeat?: RepeatScope;
      readonly variables?: Readonly<Record<string, Json>>;
      readonly cause?: Cause;
    },
  ): Promise<SequenceEnd>;
  /** Waits, across restarts. @throws nothing of its own; a wait that became due too long ago ends the run as missed */
  delay(ms: number): Promise<void>;
  /**
   * Waits, across restarts, for the first of `triggers` or until `expression` is true; `null` once `timeoutMs` (`null`: for ever) is
   * over. An expression that is true already does not wait. Sets `wait` in the scope.
   */
  waitFor(
    what: { readonly triggers: readonly Trigger[] } | { readonly expression: string },
    timeoutMs: number | null,
  ): Promise<TriggerData | null>;
  setVariables(variables: Readonly<Record<string, Json>>): void;
  /** Ends the run, or the `sequence` with variables of its own that it is in. */
  stop(end: { readonly reason: string | null; readonly isError: boolean; readonly response?: Json }): never;
}

/** How a sequence with variables of its own came to its end; other sequences always end `completed`. */
export type SequenceEnd =
  | { readonly completed: true }
  | { readonly completed: false; readonly reason: string | null; readonly isError: boolean; readonly response: Json };

/** What actions act on. A dry run puts others in their place. */
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
  /** Begins a run of its own; does not wait for it. */
  trigger(automationId: string, cause: Cause): Admission;
}

/** Those that did not take what was written, each once. */
export function refusalsIn(outcomes: readonly CharacteristicOutcome[]): readonly AccessoryRefusal[] {
  const codes = new Map<string, ErrorCode>();
  for (const outcome of outcomes) {
    if (!outcome.ok && !codes.has(outcome.accessoryId)) codes.set(outcome.accessoryId, outcome.code);
  }
  return [...codes].map(([accessoryId, code]) => ({ accessoryId, code }));
}
