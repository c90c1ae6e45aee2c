/**
 * The composition root: creates every module, starts them in order and stops them in reverse. The daemon and the tests
 * both use it; `overrides` is the only way to replace a module.
 */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { GuardOptions } from './api/guards.ts';
import { createHttpApi } from './api/http.ts';
import { lanOrigins } from './api/lan-origin.ts';
import { LiveRing, type LiveRingLimits } from './api/live/live-ring.ts';
import { machineHosts } from './api/own-hosts.ts';
import { HttpServer } from './api/server.ts';
import { originOfLinks } from './api/share-url.ts';
import { Access } from './app/access/authorize.ts';
import { Restorer } from './app/backup/restorer.ts';
import { Housekeeping } from './app/housekeeping.ts';
import { AccessoryRegistry } from './app/layout/accessory-registry.ts';
import { LastReachability } from './app/layout/last-reachability.ts';
import { LastReachabilityStore } from './app/layout/last-reachability-store.ts';
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
const MS_PER_SECOND = 1_000;
const MS_PER_MINUTE = 60_000;
/**
 * Timers are not exact to the millisecond: a delay up to this on a busy machine does not count as late, even with
 * strict settings.
 */
const PUNCTUAL_MS = 10_000;

/** Replacements of modules for tests. */
export interface RelayOverrides {
  readonly clock?: Clock;
  /**
   * Replaces the log that writes to stdout; `logger` replaces only the output and keeps the log's level and last lines.
   */
  readonly log?: Log;
  readonly logger?: Logger;
  readonly discovery?: Discovery;
  readonly pagesDirectory?: string;
  /** Buffer limits for streams that are slow or reconnect. */
  readonly liveLimits?: Partial<LiveRingLimits>;
}

export interface Relay extends Startable {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** A URL that reaches it from this machine, once started. */
  readonly url: string;
  /** The separate port for WebSockets, once started. */
  readonly wsPort: number;
  /** Resolves with the error if the relay cannot start again after a restore; it then serves nothing. */
  readonly lost: Promise<unknown>;
  /** Answers a request as the HTTP API does, without a network. */
  fetch(request: Request): Promise<Response>;
}

/** Creates a relay, which does nothing before `start`. */
export function createRelay(config: Config, overrides: RelayOverrides = {}): Relay {
  const log = overrides.log ?? createLog({ level: config.logLevel, format: config.logFormat });
  const logger = overrides.logger ?? log.logger;
  const clock = overrides.clock ?? systemClock;
  // The lock on the data directory outlives a restart from a backup; everything else belongs to the home.
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
    for (const problem of problems) logger.warn({ problem }, 'Ignored a stored setting');
    live.follow(({ logLevel }) => {
      log.level = logLevel;
    });
    parts = build({ live, overrides, log, logger, directory, database, backupFolder, restorer });
    for (const [name, part] of parts.inStartOrder) await house.start(name, part);
    // With a random free port, the relay keeps the one that clients know.
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

interface Deps {
  readonly live: LiveConfig;
  readonly overrides: RelayOverrides;
  readonly log: Log;
  readonly logger: Logger;
  readonly directory: DataDirectory;
  readonly database: Database;
  readonly backupFolder: BackupFolder;
  readonly restorer: Restorer;
}

function build(deps: Deps): RelayParts {
  const { live, overrides, log, logger, directory, database, backupFolder, restorer } = deps;
  const clock = overrides.clock ?? systemClock;
  /** The configuration at start: only for values that do not change at run time. */
  const config = live.current;

  // The home, in memory and in SQLite.
  const bus = new EventBus<HomeEvents>(logger);
  const state = new HomeState(bus, clock);
  const layoutStore = new LayoutStore(database);
  const references = new HomeReferences(state);
  const lastReachability = new LastReachability({
    store: new LastReachabilityStore(database),
    ...{ state, bus, clock, logger },
  });
  const layout = new Layout({ store: layoutStore, state, references, lastReachability, clock, logger });
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
  // All wall-clock deadlines: of virtual timers and automations.
  const timers = new WallTimers({ clock, logger });
  const virtualDriver = new VirtualAccessoryDriver({ database, sink: registry, clock, timers, logger });

  const historyDatabase = new DisposableDatabase({ path: directory.file(HISTORY_DATABASE), clock, logger });

  // Outgoing network connections that users configure.
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
  const lanAll = lanOrigins({ ownHosts, url: () => server.url });
  const lan = (): string | undefined => lanAll()[0];
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
  const { operations, loaders, recording, automation, webhooks, announcements, accessUpkeep, makers } =
    createOperations({
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
        configured: live.derive(
          ({ mqtt }) => mqtt && { ...mqtt, ca: mqtt.ca && parseCa(readFileSync(mqtt.ca, 'utf8')) },
        ),
        isOurselves: (host, port) => ownPorts().includes(port) && ownHosts().has(host),
      },
      http: sender,
      automations: {
        runsPerMinute: () => live.current.automationRunsPerMinute,
        graceMs: () => Math.max(live.current.automationLateMinutes * MS_PER_MINUTE, PUNCTUAL_MS),
      },
      notificationChannels: live.derive(createNotificationChannels),
      refreshGraceMs: () => live.current.oauthRefreshGraceSeconds * MS_PER_SECOND,
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

  // The API.
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
    lanOrigins: lanAll,
    ownUrl,
  };
  const ring = new LiveRing({ ...operations, bus, logger }, overrides.liveLimits);
  const api = createHttpApi({
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
    fetch: (request, env) => api.fetch(request, env),
    host: config.host,
    port: config.port,
    wsPort: config.wsPort,
    socketPath: directory.file(SOCKET_FILE),
    tls: config.tls,
    logger,
  });

  // Advertising to clients.
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
    advertisement
      .follow()
      .catch((error: unknown) => logger.error({ error: messageOf(error) }, 'Could not advertise the relay'));
    if (now.historyMaxMb !== before.historyMaxMb) void recording.keeper.run();
  });

  return {
    server,
    fetch: (request) => api.fetch(request),
    inStartOrder: [
      ['deadlines', { start() {}, stop: () => timers.stop() }],
      ['last values', lastValues],
      ['last reachability', lastReachability],
      ['layout', startLayout(layout, pairings)],
      ['members', loaders.members],
      ['access upkeep', accessUpkeep],
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
      // After its listeners: a timer that came due while the daemon was down finishes at once.
      ['virtual accessories', virtualDriver],
      // The API starts before device discovery: an early request gets "Relay not connected" instead of a refused
      // connection.
      ['server', server],
      ['setup code', { start: () => announceSetup(operations, originOfLinks(guards, ''), logger), stop() {} }],
      ['discovery', discovery],
      ['accessories', driver],
      // Stops before the devices: broker clients learn that the home is offline.
      ['mqtt', operations.mqttBridge],
      ['housekeeping', housekeeping],
      ['readiness', readiness],
      ['advertisement', advertisement],
      ['announcements', announcements],
      // After everything that it may stop.
      ['makers', makers],
      ['automations at work', { start() {}, stop: () => stopWork(timers, automation.engine) }],
    ],
  };
}

/**
 * Runs before anything else stops. Work that comes due from now on is left to the next start. Steps in progress still
 * have their devices; without them they would fail, and their runs would end instead of continuing later.
 */
async function stopWork(timers: WallTimers, engine: Startable): Promise<void> {
  timers.stop();
  await engine.stop();
}

/** Restores homes that only the second copy of the pairings contains, before the layout creates a first one. */
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
  // Leaves one file instead of three, and planner statistics for the next start.
  database.pragma('optimize');
  database.close();
}
