/** What came of a step, for the marks of a run's path and graph. */
import { Check, CircleDashed, LoaderCircle, type LucideIcon, Octagon, X } from 'lucide-react';

export type StepState = 'done' | 'notMet' | 'failed' | 'skipped' | 'running' | 'other';

const STATES: Readonly<Record<string, StepState>> = {
  passed: 'done',
  executed: 'done',
  failed: 'notMet',
  skipped: 'skipped',
  error: 'failed',
  timeout: 'failed',
  running: 'running',
};

export const STATE_ICONS: Readonly<Record<StepState, LucideIcon>> = {
  done: Check,
  notMet: CircleDashed,
  skipped: CircleDashed,
  failed: X,
  running: LoaderCircle,
  other: Octagon,
};

export function stateOfStep({ result }: { readonly result: string }): StepState {
  return STATES[result] ?? 'other';
}
