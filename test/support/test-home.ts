/**
 * A whole home below the faces: real stores on SQLite (`:memory:` unless told otherwise), real operations, the fake driver
 * and a clock that the test moves. `sample: true` fills it with a few accessories in two rooms.
 */
import { AccessTokenStore } from '../../src/app/access/access-token-store.ts';
import { AccessTokens } from '../../src/app/access/access-tokens.ts';
import { Access, NO_USERS, type RoleSource } from '../../src/app/access/authorize.ts';
import type { Caller, HomePermissions, Principal } from '../../src/app/access/caller.ts';
import { Control } from '../../src/app/control/control.ts';
import { CollectionStore } from '../../src/app/groups/collection-store.ts';
import { Collections } from '../../src/app/groups/collections.ts';
import { GroupsLoader } from '../../src/app/groups/groups-loader.ts';
import { RoomGroups } from '../../src/app/groups/room-groups.ts';
import { RoomSetStore } from '../../src/app/groups/room-set-store.ts';
import { ServiceGroupStore } from '../../src/app/groups/service-group-store.ts';
import { ServiceGroups } from '../../src/app/groups/service-groups.ts';
import { Zones } from '../../src/app/groups/zones.ts';
import { History } from '../../src/app/history/history.ts';
import { HistorySettings } from '../../src/app/history/history-settings.ts';
import { HistorySettingsStore } from '../../src/app/history/history-settings-store.ts';
import { HistoryStore } from '../../src/app/history/history-store.ts';
import { HistoryRecorder } from '../../src/app/history/recorder.ts';
import { Rollups } from '../../src/app/history/rollups.ts';
import { Accessories } from '../../src/app/layout/accessories.ts';
import { AccessoryRegistry } from '../../src/app/layout/accessory-registry.ts';
import { Homes } from '../../src/app/layout/homes.ts';
import { LastValues } from '../../src/app/layout/last-values.ts';
import { LastValuesStore } from '../../src/app/layout/last-values-store.ts';
import { Layout } from '../../src/app/layout/layout.ts';
import { LayoutStore } from '../../src/app/layout/layout-store.ts';
import { HomeReferences } from '../../src/app/layout/references.ts';
import { Rooms } from '../../src/app/layout/rooms.ts';
import { Pairings } from '../../src/app/pairings/pairings.ts';
import { SceneStore } from '../../src/app/scenes/scene-store.ts';
import { Scenes } from '../../src/app/scenes/scenes.ts';
import { VirtualAccessories } from '../../src/app/virtual-accessories/virtual-accessories.ts';
import { DriverRouter } from '../../src/drivers/driver-router.ts';
import { VirtualAccessoryDriver } from '../../src/drivers/virtual/virtual-driver.ts';
import type { HomeEvents } from '../../src/home/events.ts';
import { HomeState } from '../../src/home/home-state.ts';
import type { Accessory, Home } from '../../src/home/model.ts';
import { EventBus } from '../../src/kernel/event-bus.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { type Database, openDatabase } from '../../src/storage/database.ts';
import { DisposableDatabase } from '../../src/storage/disposable-database.ts';
import { type FakeDevice, FakeDriver } from './fake-driver.ts';
import { button, doorLock, lamp, motionSensor, plainSwitch, thermostat } from './sample-accessories.ts';
import { TestClock } from './test-clock.ts';

export interface TestHomeOptions {
  /** A file, to open the same home again; `:memory:` if left out. */
  readonly path?: string;
  readonly clock?: TestClock;
  readonly roles?: RoleSource;
  /** Whether to fill it with the sample accessories. */
  readonly sample?: boolean;
}

/** What the sample home holds: one device each, and a bridge with two switches. */
export const SAMPLE_DEVICES: readonly FakeDevice[] = [
  { deviceId: '10:00:00:00:00:01', name: 'Lamp', setupCode: '031-45-154', accessories: [lamp('Lamp')] },
  { deviceId: '10:00:00:00:00:02', name: 'Thermostat', setupCode: '031-45-155', accessories: [thermostat()] },
  { deviceId: '10:00:00:00:00:03', name: 'Front Door', setupCode: '031-45-156', accessories: [doorLock()] },
  { deviceId: '10:00:00:00:00:04', name: 'Motion', setupCode: '031-45-157', accessories: [motionSensor()] },
  { deviceId: '10:00:00:00:00:05', name: 'Button', setupCode: '031-45-158', accessories: [button()] },
  {
    deviceId: '10:00:00:00:00:06',
    name: 'Bridge',
    setupCode: '031-45-159',
    accessories: [plainSwitch('Heater', '2'), plainSwitch('Kettle', '18168078900403521793')],
  },
];

export type TestHome = ReturnType<typeof createTestHome>;

/** Builds the home and starts it. `close` stops it as the daemon would; `database.close()` alone is as good as SIGKILL. */
export function createTestHome(options: TestHomeOptions = {}) {
  const clock = options.clock ?? new TestClock();
  const logger = silentLogger;
  const database: Database = openDatabase(options.path ?? ':memory:');
  const bus = new EventBus<HomeEvents>();
  const state = new HomeState(bus, clock);
  const access = new Access(options.roles ?? NO_USERS);
  const store = new LayoutStore(database);
  const layout = new Layout({ store, state, clock, logger });
  const lastValues = new LastValues({ store: new LastValuesStore(database), bus, clock, logger });
  const registry = new AccessoryRegistry({ store, state, lastValues, clock, logger });
  const driver = new FakeDriver(registry, clock);
  const tokens = new AccessTokens({ store: new AccessTokenStore(database), access, state, clock, logger });
  const homes = new Homes({ store, state, access, driver, clock });
  const rooms = new Rooms({ store, state, access, clock });
  const accessories = new Accessories({ store, state, access });
  const virtualDriver = new VirtualAccessoryDriver({ database, sink: registry, clock, logger });
  const references = new HomeReferences(state);
  const virtuals = new VirtualAccessories({ state, access, driver: virtualDriver, accessories, references });
  const control = new Control({ state, access, driver: new DriverRouter({ hap: driver, virtual: virtualDriver }) });
  const historyDatabase = new DisposableDatabase({
    path: options.path === undefined ? ':memory:' : `${options.path}.history`,
    clock,
    logger,
  });
  const historyStore = new HistoryStore(historyDatabase);
  const historySettings = new HistorySettings({
    store: new HistorySettingsStore(database),
    clock,
    maxBytes: 500_000_000,
  });
  const recorded = { store: historyStore, settings: historySettings, state, clock };
  const recorder = new HistoryRecorder({ ...recorded, bus, logger });
  const history = new History({ ...recorded, recorder, access });
  const zoneStore = new RoomSetStore(database, 'zones');
  const roomGroupStore = new RoomSetStore(database, 'roomGroups');
  const serviceGroupStore = new ServiceGroupStore(database);
  const groupsLoader = new GroupsLoader({
    state,
    zones: zoneStore,
    roomGroups: roomGroupStore,
    serviceGroups: serviceGroupStore,
  });
  const zones = new Zones({ store: zoneStore, state, access, clock });
  const roomGroups = new RoomGroups({ store: roomGroupStore, state, access, clock });
  const serviceGroups = new ServiceGroups({
    store: serviceGroupStore,
    layoutStore: store,
    state,
    access,
    control,
    clock,
  });
  const collections = new Collections({ store: new CollectionStore(database), state, access, clock });
  const automationNames = new Map<string, string>();
  const scenes = new Scenes({
    store: new SceneStore(database),
    state,
    access,
    control,
    clock,
    bus,
    automationName: (id) => automationNames.get(id),
  });
  const pairings = new Pairings({ state, access, driver });

  layout.start();
  groupsLoader.start();
  scenes.start();
  lastValues.start();
  for (const part of [historyDatabase, historySettings, recorder]) part.start();
  const home = state.homes()[0] as Home;
  for (const { id } of state.homes()) registry.setConnected(id, true);
  virtualDriver.start();
  if (options.sample) {
    for (const device of SAMPLE_DEVICES) driver.attach(home.id, device);
    if (state.rooms(home.id).length === 1) furnish();
  }

  function furnish(): void {
    const livingRoom = rooms.create(systemCaller, { homeId: home.id, name: 'Living Room' });
    for (const name of ['Lamp', 'Thermostat', 'Motion']) {
      accessories.update(systemCaller, named(name).id, { roomId: livingRoom.id });
    }
  }

  /** The accessory of this name. */
  function named(name: string): Accessory {
    const found = state.accessories().find((accessory) => accessory.name === name);
    if (!found) throw new Error(`There is no accessory named ${name}`);
    return found;
  }

  return {
    clock,
    database,
    bus,
    state,
    access,
    layout,
    lastValues,
    registry,
    driver,
    tokens,
    homes,
    rooms,
    accessories,
    virtualDriver,
    virtuals,
    control,
    zones,
    roomGroups,
    serviceGroups,
    collections,
    history,
    historyStore,
    recorder,
    rollups: new Rollups(recorded),
    scenes,
    /** What automations are called, by id. */
    automationNames,
    pairings,
    /** The first home. */
    home,
    named,
    close(): void {
      virtualDriver.stop();
      recorder.stop();
      historyDatabase.stop();
      lastValues.stop();
      layout.stop();
      database.close();
    },
  };
}

export function callerOf(principal: Principal): Caller {
  return { principal, requestId: 'test', depth: 0 };
}

export const systemCaller: Caller = callerOf({ kind: 'system' });

/** A caller with a token made by the CLI, limited to these homes. */
export function tokenCaller(homePermissions: HomePermissions = null): Caller {
  return callerOf({ kind: 'access_token', tokenId: 'test-token', homePermissions, makerId: null });
}

export function userCaller(userId: string): Caller {
  return callerOf({ kind: 'user', userId });
}
