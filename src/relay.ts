/**
 * The composition root: builds every part, starts them in order and stops them in reverse. The daemon and the tests come
 * through this one door; `overrides` is the only way to put something else in a part's place.
 */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { Access } from './app/access/authorize.ts';
import { Housekeeping } from './app/housekeeping.ts';
import { AccessoryRegistry } from './app/layout/accessory-registry.ts';
import { LastValues } from './app/layout/last-values.ts';
import { LastValuesStore } from './app/layout/last-values-store.ts';
import { Layout } from './app/layout/layout.ts';
import { LayoutStore } from './app/layout/layout-store.ts';
import { HomeReferences } from './app/layout/references.ts';
import { parseCa } from './app/mqtt/broker-input.ts';
import { pruneOAuth } from './app/oauth/create-oauth.ts';
import { createOperations, type Operations } from './app/operations.ts';
import { loadInstanceId } from './app/settings/instance-id.ts';
import { pruneUsers } from './app/users/create-users.ts';
import { MemberRoles } from './app/users/member-roles.ts';
import { MemberStore } from './app/users/member-store.ts';
import type { Config } from './config/config.ts';
import { Advertiser } from './drivers/discovery/advertiser.ts';
import type { Discovery } from './drivers/discovery/discovery.ts';
import { MdnsDiscovery } from './drivers/discovery/mdns-discovery.ts';
import { MulticastNetwork } from './drivers/discovery/multicast-network.ts';
import { DriverRouter } from './drivers/driver-router.ts';
import { createHapDriver } from './drivers/hap/create-hap-driver.ts';
import { PairingCopy } from './drivers/hap/pairing/pairing-copy.ts';
import { PairingStore } from './drivers/hap/pairing/pairing-store.ts';
import { GuardedSender } from './drivers/http/guarded-sender.ts';
import { MqttJsConnector } from './drivers/mqtt/mqtt-js-connector.ts';
import { createNotificationChannels } from './drivers/notifications/channels.ts';
import { rehearseVirtuals } from './drivers/virtual/rehearsal.ts';
import { VirtualAccessoryDriver } from './drivers/virtual/virtual-driver.ts';
import type { GuardOptions } from './faces/guards.ts';
import { createHttpFace } from './faces/http.ts';
import { lanOrigin } from './faces/lan-origin.ts';
import { LiveRing, type LiveRingLimits } from './faces/live/live-ring.ts';
import { machineHosts } from './faces/own-hosts.ts';
import { HttpServer } from './faces/server.ts';
import { originOfLinks } from './faces/share-url.ts';
import type { HomeEvents } from './home/events.ts';
import { HomeState } from './home/home-state.ts';
import { type Clock, systemClock } from './kernel/clock.ts';
import { EventBus } from './kernel/event-bus.ts';
import { newId } from './kernel/ids.ts';
import { Lifecycle, type Startable } from './kernel/lifecycle.ts';
import { createLogger, type Logger } from './kernel/logger.ts';
import { VERSION } from './kernel/version.ts';
import { WallTimers } from './kernel/wall-timers.ts';
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
const BYTES_PER_MB = 1_000_000;
const MS_PER_MINUTE = 60_000;
/** No timer is punctual to the millisecond: what is this late on a busy machine is not late, however strict the settings. */
const PUNCTUAL_MS = 10_000;

/** What tests may put in a part's place. */
export interface RelayOverrides {
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly discovery?: Discovery;
  readonly pagesDirectory?: string;
  /** How much is kept for streams that are slow or come back. */
  readonly liveLimits?: Partial<LiveRingLimits>;
}

export interface Relay extends Startable {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** An address that reaches it from this machine, once it has started. */
  readonly url: string;
  /** The port of its own for WebSockets, once it has started. */
  readonly wsPort: number;
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
    get wsPort() {
      return requireParts().server.wsPort;
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
  const references = new HomeReferences(state);
  const layout = new Layout({ store: layoutStore, state, references, clock, logger });
  const lastValues = new LastValues({ store: new LastValuesStore(database), bus, clock, logger });
  const registry = new AccessoryRegistry({ store: layoutStore, state, lastValues, clock, logger });

  // The devices.
  const multicast = new MulticastNetwork({ interfaces: config.interfaces, clock, logger });
  const discovery =
    overrides.discovery ?? new MdnsDiscovery({ network: multicast, manual: config.manualDevices, clock, logger });
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
  // Every deadline on the wall clock: of virtual timers and automations alike.
  const timers = new WallTimers({ clock, logger });
  const virtualDriver = new VirtualAccessoryDriver({ database, sink: registry, clock, timers, logger });

  const historyDatabase = new DisposableDatabase({ path: directory.file(HISTORY_DATABASE), clock, logger });

  // What is sent into the network because somebody configured it.
  const ownHosts = machineHosts(clock, () => advertiser.hostName);
  const ownPorts = () => [server.port, server.wsPort];
  const sender = new GuardedSender({
    clock,
    allowLoopback: config.webhooksAllowLoopback,
    publicOnly: config.webhooksPublicOnly,
    ownAddresses: ownHosts,
    ownPorts,
  });

  const memberRoles = new MemberRoles(new MemberStore(database));
  const { operations, loaders, recording, automation, webhooks } = createOperations({
    database,
    layoutStore,
    state,
    references,
    bus,
    access: new Access(memberRoles),
    memberRoles,
    drivers: {
      hap: driver,
      virtual: virtualDriver,
      router: new DriverRouter({ hap: driver, virtual: virtualDriver }),
    },
    rehearseVirtuals,
    timers,
    mqtt: {
      connector: new MqttJsConnector({ clock }),
      configured: config.mqtt && { ...config.mqtt, ca: readCa(config.mqtt.ca) },
      isOurselves: (host, port) => ownPorts().includes(port) && ownHosts().has(host),
    },
    http: sender,
    automations: {
      runsPerMinute: config.automationRunsPerMinute,
      graceMs: Math.max(config.automationLateMinutes * MS_PER_MINUTE, PUNCTUAL_MS),
    },
    notificationChannels: createNotificationChannels(config),
    historyDatabase,
    historyMaxBytes: config.historyMaxMb * BYTES_PER_MB,
    clock,
    logger,
  });

  const housekeeping = new Housekeeping({ clock, logger });
  housekeeping.add('users', () => pruneUsers(operations));
  housekeeping.add('apps', () => pruneOAuth(operations));
  housekeeping.add('shares', () => operations.shares.sweep());
  housekeeping.add('notifications', () => operations.notifications.prune());
  housekeeping.add('webhooks', () => webhooks.prune());
  housekeeping.add('notification preferences', () => operations.notificationPreferences.sweep());

  // The face.
  const instanceId = loadInstanceId(database);
  let ready = false;
  const readiness: Startable = {
    start() {
      ready = true;
      bus.emit('relay.started', { version: VERSION, at: clock.now() });
    },
    stop() {
      ready = false;
    },
  };
  const ownUrl = () => server.url;
  const guards: GuardOptions = {
    ownHosts,
    allowedHosts: config.allowedHosts,
    allowedOrigins: config.allowedOrigins,
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    lanOrigin: lanOrigin({ ownHosts, url: ownUrl }),
    ownUrl,
  };
  const live = new LiveRing({ ...operations, bus, logger }, overrides.liveLimits);
  const face = createHttpFace({
    ...operations,
    bus,
    logger,
    live,
    info: { name: hostname(), version: VERSION, instanceId },
    guards,
    isReady: () => ready,
    pagesDirectory: overrides.pagesDirectory,
  });
  const server = new HttpServer({
    fetch: (request, env) => face.fetch(request, env),
    host: config.host,
    port: config.port,
    wsPort: config.wsPort,
    socketPath: directory.file(SOCKET_FILE),
    tls: config.tls,
    logger,
  });

  // How clients find it.
  const advertiser = new Advertiser({
    network: multicast,
    relay: () => ({
      hostname: hostname(),
      port: server.port,
      wsPort: server.wsPort,
      hasTls: config.tls !== null,
      instanceId,
      version: VERSION,
    }),
    host: config.host,
    clock,
    logger,
  });

  return {
    server,
    fetch: (request) => face.fetch(request),
    inStartOrder: [
      ['deadlines', { start() {}, stop: () => timers.stop() }],
      ['last values', lastValues],
      ['layout', startLayout(layout, pairings)],
      ['members', loaders.members],
      ['zones', loaders.zones],
      ['room groups', loaders.roomGroups],
      ['service groups', loaders.serviceGroups],
      ['scenes', loaders.scenes],
      ['people', loaders.people],
      ['brokers', loaders.brokers],
      ['notifications', loaders.notifications],
      ['history database', historyDatabase],
      ['history settings', recording.settings],
      ['history recorder', recording.recorder],
      ['history keeper', recording.keeper],
      ['outgoing requests', sender],
      ['webhooks', webhooks.deliverer],
      ...Object.entries(automation.startables),
      // After whoever listens: a timer that came due while the daemon was down is finished at once.
      ['virtual accessories', virtualDriver],
      // The face opens before the devices are looked for: a person who asks early is told "Relay not connected", not refused.
      ['server', server],
      ['setup code', { start: () => announceSetup(operations, originOfLinks(guards, ''), logger), stop() {} }],
      ['discovery', discovery],
      ['accessories', driver],
      // Before the devices go: whoever commands over a broker is told that the home is not there.
      ['mqtt', operations.mqttBridge],
      ['housekeeping', housekeeping],
      ['readiness', readiness],
      ...(config.advertise ? [['advertisement', advertiser] as const] : []),
      ['automations at work', { start() {}, stop: () => stopWork(timers, automation.engine) }],
    ],
  };
}

/** Whoever runs a relay that nobody owns yet reads here how to claim it; nobody else reads this. */
function announceSetup({ users, setupCodes }: Operations, origin: string, logger: Logger): void {
  if (users.isClaimed()) return;
  const { code } = setupCodes.renew({ principal: { kind: 'system' }, requestId: newId(), depth: 0 });
  const page = new URL('/setup', origin).href;
  logger.info({}, `Nobody owns this relay yet. Open ${page} and give the setup code ${code}, within ten minutes`);
}

/**
 * Before anything else stops: what comes due from now on is left to the next start, and steps that are under way still have the
 * devices that they act on. Without them they would fail, and their runs end instead of going on later.
 */
async function stopWork(timers: WallTimers, engine: Startable): Promise<void> {
  timers.stop();
  await engine.stop();
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

/** The certificates that the configured broker is trusted by. @throws `invalid_value` */
function readCa(file: string | null): string | null {
  return file === null ? null : parseCa(readFileSync(file, 'utf8'));
}

function closeDatabase(database: Database): void {
  // Leaves one file behind instead of three, and planner statistics for the next start.
  database.pragma('optimize');
  database.close();
}
