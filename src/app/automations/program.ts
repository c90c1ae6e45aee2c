/** The engine's form of all automations, and the types that its parts share about a run. Types only. */
import type { AccessoryRefusal, BlockedReason, StepResult, TraceStatus } from '../../contract/automation-runs.ts';
import type { RunMode } from '../../contract/flows.ts';
import type { ErrorCode } from '../../kernel/errors.ts';
import type { Json, JsonObject } from '../../kernel/json.ts';
import type { ErrorReason } from '../../kernel/reasons.ts';
import type { ActionNode } from './action-node.ts';
import type { ConditionBlock } from './conditions/index.ts';
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
}

/** The result of a firing. A refused firing has a trace too, with the reason. */
export interface Admission {
  readonly runId: string;
  readonly blockedReason: BlockedReason | null;
}

/** Why a step or a run failed, for clients that localize the reason; `error` is the English message. */
export interface WhyNot {
  readonly reason?: ErrorCode | ErrorReason;
  /** The accessories that refused the write. */
  readonly refusals?: readonly AccessoryRefusal[];
}

/** One step of a trace (wire-facts §6.5). Times are milliseconds since the epoch. */
export interface TraceStep extends WhyNot {
  readonly index: number;
  readonly type: 'trigger' | 'condition' | 'action';
  /** The trigger's or action's id; `null` for the conditions. */
  readonly nodeId: string | null;
  readonly nodeType: string;
  /** One line for people. */
  readonly nodeSummary: string;
  readonly startedAt: number;
  readonly finishedAt: number | null;
  readonly durationMs: number | null;
  readonly result: StepResult;
  readonly input: Json;
  readonly output: Json;
  readonly error: string | null;
  readonly parentNodeId: string | null;
  /** `then`, `choices[1]`, `branches[0]` … of the parent. */
  readonly branch: string | null;
  /** The iteration of the enclosing repeat, from 1. */
  readonly iteration: number | null;
  /** From 1; higher after retries. */
  readonly attempt: number;
}

export interface Trace extends WhyNot {
  /** The run's id. */
  readonly id: string;
  readonly automationId: string;
  readonly automationName: string;
  readonly homeId: string;
  readonly startedAt: number;
  readonly finishedAt: number | null;
  readonly status: TraceStatus;
  readonly triggerData: TriggerData;
  readonly steps: readonly TraceStep[];
  readonly variables: JsonObject;
  readonly error: string | null;
  readonly blockedReason: BlockedReason | null;
  /** With `loop` and `depth`: the automations that led here, by name. */
  readonly chain?: readonly string[];
}
