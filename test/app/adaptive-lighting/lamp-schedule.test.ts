import { describe, expect, it } from 'vitest';
import { nextStep, type ScheduleStep, type ScheduleView } from '../../../src/app/adaptive-lighting/lamp-schedule.ts';

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 5, 21);
/** On, and in the middle of its schedule. */
const RUNNING: ScheduleView = {
  ...{
    isWanted: true,
    isOn: true,
    scheduleAt: NOW - HOUR_MS,
    isCurrent: true,
    activeCount: 1,
    mayHaveLost: false,
    hasRun: true,
    now: NOW,
  },
};
const NEW: ScheduleView = { ...RUNNING, scheduleAt: null, activeCount: 0 };

describe('the schedule of a lamp', () => {
  it.each<[string, ScheduleView, ScheduleStep]>([
    ['runs', RUNNING, 'nothing'],
    ['is written when the lamp is on', NEW, 'write'],
    ['waits for the lamp to come on', { ...NEW, isOn: false }, 'nothing'],
    [
      'is renewed after half a day, also while the lamp is off',
      { ...RUNNING, isOn: false, scheduleAt: NOW - 12 * HOUR_MS },
      'write',
    ],
    ['is renewed after the settings changed', { ...RUNNING, isCurrent: false }, 'write'],
    ['is renewed after the clock was set back', { ...RUNNING, scheduleAt: NOW + HOUR_MS }, 'write'],
    ['is written again after it ran out', { ...RUNNING, activeCount: 0, scheduleAt: NOW - 25 * HOUR_MS }, 'write'],
    [
      'is written again to a lamp that lost it while it was away',
      { ...RUNNING, activeCount: 0, mayHaveLost: true },
      'write',
    ],
    ['that the lamp ended pauses it', { ...RUNNING, activeCount: 0 }, 'pause'],
    [
      'that was just written is not judged by an old count',
      { ...RUNNING, activeCount: 0, hasRun: false, scheduleAt: NOW - 60_000 },
      'nothing',
    ],
    ['that a lamp never showed pauses it later', { ...RUNNING, activeCount: 0, hasRun: false }, 'pause'],
    ['that ended while the lamp is off is forgotten', { ...RUNNING, isOn: false, activeCount: 0 }, 'forget'],
    ['of a lamp whose count is not known runs', { ...RUNNING, activeCount: null }, 'nothing'],
    ['is removed when it is not wanted any more', { ...RUNNING, isWanted: false }, 'remove'],
    ['is removed too from a lamp that is off', { ...RUNNING, isWanted: false, isOn: false }, 'remove'],
    [
      'is removed too if the lamp does not show it yet',
      { ...RUNNING, isWanted: false, activeCount: 0, hasRun: false },
      'remove',
    ],
    ['that is not wanted and not there is forgotten', { ...RUNNING, isWanted: false, activeCount: 0 }, 'forget'],
    ['of another controller is left alone', { ...NEW, isWanted: false, activeCount: 1 }, 'nothing'],
  ])('%s', (_, view, step) => {
    expect(nextStep(view)).toBe(step);
  });
});
