/** Decides what to do about the schedule that a lamp runs by itself. */
import { SCHEDULE_LENGTH_MS } from '../../home/adaptive-lighting/transitions.ts';
import { HOUR_MS, MINUTE_MS } from '../../home/schedule/wall-time.ts';

/** So that a lamp goes on for at least half a day when the relay stops. */
const RENEW_MS = 12 * HOUR_MS;
/** A lamp that does not notify shows late that it runs a schedule. */
const SHOWN_LATE_MS = 5 * MINUTE_MS;

export interface ScheduleView {
  /** Whether the lamp is to follow the day. */
  readonly isWanted: boolean;
  readonly isOn: boolean;
  /** When the schedule starts that we wrote; `null`: none. */
  readonly scheduleAt: number | null;
  /** Whether it is for the settings and the place as they are. */
  readonly isCurrent: boolean;
  /** How many schedules the lamp runs; `null`: not known. */
  readonly activeCount: number | null;
  /** Whether it was away a moment ago, or we ended its schedule by setting its colour. */
  readonly mayHaveLost: boolean;
  /** Whether it ran this schedule already. */
  readonly hasRun: boolean;
  readonly now: number;
}

export type ScheduleStep =
  | 'nothing'
  /** Write a schedule. */
  | 'write'
  /** End the schedule in the lamp. */
  | 'remove'
  /** The lamp runs none, and none is wanted now. */
  | 'forget'
  /** Someone set its colour: the lamp ended the schedule. */
  | 'pause';

export function nextStep(view: ScheduleView): ScheduleStep {
  const { isWanted, isOn, scheduleAt, isCurrent, activeCount, mayHaveLost, hasRun, now } = view;
  if (!isWanted) {
    if (scheduleAt === null) return 'nothing';
    return activeCount === 0 && hasRun ? 'forget' : 'remove';
  }
  // A lamp that is off begins when it comes on, so that it does not come on by the write.
  if (scheduleAt === null) return isOn ? 'write' : 'nothing';
  const age = now - scheduleAt;
  const isOver = age < 0 || age >= SCHEDULE_LENGTH_MS;
  if (activeCount === 0) {
    if (!isOn) return 'forget';
    if (mayHaveLost || isOver) return 'write';
    return hasRun || age >= SHOWN_LATE_MS ? 'pause' : 'nothing';
  }
  return isOver || age >= RENEW_MS || !isCurrent ? 'write' : 'nothing';
}
