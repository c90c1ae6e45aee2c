/**
 * The composition root: builds every part, starts them in order and stops them in reverse. The daemon and the tests come
 * through this one door; `overrides` is the only way to put something else in a part's place.
 */
import { hostname } from 'node:os';
import { AccessTokenStore } from './app/access/access-token-store.ts';
import { AccessTokens } from './app/access/access-tokens.ts';
import { Access, NO_USERS } from './app/access/authorize.ts';
import { Control } from './app/control/control.ts';
import { CollectionStore } from './app/groups/collection-store.ts';
import { Collections } from './app/groups/collections.ts';
import { GroupsLoader } from './app/groups/groups-loader.ts';
import { RoomGroups } from './app/groups/room-groups.ts';
import { RoomSetStore } from './app/groups/room-set-store.ts';
import { ServiceGroupStore } from './app/groups/service-group-store.ts';
import { ServiceGroups } from './app/groups/service-groups.ts';
import { Zones } from './app/groups/zones.ts';
import { History } from './app/history/history.ts';
import { HistorySettings } from './app/history/history-settings.ts';
import { HistorySettingsStore } from './app/history/history-settings-store.ts';
import { HistoryStore } from './app/history/history-store.ts';
import { HistoryRecorder } from './app/history/recorder.ts';
import { HistoryKeeper } from './app/history/retention.ts';
import { Rollups } from './app/history/rollups.ts';
import { Accessories } from './app/layout/accessories.ts';
import { AccessoryRegistry } from './app/layout/accessory-registry.ts';
import { Homes } from './app/layout/homes.ts';
import { LastValues } from './app/layout/last-values.ts';
import { LastValuesStore } from './app/layout/last-values-store.ts';
import { Layout } from './app/layout/layout.ts';
import { LayoutStore } from './app/layout/layout-store.ts';
import { HomeReferences } from './app/layout/references.ts';
import { Rooms } from './app/layout/rooms.ts';
import { Pairings } from './app/pairings/pairings.ts';
import { SceneStore } from './app/scenes/scene-store.ts';
import { Scenes } from './app/scenes/scenes.ts';
import { loadInstanceId } from './app/settings/instance-id.ts';
import { VirtualAccessories } from './app/virtual-accessories/virtual-accessories.ts';
import type { Config } from './config/config.ts';
import type { Discovery } from './drivers/discovery/discovery.ts';
import { MdnsDiscovery } from './drivers/discovery/mdns-discovery.ts';
import { DriverRouter } from './drivers/driver-router.ts';
import { createHapDriver } from './drivers/hap/create-hap-driver.ts';
import { PairingCopy } from './drivers/hap/pairing/pairing-copy.ts';
import { PairingStore } from './drivers/hap/pairing/pairing-store.ts';
import { VirtualAccessoryDriver } from './drivers/virtual/virtual-driver.ts';
import { createHttpFace } from './faces/http.ts';
import { machineHosts } from './faces/own-hosts.ts';
import { HttpServer } from './faces/server.ts';
import type { HomeEvents } from './home/events.ts';
import { HomeState } from './home/home-state.ts';
import { type Clock, systemClock } from './kernel/clock.ts';
import { EventBus } from './kernel/event-bus.ts';
import { Lifecycle, type Startable } from './kernel/lifecycle.ts';
import { createLogger, type Logger } from './kernel/logger.ts';
import { VERSION } from './kernel/version.ts';
import {
  type DataDirectory,
  HISTORY_DATABASE,
  openDataDirectory,
  RELAY_DATABASE,
  SOCKET_FILE,
} from './storage/data-directory.ts';
import type { Database } from './storage/database.ts';
import { DisposableDatabase } from './storage/disposable-database.ts';
import { DailyCopy, openOrRestore } from './storage/recovery.ts';

const PAIRINGS_FILE = 'pairings.json';

/** What tests may put in a part's place. */
export interface RelayOverrides {
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly discovery?: Discovery;
  readonly pagesDirectory?: string;
}

export interface Relay extends Startable {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** An address that reaches it from this machine, once it has started. */
  readonly url: string;
  /** Answers a request as the network face would, without a network. */
  fetch(request: Request): Promise<Response>;
}

/** Makes a relay that does nothing before `start`. */
export function createRelay(config: Config, overrides: RelayOverrides = {}): Relay {
  const logger = overrides.logger ?? createLogger({ level: config.logLevel, format: config.logFormat });
  const lifecycle = new Lifecycle(logger);
  let parts: RelayParts | undefined;
  const requireParts = (): RelayParts => {
    if (!parts) throw new Error('The relay has not been started');
    return parts;
  };
  return {
    async start() {
      const directory = openDataDirectory(config.dataDir);
      await lifecycle.start('data directory', { start() {}, stop: () => directory.close() });
      const path = directory.file(RELAY_DATABASE);
      const database = openOrRestore(path, logger);
      await lifecycle.start('database', { start() {}, stop: () => closeDatabase(database) });
      const clock = overrides.clock ?? systemClock;
      await lifecycle.start('daily copy', new DailyCopy({ database, path, clock, logger }));
      parts = build({ config, overrides, logger, directory, database });
      for (const [name, part] of parts.inStartOrder) await lifecycle.start(name, part);
    },
    stop: () => lifecycle.stop(),
    get url() {
      return requireParts().server.url;
    },
    fetch: async (request) => requireParts().fetch(request),
  };
}

interface RelayParts {
  readonly server: HttpServer;
  readonly fetch: (request: Request) => Response | Promise<Response>;
  readonly inStartOrder: readonly (readonly [name: string, part: Startable])[];
}

interface Ground {
  readonly config: Config;
  readonly overrides: RelayOverrides;
  readonly logger: Logger;
  readonly directory: DataDirectory;
  readonly database: Database;
}

function build({ config, overrides, logger, directory, database }: Ground): RelayParts {
  const clock = overrides.clock ?? systemClock;

  // The home, in memory and in SQLite.
  const bus = new EventBus<HomeEvents>(logger);
  const state = new HomeState(bus, clock);
  const layoutStore = new LayoutStore(database);
  const layout = new Layout({ store: layoutStore, state, clock, logger });
  const lastValues = new LastValues({ store: new LastValuesStore(database), bus, clock, logger });
  const registry = new AccessoryRegistry({ store: layoutStore, state, lastValues, clock, logger });

  // The devices.
  const discovery =
    overrides.discovery ??
    new MdnsDiscovery({ interfaces: config.interfaces, manual: config.manualDevices, clock, logger });
  const pairings = new PairingStore(database, new PairingCopy(directory.file(PAIRINGS_FILE)), logger);
  const driver = createHapDriver({
    database,
    discovery,
    pairings,
    sink: registry,
    clock,
    logger,
    homes: () => state.homes(),
  });
  const virtualDriver = new VirtualAccessoryDriver({ database, sink: registry, clock, logger });

  // The operations.
  const access = new Access(NO_USERS);
  const tokens = new AccessTokens({ store: new AccessTokenStore(database), access, state, clock, logger });
  const control = new Control({ state, access, driver: new DriverRouter({ hap: driver, virtual: virtualDriver }) });
  const scenes = new Scenes({
    store: new SceneStore(database),
    state,
    access,
    control,
    clock,
    bus,
    automationName: () => undefined,
  });
  const homes = new Homes({ store: layoutStore, state, access, driver, clock });
  const rooms = new Rooms({ store: layoutStore, state, access, clock });
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
    layoutStore,
    state,
    access,
    control,
    clock,
  });
  const collections = new Collections({ store: new CollectionStore(database), state, access, clock });
  const accessories = new Accessories({ store: layoutStore, state, access });
  const references = new HomeReferences(state);
  const virtuals = new VirtualAccessories({ state, access, driver: virtualDriver, accessories, references });

  // The history listens to all of the above and is called by none of it.
  const historyDatabase = new DisposableDatabase({ path: directory.file(HISTORY_DATABASE), clock, logger });
  const historyStore = new HistoryStore(historyDatabase);
  const historySettings = new HistorySettings({
    store: new HistorySettingsStore(database),
    clock,
    maxBytes: config.historyMaxMb * 1_000_000,
  });
  const recorded = { store: historyStore, settings: historySettings, state, clock };
  const recorder = new HistoryRecorder({ ...recorded, bus, logger });
  const keeper = new HistoryKeeper({ ...recorded, rollups: new Rollups(recorded), logger });
  const history = new History({ ...recorded, recorder, access });

  // The face.
  let ready = false;
  const readiness: Startable = {
    start() {
      ready = true;
    },
    stop() {
      ready = false;
    },
  };
  const face = createHttpFace({
    state,
    access,
    tokens,
    homes,
    rooms,
    accessories,
    virtuals,
    control,
    serviceGroups,
    zones,
    roomGroups,
    collections,
    history,
    pairings: new Pairings({ state, access, driver }),
    clock,
    logger,
    scenes,
    sceneNames: (homeId) => scenes.namesIn(homeId),
    info: { name: hostname(), version: VERSION, instanceId: loadInstanceId(database) },
    guards: {
      ownHosts: machineHosts(clock),
      allowedHosts: config.allowedHosts,
      allowedOrigins: config.allowedOrigins,
      publicUrl: config.publicUrl,
      trustedProxies: config.trustedProxies,
    },
    isReady: () => ready,
    pagesDirectory: overrides.pagesDirectory,
  });
  const server = new HttpServer({
    fetch: (request, env) => face.fetch(request, env),
    host: config.host,
    port: config.port,
    socketPath: directory.file(SOCKET_FILE),
    tls: config.tls,
    logger,
  });

  return {
    server,
    fetch: (request) => face.fetch(request),
    inStartOrder: [
      ['last values', lastValues],
      ['layout', startLayout(layout, pairings)],
      ['groups', groupsLoader],
      ['scenes', scenes],
      ['history database', historyDatabase],
      ['history settings', historySettings],
      ['history recorder', recorder],
      ['history keeper', keeper],
      // After whoever listens: a timer that came due while the daemon was down is finished at once.
      ['virtual accessories', virtualDriver],
      // The face opens before the devices are looked for: a person who asks early is told "Relay not connected", not refused.
      ['server', server],
      ['discovery', discovery],
      ['accessories', driver],
      ['readiness', readiness],
    ],
  };
}

/** Homes that only the second copy of the pairings still knows come back before the layout makes a first one. */
function startLayout(layout: Layout, pairings: PairingStore): Startable {
  return {
    start() {
      for (const { id, name } of pairings.homesToRestore()) layout.restoreHome(id, name);
      layout.start();
      pairings.open();
    },
    stop: () => layout.stop(),
  };
}

function closeDatabase(database: Database): void {
  // Leaves one file behind instead of three, and planner statistics for the next start.
  database.pragma('optimize');
  database.close();
}
