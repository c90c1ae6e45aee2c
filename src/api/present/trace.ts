import type { Trace, TraceStep } from '../../app/automations/program.ts';
import type * as shown from '../../contract/automation-runs.ts';
import { presentTime } from './time.ts';

/** The steps of an automation's run and their reasons (wire-facts §6.5). */
export function presentTrace(trace: Trace): shown.Trace {
  const { startedAt, finishedAt, steps } = trace;
  return {
    ...trace,
    startedAt: presentTime(startedAt),
    finishedAt: presentTime(finishedAt),
    steps: steps.map(presentStep),
  };
}

function presentStep(step: TraceStep): shown.TraceStep {
  return { ...step, startedAt: presentTime(step.startedAt), finishedAt: presentTime(step.finishedAt) };
}
