/**
 * Counts on without end in a process of its own, reporting each number once it is acknowledged, and keeps a timer
 * running.
 */
import { VirtualAccessoryDriver } from '../../../src/drivers/virtual/virtual-driver.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { WallTimers } from '../../../src/kernel/wall-timers.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import { MemorySink } from './memory-sink.ts';

const [, , path = '', counter = '', timer = ''] = process.argv;
const sink = new MemorySink();
const database = openDatabase(path);
const timers = new WallTimers({ clock: systemClock });
const driver = new VirtualAccessoryDriver({ database, sink, clock: systemClock, timers, logger: silentLogger });
driver.start();

/** What was acknowledged last. */
export interface Reported {
  readonly value: number;
  readonly endsAt: number;
}

function count(): void {
  const value = Number(driver.operate({ source: counter, aid: '1' }, 'increment'));
  driver.operate({ source: timer, aid: '1' }, 'start', 3_600);
  const endsAt = driver.timerOf({ source: timer, aid: '1' })?.endsAt ?? 0;
  process.send?.({ value, endsAt } satisfies Reported);
  setImmediate(count);
}

count();
