/**
 * Creates every operation of the home from its state, databases and drivers, together with its background jobs. Used by
 * the composition root and by the tests; contains no rules of its own.
 */
import type { AccessoryDriver } from '../home/accessory-driver.ts';
import { EventReports } from '../home/event-reports.ts';
import type { HomeEvents } from '../home/events.ts';
import type { HomeState } from '../home/home-state.ts';
import type { HttpJudge, HttpSender } from '../home/http-sender.ts';
import type { NotificationChannel } from '../home/notification-channel.ts';
import type { PairingDriver } from '../home/pairing-driver.ts';
import type { VirtualDriver } from '../home/virtual-driver.ts';
import type { RehearseVirtuals } from '../home/virtual-rehearsal.ts';
import type { Clock } from '../kernel/clock.ts';
import type { EventBus } from '../kernel/event-bus.ts';
import type { Logger } from '../kernel/logger.ts';
import type { WallTimers } from '../kernel/wall-timers.ts';
import type { BackupFolder } from '../storage/backups/backup-folder.ts';
import type { Database } from '../storage/database.ts';
import type { DisposableDatabase } from '../storage/disposable-database.ts';
import { AccessUpkeep } from './access/access-upkeep.ts';
import type { Access } from './access/authorize.ts';
import { Credentials } from './access/credentials.ts';
import { MakerStore } from './access/maker-store.ts';
import { Makers } from './access/makers.ts';
import { Causes } from './automations/causes.ts';
import { createAutomations } from './automations/create-automations.ts';
import { createSimulations } from './automations/simulation/create-simulations.ts';
import { Backups } from './backup/backups.ts';
import type { RestorePort } from './backup/restorer.ts';
import { Control } from './control/control.ts';
import { MeasuredDriver } from './control/measured-driver.ts';
import { CollectionStore } from './groups/collection-store.ts';
import { Collections } from './groups/collections.ts';
import { RoomSetStore } from './groups/room-set-store.ts';
import { RoomGroups, Zones } from './groups/room-sets.ts';
import { ServiceGroupStore } from './groups/service-group-store.ts';
import { ServiceGroups } from './groups/service-groups.ts';
import { History } from './history/history.ts';
import { HistorySettings } from './history/history-settings.ts';
import { HistorySettingsStore } from './history/history-settings-store.ts';
import { HistoryStore } from './history/history-store.ts';
import { HistoryRecorder } from './history/recorder.ts';
import { RetentionJob } from './history/retention.ts';
import { Rollups } from './history/rollups.ts';
import { Accessories } from './layout/accessories.ts';
import { Homes } from './layout/homes.ts';
import type { LayoutStore } from './layout/layout-store.ts';
import type { HomeReferences } from './layout/references.ts';
import { Rooms } from './layout/rooms.ts';
import { collectMetrics } from './metrics/collect-metrics.ts';
import { countEvents } from './metrics/event-tally.ts';
import { MetricSources } from './metrics/metric-sources.ts';
import { createMqtt, type MqttDeps } from './mqtt/create-mqtt.ts';
import { NotificationStore } from './notifications/notification-store.ts';
import { Notifications } from './notifications/notifications.ts';
import { PreferenceStore } from './notifications/preference-store.ts';
import { NotificationPreferences } from './notifications/preferences.ts';
import { createOAuth } from './oauth/create-oauth.ts';
import { PairingImports } from './pairings/import/pairing-imports.ts';
import { Pairings } from './pairings/pairings.ts';
import { People } from './presence/people.ts';
import { PeopleStore } from './presence/people-store.ts';
import { Announcements } from './relay-status/announcements.ts';
import type { RelayDeps } from './relay-status/relay-deps.ts';
import { RelayLogs } from './relay-status/relay-logs.ts';
import { RelayStatus } from './relay-status/relay-status.ts';
import { SceneStore } from './scenes/scene-store.ts';
import { Scenes } from './scenes/scenes.ts';
import { RelaySettingStore } from './settings/relay-setting-store.ts';
import { RelaySettings } from './settings/relay-settings.ts';
import { createSharing } from './sharing/create-sharing.ts';
import { createUsers } from './users/create-users.ts';
import type { MemberRoles } from './users/member-roles.ts';
import type { Hasher } from './users/passwords.ts';
import { VirtualAccessories } from './virtual-accessories/virtual-accessories.ts';
import { createWebhooks } from './webhooks/create-webhooks.ts';

export interface OperationsDeps {
  /** The database with all irreplaceable data. */
  readonly database: Database;
  /** The folder of its backups; `null` for an in-memory database. */
  readonly backupFolder: BackupFolder | null;
  /** Restarts the relay from a backup. */
  readonly restorer: RestorePort;
  readonly layoutStore: LayoutStore;
  readonly state: HomeState;
  /** Registers everything that refers to accessories. */
  readonly references: HomeReferences;
  readonly bus: EventBus<HomeEvents>;
  readonly access: Access;
  /** User roles, for `access`. */
  readonly memberRoles: MemberRoles;
  /** Computes password hashes; default Argon2id. */
  readonly passwordHasher?: Hasher | undefined;
  readonly drivers: {
    readonly hap: PairingDriver;
    readonly virtual: VirtualDriver;
    /** Routes each write to the driver of its accessory. */
    readonly router: Pick<AccessoryDriver, 'write' | 'identify'>;
  };
  /** Virtual accessories for dry runs. */
  readonly rehearseVirtuals: RehearseVirtuals;
  readonly timers: WallTimers;
  readonly mqtt: MqttDeps;
  readonly http: HttpSender & HttpJudge;
  readonly automations: {
    readonly runsPerMinute: () => number;
    /** How late an action may run if it came due while the daemon was down or the computer asleep, in milliseconds. */
    readonly graceMs: () => number;
  };
  /** The configured notification channels outside the daemon. */
  readonly notificationChannels: () => readonly NotificationChannel[];
  /** How long a repeated OAuth refresh gets the same answer; 0 = never. */
  readonly refreshGraceMs: () => number;
  readonly historyDatabase: DisposableDatabase;
  readonly historyMaxBytes: () => number;
  readonly relay: RelayDeps;
  readonly clock: Clock;
  readonly logger: Logger;
}

export type Operations = ReturnType<typeof createOperations>['operations'];

/** What must be started for the operations: `loaders` load stored data into the state, the others start afterwards. */
export function createOperations(deps: OperationsDeps) {
  const { database, layoutStore, state, access, drivers, clock } = deps;
  const reports = new EventReports(deps);
  const layout = { store: layoutStore, state, access, clock };
  const makers = new Makers({ ...deps, store: new MakerStore(database) });
  const accounts = createUsers({ ...deps, makers });
  const { sessions, members, tokens } = accounts;
  const oauth = createOAuth({ ...deps, makers, attempts: accounts.attempts });
  const causes = new Causes({ clock });
  const { onWrite } = causes;
  const measured = new MeasuredDriver({ driver: drivers.router, clock });
  const control = new Control({ state, access, driver: measured, onWrite });
  const accessories = new Accessories(layout);
  const virtuals = new VirtualAccessories({
    state,
    access,
    driver: drivers.virtual,
    accessories,
    references: deps.references,
    onWrite,
  });
  const sceneStore = new SceneStore(database);
  const automationName = (id: string) => automation.operations.automations.nameOf(id);
  const scenes = new Scenes({ ...deps, store: sceneStore, control, automationName });
  const zones = new Zones({ ...layout, store: new RoomSetStore(database, 'zones') });
  const roomGroups = new RoomGroups({ ...layout, store: new RoomSetStore(database, 'roomGroups') });
  const serviceGroupStore = new ServiceGroupStore(database);
  const serviceGroups = new ServiceGroups({ ...deps, store: serviceGroupStore, control });
  const people = new People({ ...deps, store: new PeopleStore(database) });
  const notificationPreferences = new NotificationPreferences({ state, access, store: new PreferenceStore(database) });
  const notifications = new Notifications({
    ...deps,
    store: new NotificationStore(database),
    preferences: notificationPreferences,
    channels: deps.notificationChannels,
  });
  const automation = createAutomations({
    ...deps,
    ...deps.automations,
    makers,
    presence: people,
    notifier: notifications,
    control,
    scenes,
    sceneStore,
    serviceGroups,
    virtuals,
    causes,
    timerOf: (id) => virtuals.timerOf(id),
  });
  const simulations = createSimulations({
    ...deps,
    ...deps.automations,
    ...automation,
    ...automation.operations,
    makers,
    people,
    scenes,
    sceneStore,
    serviceGroupStore,
    virtuals,
  });
  const recording = createHistory(deps);
  const mqtt = createMqtt({ ...deps, makers, serviceGroups, scenes, virtuals });
  const credentials = new Credentials({ tokens, sessions, oauth: oauth.oauthTokens });
  const collections = new Collections({ ...layout, store: new CollectionStore(database) });
  const { settings: historySettings } = recording;
  const webhooks = createWebhooks({
    ...deps,
    makers,
    reports,
    collections,
    developers: accounts.userSettings,
    notifier: notifications,
  });
  const metrics = new MetricSources({ access });
  const events = countEvents(deps.bus);
  metrics.add(() =>
    collectMetrics({ ...deps, ...automation, ...recording, ...webhooks, ...mqtt, measured, events, notifications }),
  );
  const sharing = createSharing({ ...deps, makers, ...accounts, collections, control, credentials, historySettings });
  const unsaved = {
    'signing keys': accounts.signingKeys,
    sessions,
    'failed attempts': accounts.attempts,
  };
  // Everything that expires and is kept across restarts. In-memory data ends with the process.
  const expiring = {
    sessions,
    'access tokens': tokens,
    invitations: members,
    shares: sharing.shares,
    'codes and tokens of apps': oauth.oauthArtifacts,
    'secrets of webhooks': webhooks.oldSecrets,
  };
  return {
    operations: {
      state,
      reports,
      access,
      clock,
      ...accounts,
      ...oauth,
      credentials,
      control,
      homes: new Homes({ ...layout, driver: drivers.hap, members }),
      rooms: new Rooms(layout),
      accessories,
      virtuals,
      scenes,
      sceneNames: (homeId: string) => scenes.namesIn(homeId),
      zones,
      roomGroups,
      serviceGroups,
      people,
      collections,
      ...sharing,
      notifications,
      notificationPreferences,
      history: new History({ ...recording, state, access, clock }),
      ...automation.operations,
      ...webhooks.operations,
      ...mqtt,
      simulations,
      backups: new Backups(deps),
      pairingImports: new PairingImports({ state, access, driver: drivers.hap }),
      pairings: new Pairings({ state, access, driver: drivers.hap }),
      metrics,
      relayStatus: new RelayStatus({ ...deps, ...automation, ...webhooks }),
      relayLogs: new RelayLogs({ ...deps.relay, state, access }),
      relaySettings: new RelaySettings({
        ...deps,
        store: new RelaySettingStore(database),
        settings: deps.relay.settings,
      }),
    },
    loaders: { members, zones, roomGroups, serviceGroups, scenes, people, notifications, brokers: mqtt.brokers },
    automation,
    recording,
    webhooks,
    announcements: new Announcements(deps),
    expiring,
    accessUpkeep: new AccessUpkeep({ ...deps, expiring, unsaved }),
    /** Start these last of all loaders. */
    makers,
  };
}

/** The history listens to everything else; nothing calls it. */
function createHistory({
  database,
  historyDatabase,
  historyMaxBytes: maxBytes,
  state,
  bus,
  clock,
  logger,
}: OperationsDeps) {
  const store = new HistoryStore(historyDatabase);
  const settings = new HistorySettings({ store: new HistorySettingsStore(database), clock, maxBytes });
  const rollups = new Rollups({ store, clock });
  return {
    store,
    settings,
    rollups,
    recorder: new HistoryRecorder({ store, settings, state, bus, clock, logger }),
    keeper: new RetentionJob({ store, settings, rollups, state, clock, logger }),
  };
}
