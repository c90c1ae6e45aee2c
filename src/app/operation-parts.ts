/** Builds the operations of the home in groups, each from the groups before it. Contains no rules of its own. */
import { EventReports } from '../home/event-reports.ts';
import { VERSION } from '../kernel/version.ts';
import { Credentials } from './access/credentials.ts';
import { MakerStore } from './access/maker-store.ts';
import { Makers } from './access/makers.ts';
import { Activity } from './activity/activity.ts';
import { ActivityLog } from './activity/activity-log.ts';
import { ActivityStore } from './activity/activity-store.ts';
import { createAdaptiveLighting } from './adaptive-lighting/create-adaptive-lighting.ts';
import { Causes } from './automations/causes.ts';
import { createAutomations } from './automations/create-automations.ts';
import { AutomationStore } from './automations/native/automation-store.ts';
import { createSimulations } from './automations/simulation/create-simulations.ts';
import { Backups } from './backup/backups.ts';
import { Cameras } from './control/cameras.ts';
import { Control, type OnWrite } from './control/control.ts';
import { MeasuredDriver } from './control/measured-driver.ts';
import { CollectionStore } from './groups/collection-store.ts';
import { Collections } from './groups/collections.ts';
import { RoomSetStore } from './groups/room-set-store.ts';
import { RoomGroups, Zones } from './groups/room-sets.ts';
import { ServiceGroupStore } from './groups/service-group-store.ts';
import { ServiceGroups } from './groups/service-groups.ts';
import { createRecording } from './history/create-recording.ts';
import { History } from './history/history.ts';
import { Accessories } from './layout/accessories.ts';
import { Homes } from './layout/homes.ts';
import { Rooms } from './layout/rooms.ts';
import { collectMetrics } from './metrics/collect-metrics.ts';
import { countEvents } from './metrics/event-tally.ts';
import { MetricSources } from './metrics/metric-sources.ts';
import { createMqtt } from './mqtt/create-mqtt.ts';
import { createNotifications } from './notifications/create-notifications.ts';
import { createOAuth } from './oauth/create-oauth.ts';
import type { OperationsDeps } from './operations-deps.ts';
import { PairingImports } from './pairings/import/pairing-imports.ts';
import { Pairings } from './pairings/pairings.ts';
import { People } from './presence/people.ts';
import { PeopleStore } from './presence/people-store.ts';
import { Announcements } from './relay-status/announcements.ts';
import { LoadHistory } from './relay-status/load-history.ts';
import { RelayLogs } from './relay-status/relay-logs.ts';
import { RelayOverview } from './relay-status/relay-status.ts';
import { SceneStore } from './scenes/scene-store.ts';
import { Scenes } from './scenes/scenes.ts';
import { RelaySettingStore } from './settings/relay-setting-store.ts';
import { RelaySettings } from './settings/relay-settings.ts';
import { createSharing } from './sharing/create-sharing.ts';
import { UpdateCheck } from './updates/update-check.ts';
import { UpdateCheckStore } from './updates/update-check-store.ts';
import { createUsers } from './users/create-users.ts';
import { VirtualAccessories } from './virtual-accessories/virtual-accessories.ts';
import { createWebhooks } from './webhooks/create-webhooks.ts';

export type AccessParts = ReturnType<typeof buildAccess>;
export type HomeOperationParts = ReturnType<typeof buildHome>;
export type AutomationParts = ReturnType<typeof buildAutomations>;
export type HistoryParts = ReturnType<typeof buildHistory>;
export type OutgoingOperationParts = ReturnType<typeof buildOutgoing>;

/** Accounts, apps, and who made what. */
export function buildAccess({ database, state, access, bus, clock, logger, ...deps }: OperationsDeps) {
  const makers = new Makers({ store: new MakerStore(database), access, clock, logger });
  const { memberRoles, passwordHasher, secondStepRequiredFor, refreshGraceMs } = deps;
  const kept = { database, state, access, makers, memberRoles };
  const accounts = createUsers({ ...kept, passwordHasher, secondStepRequiredFor, bus, clock, logger });
  const { attempts, sessions, tokens } = accounts;
  const oauth = createOAuth({ database, state, access, makers, attempts, refreshGraceMs, clock, logger });
  const credentials = new Credentials({ tokens, sessions, oauth: oauth.oauthTokens });
  return { makers, operations: { ...accounts, ...oauth, credentials } };
}

/** What a home consists of, and what acts on it. */
export function buildHome(
  deps: OperationsDeps,
  { operations: { members, signingKeys, userSettings } }: AccessParts,
  { recording: { activityLog } }: HistoryParts,
) {
  const { database, layoutStore, state, access, drivers, references, memberRoles, bus, clock, logger } = deps;
  const layout = { store: layoutStore, state, access, clock };
  const causes = new Causes({ clock });
  const onWrite = both(causes.onWrite, activityLog.onWrite);
  const measured = new MeasuredDriver({ driver: drivers.router, clock });
  const adaptive = createAdaptiveLighting({ database, state, access, driver: measured, bus, clock, logger });
  const control = new Control({ state, access, driver: adaptive.driver, onWrite });
  const cameras = new Cameras({ state, access, driver: drivers.hap });
  const accessories = new Accessories({ ...layout, references });
  const sceneStore = new SceneStore(database);
  const automationStore = new AutomationStore(database, sceneStore);
  const serviceGroupStore = new ServiceGroupStore(database);
  const scenes = new Scenes({
    store: sceneStore,
    state,
    access,
    control,
    clock,
    bus,
    automationName: (id) => automationStore.nameOf(id),
    onExecuted: activityLog.onExecuted,
    latestRunOf: (sceneId) => activityLog.latestRunOf(sceneId),
  });
  const languageOf = (userId: string) => userSettings.languageOf(userId);
  const notifying = createNotifications({ ...deps, keys: signingKeys, activity: activityLog, languageOf });
  return {
    causes,
    measured,
    adaptive,
    sceneStore,
    automationStore,
    serviceGroupStore,
    operations: {
      control,
      cameras,
      adaptiveLighting: adaptive.adaptiveLighting,
      homes: new Homes({ ...layout, driver: drivers.hap, members }),
      rooms: new Rooms(layout),
      accessories,
      virtuals: new VirtualAccessories({ state, access, driver: drivers.virtual, accessories, references, onWrite }),
      scenes,
      sceneNames: (homeId: string) => scenes.namesIn(homeId),
      zones: new Zones({ ...layout, store: new RoomSetStore(database, 'zones') }),
      roomGroups: new RoomGroups({ ...layout, store: new RoomSetStore(database, 'roomGroups') }),
      serviceGroups: new ServiceGroups({ store: serviceGroupStore, layoutStore, state, access, control, clock }),
      people: new People({ store: new PeopleStore(database), state, access, memberRoles, bus, clock }),
      collections: new Collections({ store: new CollectionStore(database), state, access, clock }),
      ...notifying,
    },
  };
}

/** Notes each write twice: for loops of automations, and for the activity log. */
function both(one: OnWrite, other: OnWrite): OnWrite {
  return (caller, writes) => {
    const settledOnes = [one(caller, writes), other(caller, writes)];
    return () => {
      for (const settled of settledOnes) settled();
    };
  };
}

/** Automations and their dry runs. */
export function buildAutomations(
  {
    database,
    historyDatabase,
    layoutStore,
    state,
    access,
    references,
    bus,
    http,
    blueprintTexts,
    timers,
    clock,
    logger,
    ...deps
  }: OperationsDeps,
  { makers }: AccessParts,
  { causes, sceneStore, automationStore, serviceGroupStore, operations }: HomeOperationParts,
  { recording: { activityLog } }: HistoryParts,
) {
  const { control, scenes, serviceGroups, virtuals, people, notifications: notifier } = operations;
  const { runsPerMinute, graceMs } = deps.automations;
  const timerOf = (accessoryId: string) => virtuals.timerOf(accessoryId);
  const automation = createAutomations({
    database,
    historyDatabase,
    state,
    bus,
    access,
    makers,
    presence: people,
    control,
    scenes,
    automationStore,
    serviceGroups,
    virtuals,
    notifier,
    http,
    references,
    causes,
    onRequested: activityLog.onRequested,
    timerOf,
    timers,
    clock,
    logger,
    runsPerMinute,
    graceMs,
    blueprintTexts,
  });
  const { flows, automations } = automation.operations;
  const { engine, expressions } = automation;
  const { rehearseVirtuals } = deps;
  const simulations = createSimulations({
    state,
    access,
    makers,
    people,
    scenes,
    sceneStore,
    serviceGroupStore,
    layoutStore,
    virtuals,
    rehearseVirtuals,
    flows,
    automations,
    engine,
    expressions,
    clock,
    runsPerMinute,
    graceMs,
  });
  return { automation, simulations };
}

/** The history and the activity log listen to everything else. Callers of writes and scenes are reported to the log. */
export function buildHistory(deps: OperationsDeps) {
  const { historyDatabase, state, access, bus, clock, logger } = deps;
  const recording = createRecording(deps);
  const { settings } = recording;
  const activityStore = new ActivityStore(historyDatabase);
  const activityLog = new ActivityLog({ store: activityStore, settings, state, bus, clock, logger });
  recording.keeper.add((now) => activityLog.prune(now));
  const eraseActivity: ActivityLog['erase'] = (...which) => activityLog.erase(...which);
  return {
    recording: { ...recording, activityLog },
    operations: {
      history: new History({ ...recording, state, access, clock, eraseActivity }),
      activity: new Activity({ store: activityStore, log: activityLog, state, access }),
    },
  };
}

/** What leaves the relay: webhooks and MQTT. */
export function buildOutgoing(
  { database, historyDatabase, state, access, bus, http, mqtt, timers, clock, logger }: OperationsDeps,
  { makers, operations: { userSettings: developers } }: AccessParts,
  { operations: { collections, scenes, serviceGroups, virtuals, notifications: notifier } }: HomeOperationParts,
) {
  const reports = new EventReports({ bus, state, logger });
  const webhooks = createWebhooks({
    database,
    historyDatabase,
    state,
    bus,
    reports,
    access,
    makers,
    developers,
    collections,
    notifier,
    http,
    timers,
    clock,
    logger,
  });
  const { brokers, brokerSearch, mqttBridge } = createMqtt({
    mqtt,
    database,
    state,
    access,
    makers,
    bus,
    serviceGroups,
    scenes,
    virtuals,
    clock,
    logger,
  });
  return { reports, webhooks, brokers, brokerSearch, mqttBridge };
}

export function buildSharing(
  { database, state, access, clock, logger }: OperationsDeps,
  { makers, operations: { attempts, signingKeys, passwords, credentials } }: AccessParts,
  { operations: { collections, control } }: HomeOperationParts,
  { recording: { settings: historySettings } }: HistoryParts,
) {
  return createSharing({
    attempts,
    signingKeys,
    passwords,
    database,
    state,
    access,
    makers,
    collections,
    control,
    credentials,
    historySettings,
    clock,
    logger,
  });
}

/** The relay itself: its status, metrics, log, settings, backups and pairings. */
export function buildRelay(
  deps: OperationsDeps,
  { measured, operations: { notifications } }: HomeOperationParts,
  { automation: { engine, runResults } }: AutomationParts,
  { recording: { recorder } }: HistoryParts,
  { webhooks: { deliverer }, mqttBridge }: OutgoingOperationParts,
) {
  const { database, historyDatabase, state, access, drivers, http, bus, relay, clock, logger } = deps;
  const events = countEvents(bus);
  const metrics = new MetricSources({ access });
  metrics.add(() =>
    collectMetrics({
      state,
      drivers,
      measured,
      events,
      engine,
      runResults,
      notifications,
      recorder,
      http,
      deliverer,
      mqttBridge,
      database,
      historyDatabase,
    }),
  );
  const { settings, logs } = relay;
  const updateCheck = new UpdateCheck({
    store: new UpdateCheckStore(database),
    http,
    isOn: deps.updateCheckIsOn,
    bus,
    clock,
    logger,
  });
  const loadHistory = new LoadHistory({ clock, database, historyDatabase, drivers, version: VERSION });
  return {
    updateCheck,
    announcements: new Announcements(deps),
    loadHistory,
    operations: {
      metrics,
      backups: new Backups(deps),
      pairings: new Pairings({ state, access, clock, driver: drivers.hap }),
      pairingImports: new PairingImports({ state, access, driver: drivers.hap }),
      relayStatus: new RelayOverview({
        relay,
        state,
        access,
        drivers,
        engine,
        updateCheck,
        deliverer,
        database,
        historyDatabase,
        loadHistory,
        clock,
      }),
      relayLogs: new RelayLogs({ logs, state, access }),
      relaySettings: new RelaySettings({
        store: new RelaySettingStore(database),
        settings,
        isHttpsServed: () => deps.https.server().securePort !== 0,
        state,
        access,
        bus,
        logger,
      }),
    },
  };
}
