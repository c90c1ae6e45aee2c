/** A run, as its steps see it. */

import type { JsonObject } from '../../../kernel/json.ts';
import type { Caller } from '../../access/caller.ts';
import type { ActionNode } from '../action-node.ts';
import type { ActionPorts } from '../actions/action-kind.ts';
import type { Program } from '../program.ts';
import type { Cause, RepeatScope, TriggerData } from '../scope.ts';
import type { Frame } from './frame.ts';
import type { Kinds } from './kinds.ts';
import type { Stopwatch } from './stopwatch.ts';
import type { StepPlace, TraceRecorder } from './trace-recorder.ts';
import type { WaitingRun, Waits } from './waits.ts';

export interface RunState extends WaitingRun {
  readonly program: Program;
  readonly trigger: TriggerData;
  /** The causes that led here, and this automation. */
  readonly cause: Cause;
  readonly caller: Caller;
  readonly recorder: TraceRecorder;
  readonly waiting: Waits;
  readonly stopwatch: Stopwatch;
  readonly kinds: Kinds;
  readonly ports: ActionPorts;
  readonly signal: AbortSignal;
  /** What to wait for before the next step, so that this run does not block others; usually nothing. */
  pause(): Promise<void> | undefined;
  /** Called before each step. @throws if the run has ended or exceeded a limit */
  checkpoint(frame: Frame): void;
  /** @throws if the run has collected too much data */
  collect(frame: Frame, output: JsonObject): void;
}

/** The position at which a list of actions is executed. */
export interface RunPosition {
  readonly path: string;
  readonly frame: Frame;
  readonly place: StepPlace;
  readonly repeat: RepeatScope | null;
}

/** One attempt at an action. */
export interface ActionAttempt extends RunPosition {
  readonly action: ActionNode;
  /** Its key in the journal. */
  readonly key: string;
  readonly attempt: number;
}

/** Executes actions in order. */
export type RunSequence = (actions: readonly ActionNode[], where: RunPosition) => Promise<void>;
