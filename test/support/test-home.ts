/**
 * A whole home below the APIs: real stores on SQLite (`:memory:` by default), real operations, the fake driver and a
 * clock that the test moves. `sample: true` fills it with a few accessories in two rooms.
 */
import { Access, type RoleSource } from '../../src/app/access/authorize.ts';
import type { Caller, HomePermissions, Principal } from '../../src/app/access/caller.ts';
import type { SecureServer } from '../../src/app/https/certificate-keeper.ts';
import { AccessoryRegistry } from '../../src/app/layout/accessory-registry.ts';
import { LastReachability } from '../../src/app/layout/last-reachability.ts';
import { LastReachabilityStore } from '../../src/app/layout/last-reachability-store.ts';
import { LastValues } from '../../src/app/layout/last-values.ts';
import { LastValuesStore } from '../../src/app/layout/last-values-store.ts';
import { Layout } from '../../src/app/layout/layout.ts';
import { LayoutStore } from '../../src/app/layout/layout-store.ts';
import { HomeReferences } from '../../src/app/layout/references.ts';
import type { ConfiguredBroker } from '../../src/app/mqtt/broker.ts';
import { createOperations } from '../../src/app/operations.ts';
import type { RelayFacts } from '../../src/app/relay-status/relay-deps.ts';
import { MemberRoles } from '../../src/app/users/member-roles.ts';
import { MemberStore } from '../../src/app/users/member-store.ts';
import type { Hasher } from '../../src/app/users/passwords.ts';
import { loadConfig } from '../../src/config/config.ts';
import { LiveConfig } from '../../src/config/live-config.ts';
import { DriverRouter } from '../../src/drivers/driver-router.ts';
import { certificateMaker } from '../../src/drivers/https/certificate-maker.ts';
import { PersonalNtfy } from '../../src/drivers/notifications/ntfy-service.ts';
import { WebPushSender } from '../../src/drivers/notifications/web-push.ts';
import { rehearseVirtuals } from '../../src/drivers/virtual/rehearsal.ts';
import { VirtualAccessoryDriver } from '../../src/drivers/virtual/virtual-driver.ts';
import type { AcmeCertificates, CertificateMaker, TailscaleCertificates } from '../../src/home/certificates.ts';
import type { HomeEvents } from '../../src/home/events.ts';
import { HomeState } from '../../src/home/home-state.ts';
import { type HttpJudge, HttpSendError, type HttpSender } from '../../src/home/http-sender.ts';
import type { OpenMatterBridge } from '../../src/home/matter-port.ts';
import type { Accessory, Home } from '../../src/home/model.ts';
import type { MqttConnector } from '../../src/home/mqtt-connector.ts';
import type { NotificationChannel } from '../../src/home/notification-channel.ts';
import type { OpenBridge } from '../../src/home/publication-port.ts';
import type { ServiceSearch } from '../../src/home/service-search.ts';
import { HearthError } from '../../src/kernel/errors.ts';
import { EventBus } from '../../src/kernel/event-bus.ts';
import { LogRing } from '../../src/kernel/log-ring.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { WallTimers } from '../../src/kernel/wall-timers.ts';
import { announcementTexts } from '../../src/relay/announcement-texts.ts';
import { blueprintTexts } from '../../src/relay/blueprint-texts.ts';
import { type Database, openDatabase } from '../../src/storage/database.ts';
import { DisposableDatabase } from '../../src/storage/disposable-database.ts';
import { FakeBridges } from './fake-bridges.ts';
import { type FakeDevice, FakeDriver } from './fake-driver.ts';
import { FakeMatterBridges } from './fake-matter-bridges.ts';
import { FakeSecureServer } from './fake-secure-server.ts';
import { freshHistory, openFreshDatabase } from './fresh-database.ts';
import { button, doorLock, lamp, motionSensor, plainSwitch, thermostat } from './sample-accessories.ts';
import { TestClock } from './test-clock.ts';

export interface TestHomeOptions {
  /** A file, to open the same home again; `:memory:` if left out. */
  readonly path?: string;
  /** What `database.serialize()` made of a home in memory, to open it again; its devices are not in it. */
  readonly image?: Buffer;
  readonly clock?: TestClock;
  /** In the place of accounts and members: users of this test alone, with Developer Mode on. */
  readonly roles?: RoleSource;
  /** Counts or slows down password hashes; Argon2id if left out. */
  readonly passwordHasher?: Hasher;
  /** What takes the requests that automations send; without one they reach no server. */
  readonly http?: HttpSender & Partial<HttpJudge>;
  /** What connects with brokers; without one there are none. */
  readonly mqtt?: MqttConnector;
  /** What opens the servers of publications; fakes if left out. */
  readonly openBridge?: OpenBridge;
  readonly openMatterBridge?: OpenMatterBridge;
  /** What answers on the network; nothing if left out. */
  readonly services?: ServiceSearch;
  /** The broker that the configuration gives every home. */
  readonly configuredBroker?: ConfiguredBroker;
  /** Ten, as of old, where left out. */
  readonly runsPerMinute?: number;
  /** Whether to fill it with the sample accessories. */
  readonly sample?: boolean;
  /**
   * Whether the test that opens it starts the virtual accessories, after the listeners for timers that have ended
   * meanwhile.
   */
  readonly virtualsLater?: boolean;
  /** The configuration that settings change; an empty one by default. */
  readonly live?: LiveConfig;
  /** Ways of reaching people outside; none if left out. */
  /** The configured ntfy topic, beside which people have theirs; a server that does not answer if left out. */
  readonly ntfyUrl?: string;
  readonly publicUrl?: string;
  /** What has the https port; one that only notes what it is given if left out. */
  readonly secureServer?: SecureServer;
  /** The names and addresses of the computer. */
  readonly hosts?: () => Iterable<string>;
  readonly configuredNames?: () => readonly string[];
  readonly certificateMaker?: CertificateMaker;
  readonly tailscale?: TailscaleCertificates;
  readonly acme?: AcmeCertificates;
  readonly notificationChannels?: readonly NotificationChannel[];
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

const NO_NETWORK: HttpSender = {
  send: () => Promise.reject(new HttpSendError('network', 'There is no network in this test')),
};

/** One that judges nothing itself lets every URL be stored. */
function judging(http: HttpSender & Partial<HttpJudge>): HttpSender & HttpJudge {
  return {
    send: (request) => http.send(request),
    judge: (url, options) => http.judge?.(url, options) ?? null,
    get underWay() {
      return http.underWay ?? 0;
    },
  };
}

const NO_BROKER: MqttConnector = {
  connect(_target, events) {
    setImmediate(() => events.onClose({ fault: 'network', message: 'There is no network in this test.' }));
    const gone = () => Promise.reject(new Error('There is no network in this test'));
    return { publish: gone, subscribe: gone, close: async () => {}, isConnected: false, bufferedBytes: 0 };
  },
};

const NO_ACME: AcmeCertificates = {
  check() {
    throw new HearthError('conflict', 'No program changes the DNS in this test');
  },
  newAccountKey: () => '',
  obtain: () => Promise.reject(new HearthError('conflict', 'There is no authority in this test')),
};

const NO_TAILSCALE: TailscaleCertificates = {
  name: () => Promise.reject(new HearthError('conflict', 'There is no Tailscale in this test')),
  obtain: () => Promise.reject(new HearthError('conflict', 'There is no Tailscale in this test')),
};

/** As if the daemon listened there. */
const isOurselves = (host: string, port: number): boolean => host === '127.0.0.1' && port === 5656;

/** Where there is nothing. */
const NO_DIRECTORY = '/nonexistent/hearthd';

const TEST_FACTS: RelayFacts = {
  name: 'test-host',
  version: '0.0.0',
  instanceId: '0123abcd',
  startedAt: Date.UTC(2026, 0, 1),
  uptimeMs: 90_000,
  dataDirectory: NO_DIRECTORY,
  addresses: ['http://192.168.1.10:5656'],
  port: 5656,
  wsPort: 5657,
  hasTls: false,
  publicUrl: null,
  advertisedAs: 'test-host-hearthd.local',
  interfaces: [{ name: 'eth0', addresses: ['192.168.1.10'] }],
  areInterfacesChosen: false,
  settingProblems: [],
  install: 'npm',
  previousVersion: null,
};

export type TestHome = ReturnType<typeof createTestHome>;

/**
 * Builds the home and starts it. `close` stops it as the daemon would; `database.close()` alone is as good as SIGKILL.
 */
export function createTestHome(options: TestHomeOptions = {}) {
  const clock = options.clock ?? new TestClock();
  const logger = silentLogger;
  const database: Database = options.path === undefined ? openFreshDatabase(options.image) : openDatabase(options.path);
  const bus = new EventBus<HomeEvents>();
  const state = new HomeState(bus, clock);
  const memberRoles = new MemberRoles(new MemberStore(database));
  const access = new Access(options.roles ?? memberRoles);
  const store = new LayoutStore(database);
  const references = new HomeReferences(state);
  const lastReachability = new LastReachability({
    store: new LastReachabilityStore(database),
    ...{ state, bus, clock, logger },
  });
  const layout = new Layout({ store, state, references, lastReachability, clock, logger });
  const lastValues = new LastValues({ store: new LastValuesStore(database), bus, clock, logger });
  const registry = new AccessoryRegistry({ store, state, lastValues, clock, logger });
  const driver = new FakeDriver(registry, clock);
  const timers = new WallTimers({ clock, logger });
  const virtualDriver = new VirtualAccessoryDriver({ database, sink: registry, clock, timers, logger });
  const historyDatabase = new DisposableDatabase({
    ...(options.path === undefined ? { path: ':memory:', image: freshHistory() } : { path: `${options.path}.history` }),
    clock,
    logger,
  });
  const live = options.live ?? new LiveConfig(loadConfig({ dataDir: NO_DIRECTORY }, {}));
  const logs = new LogRing();
  const secureServer = options.secureServer ?? new FakeSecureServer();
  const http = judging(options.http ?? NO_NETWORK);
  const { operations, loaders, recording, automation, energyRecorder, webhooks, announcements, makers, ...upkeep } =
    createOperations({
      database,
      // A database in memory has no place beside it.
      backupFolder: null,
      restorer: { last: null, isUnderWay: false, stage: async () => {}, begin: () => '' },
      layoutStore: store,
      state,
      references,
      bus,
      access,
      memberRoles,
      passwordHasher: options.passwordHasher,
      drivers: {
        hap: driver,
        virtual: virtualDriver,
        router: new DriverRouter({ hap: driver, virtual: virtualDriver }),
      },
      rehearseVirtuals,
      timers,
      mqtt: {
        connector: options.mqtt ?? NO_BROKER,
        configured: () => options.configuredBroker ?? null,
        isOurselves,
        services: options.services ?? { search: async () => [] },
      },
      http,
      openBridge: options.openBridge ?? new FakeBridges().open,
      openMatterBridge: options.openMatterBridge ?? new FakeMatterBridges().open,
      automations: { runsPerMinute: () => options.runsPerMinute ?? 10, graceMs: () => 5 * 60_000 },
      secondStepRequiredFor: () => live.current.secondStepRequiredFor,
      refreshGraceMs: () => live.current.oauthRefreshGraceSeconds * 1_000,
      notificationChannels: () => options.notificationChannels ?? [],
      ntfy: new PersonalNtfy(() => ({ url: options.ntfyUrl ?? 'http://127.0.0.1:9/home', token: null })),
      publicUrl: () => options.publicUrl ?? null,
      webPush: new WebPushSender({ http, clock, contact: () => 'mailto:test@example.org' }),
      historyDatabase,
      blueprintTexts,
      announcementTexts,
      relay: { settings: live, logs, facts: () => TEST_FACTS },
      updateCheckIsOn: () => live.current.updateCheck,
      https: {
        server: () => secureServer,
        port: () => 0,
        redirectsHttp: () => live.current.httpsRedirect,
        hosts: () => options.hosts?.() ?? ['test-host.local', '192.168.1.10'],
        configuredNames: () => options.configuredNames?.() ?? [],
        lanOrigin: () => 'http://192.168.1.10:5656',
        label: 'hearthd on test-host',
        acme: options.acme ?? NO_ACME,
        tailscale: options.tailscale ?? NO_TAILSCALE,
        loadMaker: async () => options.certificateMaker ?? certificateMaker,
      },
      historyMaxBytes: () => Number.POSITIVE_INFINITY,
      clock,
      logger,
    });
  const { rooms, accessories, userSettings } = operations;
  if (options.roles) userSettings.isDeveloper = () => true;

  lastReachability.start();
  layout.start();
  lastValues.start();
  // All but the keeper, whose hours would come and go with the clock that tests move.
  const { settings, recorder, activityLog } = recording;
  const started = [historyDatabase, settings, recorder, activityLog, energyRecorder];
  for (const part of [...Object.values(loaders), ...started]) part.start();
  makers.start();
  const home = state.homes()[0] as Home;
  for (const { id } of state.homes()) registry.setConnected(id, true);
  if (!options.virtualsLater) virtualDriver.start();
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
    ...operations,
    clock,
    timers,
    database,
    bus,
    layout,
    lastValues,
    references,
    registry,
    driver,
    virtualDriver,
    historyStore: recording.store,
    recorder,
    activityLog,
    /** Not started: its hours would come and go with the clock that tests move. */
    keeper: recording.keeper,
    energyRecorder,
    rollups: recording.rollups,
    /** Rows of history.db. */
    historyRows: <Row>(sql: string): Row[] => historyDatabase.current.prepare<[], Row>(sql).all(),
    /** The engine and what belongs to it, not started: see `automation-home.ts`. */
    automation,
    /** What delivers to webhooks, not started. */
    deliverer: webhooks.deliverer,
    pruneWebhooks: webhooks.prune,

    /** A row as an automation has it, without a trigger. */
    storeAutomation: (id: string, name: string): void => {
      database
        .prepare(
          `INSERT INTO automations (id, home_id, name, enabled, trigger, created_at) VALUES (?, ?, ?, 0, '{}', 1)`,
        )
        .run(id, home.id, name);
    },
    /** The reporter of connections, discoveries and the log, not started. */
    announcements,
    /** What notes expiries and saves what a full disk refused, not started; and what expires, by name. */
    ...upkeep,
    makers,
    /** The last lines of a log that only tests write. */
    logs,
    live,
    /** The first home. */
    home,
    named,
    close(): void {
      makers.stop();
      virtualDriver.stop();
      activityLog.stop();
      recorder.stop();
      energyRecorder.stop();
      historyDatabase.stop();
      lastReachability.stop();
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
  return callerOf({ kind: 'user', userId, sessionId: `session-of-${userId}` });
}
