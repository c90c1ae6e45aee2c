/**
 * The driver of virtual accessories alone: on real SQLite, with a clock that the test moves and a sink that remembers.
 */
import { DriverRouter } from '../../../src/drivers/driver-router.ts';
import { VirtualAccessoryDriver } from '../../../src/drivers/virtual/virtual-driver.ts';
import type { AccessoryAddress, CharacteristicValue } from '../../../src/home/model.ts';
import type { VirtualInput } from '../../../src/home/virtual-driver.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { WallTimers } from '../../../src/kernel/wall-timers.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import { TestClock } from '../../support/test-clock.ts';
import { MemorySink } from './memory-sink.ts';

export const HOME_ID = '0b7f9f5e-0000-4000-8000-00000000a0a0';
/** Of every virtual accessory's one characteristic. */
export const IID = '2';

export type VirtualFixture = ReturnType<typeof openFixture>;

/** @param path a file, to open it again as after a restart or a kill. */
export function openFixture({ path = ':memory:', clock = new TestClock() }: { path?: string; clock?: TestClock } = {}) {
  const database = openDatabase(path);
  database
    .prepare('INSERT OR IGNORE INTO homes (id, name, name_key, created_at) VALUES (?, ?, ?, 1)')
    .run(HOME_ID, 'Home', 'home');
  const sink = new MemorySink();
  const timers = new WallTimers({ clock });
  const driver = new VirtualAccessoryDriver({ database, sink, clock, timers, logger: silentLogger });
  const router = new DriverRouter({
    hap: { write: async () => [], identify: async () => undefined },
    virtual: driver,
  });
  driver.start();
  return {
    clock,
    timers,
    database,
    sink,
    driver,
    create: (fields: VirtualInput, name = 'Thing'): AccessoryAddress =>
      driver.create({ homeId: HOME_ID, name, config: driver.parseConfig(fields) }),
    /** Writes one plain value. */
    async write(address: AccessoryAddress, value: CharacteristicValue) {
      const [outcome] = await router.write([{ address, iid: IID, value }]);
      return outcome;
    },
    /** What it was described with last, or has reported since. */
    valueOf({ source }: AccessoryAddress): CharacteristicValue | undefined {
      const reported = sink.reports.findLast((report) => report.source === source);
      return reported?.value ?? sink.described.get(source)?.services[0]?.characteristics[0]?.value;
    },
    reportsOf: ({ source }: AccessoryAddress): readonly CharacteristicValue[] =>
      sink.reports.filter((report) => report.source === source).map(({ value }) => value),
    close(): void {
      driver.stop();
      database.close();
    },
  };
}
