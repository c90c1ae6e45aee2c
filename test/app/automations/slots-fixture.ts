/** ScheduledFirings on real SQLite, with a clock that the test moves and watchers that record their calls. */
import { ScheduledFirings, type SlotWatch } from '../../../src/app/automations/scheduled-firings.ts';
import { WallTimers } from '../../../src/kernel/wall-timers.ts';
import { type Database, openDatabase } from '../../../src/storage/database.ts';
import { TestClock } from '../../support/test-clock.ts';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const GRACE_MS = 5 * MINUTE_MS;

export interface Reported {
  readonly key: string;
  readonly slotAt: number;
  readonly at: number;
}

export type SlotsFixture = ReturnType<typeof openSlots>;

export interface SlotsFixtureOptions {
  /** A file, to open it again as after a restart or a kill. */
  readonly path?: string;
  readonly clock?: TestClock;
  /** Whether nothing is stored, as in a dry run. */
  readonly isRemembered?: boolean;
}

export function openSlots({
  path = ':memory:',
  clock = new TestClock(),
  isRemembered = false,
}: SlotsFixtureOptions = {}) {
  const database: Database = openDatabase(path);
  const timers = new WallTimers({ clock });
  const slots = new ScheduledFirings({ database: isRemembered ? null : database, timers, graceMs: () => GRACE_MS });
  const fired: Reported[] = [];
  const missed: Reported[] = [];
  return {
    clock,
    database,
    timers,
    slots,
    fired,
    missed,
    firedSlots: (key: string): readonly number[] =>
      fired.filter((reported) => reported.key === key).map(({ slotAt }) => slotAt),
    watch(key: string, plan: SlotWatch['plan'], fire?: SlotWatch['fire']): () => void {
      return slots.watch(key, {
        plan,
        fire(slotAt) {
          fire?.(slotAt);
          fired.push({ key, slotAt, at: clock.now() });
        },
        missed: (slotAt) => missed.push({ key, slotAt, at: clock.now() }),
      });
    },
    rows: () => database.prepare<[], Record<string, unknown>>('SELECT * FROM slots ORDER BY key').all(),
    /** As SIGKILL leaves it: no part is asked to stop. */
    kill(): void {
      timers.stop();
      database.close();
    },
    /** As the daemon stops. */
    close(): void {
      slots.stop();
      timers.stop();
      database.close();
    },
  };
}

/** Due every so often, counted from the epoch. */
export function every(intervalMs: number): SlotWatch['plan'] {
  return (after) => (Math.floor(after / intervalMs) + 1) * intervalMs;
}

/** Due once. */
export function once(at: number): SlotWatch['plan'] {
  return (after) => (after < at ? at : null);
}
