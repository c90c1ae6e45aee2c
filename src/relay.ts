/**
 * The composition root: builds every part, starts them in order and stops them in reverse. The daemon and the tests come
 * through this one door; `overrides` is the only way to put something else in a part's place.
 */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { Access } from './app/access/authorize.ts';
import { Restorer } from './app/backup/restorer.ts';
import { Housekeeping } from './app/housekeeping.ts';
import { AccessoryRegistry } from './app/layout/accessory-registry.ts';
import { LastValues } from './app/layout/last-values.ts';
import { LastValuesStore } from './app/layout/last-values-store.ts';
import { Layout } from './app/layout/layout.ts';
import { LayoutStore } from './app/layout/layout-store.ts';
import { HomeReferences } from './app/layout/references.ts';
import { parseCa } from './app/mqtt/broker-input.ts';
import { pruneOAuth } from './app/oauth/create-oauth.ts';
import { createOperations } from './app/operations.ts';
import { readFacts } from './app/relay-status/read-facts.ts';
import { loadInstanceId } from './app/settings/instance-id.ts';
import { RelaySettingStore } from './app/settings/relay-setting-store.ts';
import { announceSetup } from './app/users/announce-setup.ts';
import { pruneUsers } from './app/users/create-users.ts';
import { MemberRoles } from './app/users/member-roles.ts';
import { MemberStore } from './app/users/member-store.ts';
import type { Config } from './config/config.ts';
import { LiveConfig } from './config/live-config.ts';
import { Advertiser } from './drivers/discovery/advertiser.ts';
import { ConfiguredDevices } from './drivers/discovery/configured-devices.ts';
import type { Discovery } from './drivers/discovery/discovery.ts';
import { MdnsDiscovery } from './drivers/discovery/mdns-discovery.ts';
import { MulticastNetwork } from './drivers/discovery/multicast-network.ts';
import { DriverRouter } from './drivers/driver-router.ts';
import { createHapDriver } from './drivers/hap/create-hap-driver.ts';
import { ManualDevicesStore } from './drivers/hap/manual-devices-store.ts';
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
import { messageOf } from './kernel/errors.ts';
import { EventBus } from './kernel/event-bus.ts';
import { Lifecycle, type Startable } from './kernel/lifecycle.ts';
import { createLog, type Log, type Logger } from './kernel/logger.ts';
import { Switched } from './kernel/switched.ts';
import { VERSION } from './kernel/version.ts';
import { WallTimers } from './kernel/wall-timers.ts';
import { BackupFolder } from './storage/backups/backup-folder.ts';
import { NightlySnapshots } from './storage/backups/nightly-snapshots.ts';
import {
  type DataDirectory,
  HISTORY_DATABASE,
  openDataDirectory,
  RELAY_DATABASE,
  SOCKET_FILE,
} from './storage/data-directory.ts';
import type { Database } from './storage/database.ts';
import { DisposableDatabase } from './storage/disposable-database.ts';
import { openOrRestore } from './storage/recovery.ts';

const PAIRINGS_FILE = 'pairings.json';
const BYTES_PER_MB = 1_000_000;
const MS_PER_MINUTE = 60_000;
/** No timer is punctual to the millisecond: what is this late on a busy machine is not late, however strict the settings. */
const PUNCTUAL_MS = 10_000;

/** What tests may put in a part's place. */
export interface RelayOverrides {
  readonly clock?: Clock;
  /** In the place of one that writes to stdout; `logger` takes what it would write, and leaves its level and its last lines alone. */
  readonly log?: Log;
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
  /** Resolves with the reason if it could not start again after a restore, and serves nothing any more. */
  readonly lost: Promise<unknown>;
  /** Answers a request as the network face would, without a network. */
  fetch(request: Request): Promise<Response>;
}

/** Makes a relay that does nothing before `start`. */
export function createRelay(config: Config, overrides: RelayOverrides = {}): Relay {
  const log = overrides.log ?? createLog({ level: config.logLevel, format: config.logFormat });
  const logger = overrides.logger ?? log.logger;
  const clock = overrides.clock ?? systemClock;
  // The lock on the data directory outlives a restart into a backup; all the rest is the house.
  const ground = new Lifecycle(logger);
  const house = new Lifecycle(logger);
  let ports = { port: config.port, wsPort: config.wsPort };
  let parts: RelayParts | undefined;
  let restorer: Restorer | undefined;
  const started = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('The relay has not been started');
    return part;
  };
  const startHouse = async (directory: DataDirectory, restorer: Restorer): Promise<void> => {
    const database = openOrRestore(directory.file(RELAY_DATABASE), logger);
    await house.start('database', { start() {}, stop: () => closeDatabase(database) });
    const backupFolder = new BackupFolder(directory.file(RELAY_DATABASE));
    await house.start('nightly snapshots', new NightlySnapshots({ database, folder: backupFolder, clock, logger }));
    const live = new LiveConfig({ ...config, ...ports });
    const problems = live.restore(new RelaySettingStore(database).load());
    for (const problem of problems) logger.warn({ problem }, 'A setting made while the daemon ran is left out');
    live.follow(({ logLevel }) => {
      log.level = logLevel;
    });
    parts = build({ live, overrides, log, logger, directory, database, backupFolder, restorer });
    for (const [name, part] of parts.inStartOrder) await house.start(name, part);
    // Where any free port would do, it stays the one that clients know.
    ports = { port: parts.server.port, wsPort: parts.server.wsPort };
  };
  return {
    async start() {
      const directory = openDataDirectory(config.dataDir);
      await ground.start('data directory', { start() {}, stop: () => directory.close() });
      const again: Restorer = new Restorer({
        ...{ path: directory.file(RELAY_DATABASE), clock, logger },
        stopHouse: () => house.stop(),
        startHouse: () => startHouse(directory, again),
      });
      restorer = again;
      restorer.sweep();
      await startHouse(directory, restorer);
    },
    async stop() {
      await restorer?.settled();
      await house.stop();
      await ground.stop();
    },
    get lost() {
      return started(restorer).lost;
    },
    get url() {
      return started(parts).server.url;
    },
    get wsPort() {
      return started(parts).server.wsPort;
    },
    fetch: async (request) => started(parts).fetch(request),
  };
}

interface RelayParts {
  readonly server: HttpServer;
  readonly fetch: (request: Request) => Response | Promise<Response>;
  readonly inStartOrder: readonly (readonly [name: string, part: Startable])[];
}

interface Ground {
  readonly live: LiveConfig;
  readonly overrides: RelayOverrides;
  readonly log: Log;
  readonly logger: Logger;
  readonly directory: DataDirectory;
  readonly database: Database;
  readonly backupFolder: BackupFolder;
  readonly restorer: Restorer;
}

function build(ground: Ground): RelayParts {
  const { live, overrides, log, logger, directory, database, backupFolder, restorer } = ground;
  const clock = overrides.clock ?? systemClock;
  /** As it was at the start: only for what holds until the end. */
  const config = live.current;

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
  const manualDevices = new ManualDevicesStore(database);
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
    get allowLoopback() {
      return live.current.webhooksAllowLoopback;
    },
    get publicOnly() {
      return live.current.webhooksPublicOnly;
    },
    ownAddresses: ownHosts,
    ownPorts,
  });

  const memberRoles = new MemberRoles(new MemberStore(database));
  const instanceId = loadInstanceId(database);
  const info = { name: hostname(), version: VERSION, instanceId };
  const lan = lanOrigin({ ownHosts, url: () => server.url });
  const facts = readFacts({
    info,
    clock,
    dataDirectory: config.dataDir,
    config: () => live.current,
    server: () => server,
    lanOrigin: lan,
    advertisedAs: () => advertiser.hostName,
    links: () => multicast.links(),
    settingProblems: () => live.problems,
  });
  const { operations, loaders, recording, automation, webhooks, announcements } = createOperations({
    database,
    backupFolder,
    restorer,
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
      configured: live.derive(({ mqtt }) => mqtt && { ...mqtt, ca: mqtt.ca && parseCa(readFileSync(mqtt.ca, 'utf8')) }),
      isOurselves: (host, port) => ownPorts().includes(port) && ownHosts().has(host),
    },
    http: sender,
    automations: {
      runsPerMinute: () => live.current.automationRunsPerMinute,
      graceMs: () => Math.max(live.current.automationLateMinutes * MS_PER_MINUTE, PUNCTUAL_MS),
    },
    notificationChannels: live.derive(createNotificationChannels),
    historyDatabase,
    relay: { settings: live, logs: log.ring, facts },
    historyMaxBytes: () => live.current.historyMaxMb * BYTES_PER_MB,
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
    get allowedHosts() {
      return live.current.allowedHosts;
    },
    get allowedOrigins() {
      return live.current.allowedOrigins;
    },
    get publicUrl() {
      return live.current.publicUrl;
    },
    get trustedProxies() {
      return live.current.trustedProxies;
    },
    lanOrigin: lan,
    ownUrl,
  };
  const ring = new LiveRing({ ...operations, bus, logger }, overrides.liveLimits);
  const face = createHttpFace({
    ...operations,
    bus,
    logger,
    live: ring,
    info,
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

  const configured = config.manualDevices;
  const configuredDevices = new ConfiguredDevices({ discovery, configured, entered: () => manualDevices.list() });
  const advertisement = new Switched(advertiser, () => live.current.advertise);
  live.onChange((now, before) => {
    if (now.mqtt !== before.mqtt) operations.brokers.reconfigure();
    configuredDevices.follow(now.manualDevices);
    advertisement.follow().catch((error: unknown) => logger.error({ error: messageOf(error) }, 'Not advertised'));
    if (now.historyMaxMb !== before.historyMaxMb) void recording.keeper.run();
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
      ['advertisement', advertisement],
      ['announcements', announcements],
      ['automations at work', { start() {}, stop: () => stopWork(timers, automation.engine) }],
    ],
  };
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

function closeDatabase(database: Database): void {
  // Leaves one file behind instead of three, and planner statistics for the next start.
  database.pragma('optimize');
  database.close();
}
