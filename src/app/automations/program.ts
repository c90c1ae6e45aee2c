/** The engine's form of all automations, and the types that its parts share about a run. Types only. */
import type * as contract from '../../contract/automation-runs.ts';
import type { RunMode } from '../../contract/flows.ts';
import type { InMilliseconds } from '../../contract/parse.ts';
import type { ErrorCode } from '../../kernel/errors.ts';
import type { Json, JsonObject } from '../../kernel/json.ts';
import type { ErrorReason } from '../../kernel/reasons.ts';
import type { ActionNode } from './action-node.ts';
import type { ConditionBlock } from './conditions/index.ts';
import type { Automation } from './native/automation.ts';
import type { TriggerData } from './scope.ts';
import type { Trigger } from './triggers/index.ts';

/** An automation as the engine runs it: a flow, or a translated native automation. */
export interface Program {
  readonly id: string;
  readonly kind: 'native' | 'flow';
  readonly homeId: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly mode: RunMode;
  readonly maxRunning: number;
  readonly triggers: readonly Trigger[];
  readonly conditions: ConditionBlock;
  readonly actions: readonly ActionNode[];
  readonly variables: Readonly<Record<string, Json>>;
  /** Of a native automation: what it was translated from. A run that an earlier version of hearthd stored lacks it. */
  readonly native?: NativeSource;
}

export type NativeSource = Pick<Automation, 'trigger' | 'actions'>;

/** The result of a firing. A refused firing has a trace too, with the reason. */
export interface Admission {
  readonly runId: string;
  readonly blockedReason: contract.BlockedReason | null;
}

/** Why a step or a run failed, for clients that localize the reason; `error` is the English message. */
export interface WhyNot {
  readonly reason?: ErrorCode | ErrorReason;
  /** The accessories that refused the write. */
  readonly refusals?: readonly contract.AccessoryRefusal[];
}

/** One step of a trace (wire-facts §6.5). */
export interface TraceStep
  extends Omit<InMilliseconds<contract.TraceStep, 'startedAt' | 'finishedAt'>, 'input' | 'output'> {
  readonly input: Json;
  readonly output: Json;
}

export interface Trace
  extends Omit<InMilliseconds<contract.Trace, 'startedAt' | 'finishedAt'>, 'triggerData' | 'steps' | 'variables'> {
  readonly triggerData: TriggerData;
  readonly steps: readonly TraceStep[];
  readonly variables: JsonObject;
}
