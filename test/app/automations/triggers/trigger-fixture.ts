/**
 * A home with everything that triggers watch with, each part a real one, and a way to watch a trigger and see what it
 * reports. `kill` and a second fixture on the same file and clock are a restart of the daemon.
 */
import { AutomationEvents } from '../../../../src/app/automations/automation-events.ts';
import { Causes } from '../../../../src/app/automations/causes.ts';
import { ChangeLog } from '../../../../src/app/automations/change-log.ts';
import { Expressions } from '../../../../src/app/automations/expressions/expressions.ts';
import { ScheduledFirings } from '../../../../src/app/automations/scheduled-firings.ts';
import type { Cause, ExpressionScope } from '../../../../src/app/automations/scope.ts';
import { AccessoryEvents } from '../../../../src/app/automations/triggers/accessory-events.ts';
import { HoldStore } from '../../../../src/app/automations/triggers/hold-store.ts';
import type { FiringData } from '../../../../src/app/automations/triggers/holding.ts';
import type { Trigger } from '../../../../src/app/automations/triggers/index.ts';
import { watchTrigger } from '../../../../src/app/automations/triggers/index.ts';
import type { TriggerDeps } from '../../../../src/app/automations/triggers/trigger-kind.ts';
import type { HomeEvents } from '../../../../src/home/events.ts';
import type { Presence } from '../../../../src/home/presence.ts';
import { type Logger, silentLogger } from '../../../../src/kernel/logger.ts';
import type { FakeDevice } from '../../../support/fake-driver.ts';
import { TestClock } from '../../../support/test-clock.ts';
import { createTestHome, type TestHomeOptions } from '../../../support/test-home.ts';

/** The default of the daemon's setting. */
export const GRACE_MS = 5 * 60_000;

export interface Firing {
  readonly data: FiringData;
  readonly cause: Cause | undefined;
  /** Whether it fired in a transaction, of which a run would be part. */
  readonly durable: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export type TriggerFixture = ReturnType<typeof createTriggerFixture>;

type People = ReturnType<Presence['people']>;

/** Distributes over the union of triggers, which `Omit` would flatten. */
export type Unnamed = Trigger extends infer T ? (T extends Trigger ? Omit<T, 'id' | 'enabled'> : never) : never;

export function createTriggerFixture(options: TestHomeOptions & { readonly logger?: Logger } = {}) {
  const clock = options.clock ?? new TestClock();
  const home = createTestHome({ sample: true, ...options, clock });
  const { bus, state, database } = home;
  const logger = options.logger ?? silentLogger;
  const { timers } = home;
  const causes = new Causes({ clock });
  const changes = new ChangeLog({ bus, state, causes, clock });
  changes.start();
  let people: People = [];
  const timerOf = (accessoryId: string) => {
    const accessory = state.accessory(accessoryId);
    return accessory && home.virtualDriver.timerOf(accessory.address);
  };
  let triggerDeps: TriggerDeps = {
    state,
    presence: { people: () => people },
    bus,
    accessoryEvents: new AccessoryEvents({ bus, logger }),
    events: new AutomationEvents(logger),
    causes,
    expressions: new Expressions({ state, clock, changes, timerOf }),
    timers,
    slots: new ScheduledFirings({ database, timers, graceMs: () => GRACE_MS }),
    holds: new HoldStore(database, logger),
    clock,
    graceMs: () => GRACE_MS,
    logger,
  };

  /** Watches; what fires and what was missed is collected. */
  function watch(trigger: Unnamed, key = 'automation/trigger', since = clock.now(), scope?: () => ExpressionScope) {
    const fired: Firing[] = [];
    const missed: number[] = [];
    const stop = watchTrigger({ id: 'trigger', enabled: true, ...trigger } as Trigger, {
      key,
      homeId: home.home.id,
      since,
      triggerDeps,
      ...(scope && { scope }),
      fire: (data, from) => fired.push({ data, cause: from?.cause, durable: database.inTransaction, at: clock.now() }),
      missed: (dueAt) => missed.push(dueAt),
    });
    return { fired, missed, stop };
  }

  return {
    ...home,
    get triggerDeps(): TriggerDeps {
      return triggerDeps;
    },
    get holds(): HoldStore {
      return triggerDeps.holds;
    },
    timerOf,
    watch,
    setPeople(next: People): void {
      people = next;
    },
    /** Reads what holds from the database, as after a restart: what was only in memory is gone. */
    forgetHolds(): void {
      triggerDeps = { ...triggerDeps, holds: new HoldStore(database, logger) };
    },
    /** As the last act of the event loop's turn: what a turn began to hold is on the disk after it. */
    kill(): void {
      triggerDeps.holds.flush();
      timers.stop();
      database.close();
    },
    /** A device of the sample home does something by itself. */
    report(deviceId: string, iid: string, value: boolean | number | string): void {
      home.driver.event(deviceId, '1', iid, value);
    },
    attach(device: FakeDevice): void {
      home.driver.attach(home.home.id, device);
    },
  };
}

/** Counts who listens on the bus of a home: what is subscribed and not ended again. */
export function countListeners(fixture: TriggerFixture): () => number {
  let count = 0;
  const { bus } = fixture;
  const on = bus.on.bind(bus);
  bus.on = <K extends keyof HomeEvents>(name: K, listener: (event: HomeEvents[K]) => void) => {
    const end = on(name, listener);
    let isOver = false;
    count += 1;
    return () => {
      if (!isOver) count -= 1;
      isOver = true;
      end();
    };
  };
  return () => count;
}

export const LAMP = '10:00:00:00:00:01';
export const THERMOSTAT = '10:00:00:00:00:02';
export const MOTION = '10:00:00:00:00:04';
export const BUTTON = '10:00:00:00:00:05';
