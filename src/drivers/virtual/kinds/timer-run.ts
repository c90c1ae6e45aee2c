/**
 * One run of a timer, as plain values: running towards a wall-clock time, paused with the remaining time, or over. A
 * deadline that passes while the relay is stopped stays due, so that a run survives restarts. Times are milliseconds
 * since the epoch.
 */
import type { TimerState } from '../../../home/virtual-driver.ts';

export interface TimerRun {
  /** The total duration. */
  readonly durationMs: number;
  readonly startedAt: number | null;
  /** `null` unless the timer runs. */
  readonly endsAt: number | null;
  /** The time left when it was paused; `null` unless it is paused. */
  readonly remainingMs: number | null;
  /** When a run last finished. */
  readonly finishedAt: number | null;
}

export function statusOf(run: TimerRun | null): TimerState['status'] {
  if (run?.endsAt != null) return 'active';
  return run?.remainingMs != null ? 'paused' : 'idle';
}

/** Starts from the full duration in every state. */
export function startRun(before: TimerRun | null, durationMs: number, now: number): TimerRun {
  const finishedAt = before?.finishedAt ?? null;
  return { durationMs, startedAt: now, endsAt: now + durationMs, remainingMs: null, finishedAt };
}

export function pauseRun(run: TimerRun, now: number): TimerRun {
  return { ...run, endsAt: null, remainingMs: remainingOf(run, now) };
}

export function resumeRun(run: TimerRun, now: number): TimerRun {
  return { ...run, endsAt: now + (run.remainingMs ?? run.durationMs), remainingMs: null };
}

/** Ends a run early: it does not count as finished. */
export function cancelRun(run: TimerRun): TimerRun {
  return { ...run, startedAt: null, endsAt: null, remainingMs: null };
}

/** @param at when it finished: its deadline, for a run that came due while the relay was stopped */
export function finishRun(run: TimerRun, at: number): TimerRun {
  return { ...cancelRun(run), finishedAt: at };
}

export function isDue({ endsAt }: TimerRun, now: number): boolean {
  return endsAt !== null && endsAt <= now;
}

/** Adjusts a run after the wall clock was set back, so that it does not take longer. */
export function setBackRun(run: TimerRun, byMs: number): TimerRun {
  const { startedAt, endsAt } = run;
  if (endsAt === null) return run;
  return { ...run, startedAt: startedAt === null ? null : startedAt - byMs, endsAt: endsAt - byMs };
}

/** Restarts a run with more time left than its total duration: the clock was set back since it was stored. */
export function boundRun(run: TimerRun, now: number): TimerRun {
  const tooLong = run.endsAt !== null && run.endsAt - now > run.durationMs;
  return tooLong ? { ...run, startedAt: now, endsAt: now + run.durationMs } : run;
}

/** @param durationMs of the next run */
export function timerState(run: TimerRun | null, durationMs: number, now: number): TimerState {
  const status = statusOf(run);
  const isUnderWay = run !== null && status !== 'idle';
  return {
    status,
    durationMs: isUnderWay ? run.durationMs : durationMs,
    startedAt: isUnderWay ? run.startedAt : null,
    endsAt: run?.endsAt ?? null,
    remainingMs: isUnderWay ? remainingOf(run, now) : null,
    finishedAt: run?.finishedAt ?? null,
  };
}

function remainingOf({ endsAt, remainingMs, durationMs }: TimerRun, now: number): number {
  if (endsAt === null) return remainingMs ?? 0;
  return Math.min(Math.max(endsAt - now, 0), durationMs);
}
