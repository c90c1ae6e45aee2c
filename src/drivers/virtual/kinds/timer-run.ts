/**
 * One run of a timer, as plain values: it runs towards a wall-clock time, is paused with what is left of it, or is over. What is
 * due while nobody looks stays due, so that a run outlives restarts. Times are milliseconds since the epoch.
 */
import type { TimerState } from '../../../home/virtual-driver.ts';

export interface TimerRun {
  /** How long it takes in all. */
  readonly durationMs: number;
  readonly startedAt: number | null;
  /** `null` unless it runs. */
  readonly endsAt: number | null;
  /** What was left when it was paused; `null` unless it is. */
  readonly remainingMs: number | null;
  /** When a run was through last. */
  readonly finishedAt: number | null;
}

export function statusOf(run: TimerRun | null): TimerState['status'] {
  if (run?.endsAt != null) return 'active';
  return run?.remainingMs != null ? 'paused' : 'idle';
}

/** From the beginning, whatever was before. */
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

/** Ended before its time: nothing is finished. */
export function cancelRun(run: TimerRun): TimerRun {
  return { ...run, startedAt: null, endsAt: null, remainingMs: null };
}

/** @param at when it was through: for one that came due while nobody looked, that time. */
export function finishRun(run: TimerRun, at: number): TimerRun {
  return { ...cancelRun(run), finishedAt: at };
}

export function isDue({ endsAt }: TimerRun, now: number): boolean {
  return endsAt !== null && endsAt <= now;
}

/** The wall clock was set back by so much: the run takes no longer for it. */
export function setBackRun(run: TimerRun, byMs: number): TimerRun {
  const { startedAt, endsAt } = run;
  if (endsAt === null) return run;
  return { ...run, startedAt: startedAt === null ? null : startedAt - byMs, endsAt: endsAt - byMs };
}

/** A run that has more left than it takes in all was kept by a clock that has been set back since: it begins anew. */
export function boundRun(run: TimerRun, now: number): TimerRun {
  const tooLong = run.endsAt !== null && run.endsAt - now > run.durationMs;
  return tooLong ? { ...run, startedAt: now, endsAt: now + run.durationMs } : run;
}

/** @param durationMs of the next run. */
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
