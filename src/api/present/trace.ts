import type { Trace, TraceStep } from '../../app/automations/program.ts';
import { presentTime } from './time.ts';

/** The steps of an automation's run and their reasons (wire-facts §6.5). */
export function presentTrace(trace: Trace): ShownTrace {
  const { startedAt, finishedAt, steps } = trace;
  return {
    ...trace,
    startedAt: presentTime(startedAt),
    finishedAt: presentTime(finishedAt),
    steps: steps.map(presentStep),
  };
}

function presentStep(step: TraceStep): ShownTraceStep {
  return { ...step, startedAt: presentTime(step.startedAt), finishedAt: presentTime(step.finishedAt) };
}

/** Times are ISO 8601. */
interface ShownTimes {
  readonly startedAt: string;
  /** `null` while it is in progress. */
  readonly finishedAt: string | null;
}
export type ShownTraceStep = Omit<TraceStep, keyof ShownTimes> & ShownTimes;
export type ShownTrace = Omit<Trace, keyof ShownTimes | 'steps'> &
  ShownTimes & { readonly steps: readonly ShownTraceStep[] };
