/**
 * Records what a run does, for people to read. During the run it only collects; `snapshot` creates texts and JSON
 * later, when the trace is presented. Bounded: truncates a value of more than 8 KiB, and omits steps beyond a
 * thousand.
 */

import type { BlockedReason, StepResult, TraceStatus } from '../../../contract/automation-runs.ts';
import type { Json, JsonObject } from '../../../kernel/json.ts';
import type { ActionNode } from '../action-node.ts';
import type { Program, Trace, TraceStep, WhyNot } from '../program.ts';
import type { TriggerData } from '../scope.ts';
import { withoutCredentials, withoutWebhookIds } from '../secrets.ts';

/** wire-facts §6.5. In UTF-8 bytes of JSON. */
const MAX_VALUE_BYTES = 8_192;
const MAX_STEPS = 1_000;
/** The sum of all values of a trace. */
const MAX_TRACE_BYTES = 512 * 1024;

/** The position of a step in the run. */
export interface StepPlace {
  readonly parentNodeId: string | null;
  readonly branch: string | null;
  readonly iteration: number | null;
}
export const TOP: StepPlace = { parentNodeId: null, branch: null, iteration: null };

export interface StepStart extends StepPlace {
  readonly type: TraceStep['type'];
  readonly nodeId: string | null;
  readonly nodeType: string;
  readonly summarize: () => string;
  readonly input?: () => Json;
  readonly attempt?: number;
  readonly at: number;
}

export interface StepEnd extends WhyNot {
  readonly at: number;
  readonly result: StepResult;
  readonly output?: Json;
  readonly error?: string | null;
}

interface RecordedStep {
  readonly start: StepStart;
  end: StepEnd | null;
  /** Set once the step has ended and was presented. */
  presented: TraceStep | undefined;
}

export class TraceRecorder {
  readonly id: string;
  readonly program: Program;
  readonly #startedAt: number;
  readonly #trigger: TriggerData;
  readonly #steps: RecordedStep[] = [];
  #bytesLeft = MAX_TRACE_BYTES;
  #end:
    | {
        readonly at: number;
        readonly status: TraceStatus;
        readonly error: string | null;
        readonly blockedReason: BlockedReason | null;
        readonly more: WhyNot & Pick<Trace, 'chain'>;
      }
    | undefined;
  #variables: Readonly<Record<string, Json>>;

  constructor(deps: { id: string; program: Program; trigger: TriggerData; startedAt: number }) {
    this.id = deps.id;
    this.program = deps.program;
    this.#trigger = deps.trigger;
    this.#startedAt = deps.startedAt;
    this.#variables = deps.program.variables;
  }

  get automationId(): string {
    return this.program.id;
  }

  get isOver(): boolean {
    return this.#end !== undefined;
  }

  /** @returns the function that records how the step ended */
  begin(start: StepStart): (end: StepEnd) => void {
    if (this.#steps.length >= MAX_STEPS) return () => {};
    const step: RecordedStep = { start, end: null, presented: undefined };
    this.#steps.push(step);
    return (end) => {
      step.end = end;
    };
  }

  end(end: {
    at: number;
    status: TraceStatus;
    error?: string | null;
    blockedReason?: BlockedReason | null;
    more?: WhyNot & Pick<Trace, 'chain'>;
    variables?: Readonly<Record<string, Json>>;
  }): void {
    const { at, status, error = null, blockedReason = null, more = {} } = end;
    this.#end = { at, status, error, blockedReason, more };
    this.#variables = end.variables ?? this.#variables;
  }

  /** The current trace. */
  snapshot(): Trace {
    return {
      id: this.id,
      automationId: this.program.id,
      automationName: this.program.name,
      homeId: this.program.homeId,
      startedAt: this.#startedAt,
      finishedAt: this.#end?.at ?? null,
      status: this.#end?.status ?? 'running',
      triggerData: capped(this.#trigger as unknown as JsonObject) as unknown as TriggerData,
      steps: this.#steps.map((step, index) => this.#present(step, index)),
      variables: capVariables(this.#variables),
      error: this.#end?.error ?? null,
      blockedReason: this.#end?.blockedReason ?? null,
      ...this.#end?.more,
    };
  }

  #present(step: RecordedStep, index: number): TraceStep {
    if (step.presented) return step.presented;
    const { start, end } = step;
    const presented: TraceStep = {
      index,
      type: start.type,
      nodeId: start.nodeId,
      nodeType: start.nodeType,
      nodeSummary: start.summarize(),
      startedAt: start.at,
      finishedAt: end?.at ?? null,
      durationMs: end ? Math.max(0, end.at - start.at) : null,
      result: end?.result ?? (this.isOver ? 'skipped' : 'running'),
      input: end ? this.#spend(start.input?.() ?? null) : null,
      output: end ? this.#spend(end.output ?? null) : null,
      error: end?.error ?? null,
      ...(end && whyNotIn(end)),
      parentNodeId: start.parentNodeId,
      branch: start.branch,
      iteration: start.iteration,
      attempt: start.attempt ?? 1,
    };
    if (end) step.presented = presented;
    return presented;
  }

  #spend(value: Json): Json {
    if (value === null || this.#bytesLeft <= 0) return null;
    const kept = capped(value);
    this.#bytesLeft -= sizeOf(kept);
    return kept;
  }
}

/** The presented form, without unknown fields. */
export function whyNotIn({ reason, refusals }: WhyNot): WhyNot {
  return { ...(reason !== undefined && { reason }), ...(refusals !== undefined && { refusals }) };
}

/** The fields of an action, without its nested actions, which have separate steps, and without the common fields. */
export function inputOf(action: ActionNode): JsonObject {
  const own = Object.fromEntries(Object.entries(action).filter(([, value]) => !holdsActions(value)));
  const shown = withoutCredentials(withoutWebhookIds<JsonObject>(own));
  const { id: _id, alias: _alias, enabled: _enabled, onError: _onError, type: _type, ...input } = shown;
  return input;
}

function holdsActions(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  return value.some(
    (item) =>
      Array.isArray(item) || (typeof item === 'object' && item !== null && ('onError' in item || 'actions' in item)),
  );
}

function sizeOf(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}

/** The value, or the first part of its JSON if that exceeds the size limit of a trace. */
export function capped(value: Json): Json {
  const text = JSON.stringify(value) ?? 'null';
  // A UTF-16 unit takes at most three bytes.
  if (text.length * 3 <= MAX_VALUE_BYTES || Buffer.byteLength(text) <= MAX_VALUE_BYTES) return value;
  const bytes = Buffer.from(text).subarray(0, MAX_VALUE_BYTES - 4 * '…'.length);
  return `${new TextDecoder().decode(bytes).replace(/\uFFFD$/, '')}…`;
}

function capVariables(variables: Readonly<Record<string, Json>>): JsonObject {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, capped(value)]));
}
