/**
 * Creates every operation of the home from its state, databases and drivers, together with its background jobs. Used by
 * the composition root and by the tests; contains no rules of its own.
 */
import { AccessUpkeep } from './access/access-upkeep.ts';
import { createEnergy } from './energy/create-energy.ts';
import { createHttps } from './https/create-https.ts';
import {
  type AccessParts,
  type AutomationParts,
  buildAccess,
  buildAutomations,
  buildHistory,
  buildHome,
  buildOutgoing,
  buildRelay,
  buildSharing,
  type HistoryParts,
  type HomeOperationParts,
  type OutgoingOperationParts,
} from './operation-parts.ts';
import type { OperationsDeps } from './operations-deps.ts';
import { createPublications } from './publications/create-publications.ts';
import type { Publications } from './publications/publications.ts';

export type Operations = ReturnType<typeof createOperations>['operations'];

/** What must be started for the operations: `loaders` load stored data into the state, the others start afterwards. */
export function createOperations(deps: OperationsDeps) {
  const access = buildAccess(deps);
  const history = buildHistory(deps);
  const home = buildHome(deps, access, history);
  const automations = buildAutomations(deps, access, home, history);
  const outgoing = buildOutgoing(deps, access, home);
  const energy = createEnergy(deps);
  const publications = createPublications({
    ...deps,
    ...home.operations,
    ...access.operations,
    onPinRefused: history.recording.activityLog.onPinRefused,
  });
  const sharing = buildSharing(deps, access, home, history);
  bindNames(history, access, home, automations, outgoing, publications, sharing);
  const relay = buildRelay(deps, home, automations, history, outgoing);
  const { keeper, https } = createHttps({ ...deps, passkeyPeople: () => access.operations.passkeys.people() });
  const { automation, simulations } = automations;
  const { brokers, brokerSearch, mqttBridge, webhooks } = outgoing;
  const { zones, roomGroups, serviceGroups, scenes, people, notifications, pushDevices, ntfyTopics } = home.operations;
  const upkeep = buildUpkeep(deps, access, sharing, outgoing);
  return {
    operations: {
      state: deps.state,
      access: deps.access,
      clock: deps.clock,
      reports: outgoing.reports,
      ...access.operations,
      ...home.operations,
      ...sharing,
      ...automation.operations,
      ...webhooks.operations,
      ...relay.operations,
      https,
      ...history.operations,
      energy: energy.energy,
      brokers,
      brokerSearch,
      mqttBridge,
      publications,
      simulations,
    },
    loaders: {
      members: access.operations.members,
      zones,
      roomGroups,
      serviceGroups,
      scenes,
      people,
      notifications,
      pushDevices,
      ntfyTopics,
      brokers,
      publications,
      adaptiveSettings: home.adaptive.settings,
    },
    /** Starts after the loaders and before the drivers. */
    lampFollower: home.adaptive.follower,
    certificateKeeper: keeper,
    automation,
    recording: history.recording,
    energyRecorder: energy.recorder,
    webhooks,
    announcements: relay.announcements,
    updateCheck: relay.updateCheck,
    loadHistory: relay.loadHistory,
    expiring: upkeep.expiring,
    accessUpkeep: upkeep.accessUpkeep,
    /** Start these last of all loaders. */
    makers: access.makers,
  };
}

/** The activity log names callers of every kind. */
function bindNames(
  { recording: { activityLog } }: HistoryParts,
  { operations: { users, tokens, oauthClients } }: AccessParts,
  { operations: { people } }: HomeOperationParts,
  { automation: { engine } }: AutomationParts,
  { brokers }: OutgoingOperationParts,
  publications: Publications,
  { shares }: ReturnType<typeof buildSharing>,
): void {
  activityLog.bind({
    user: (id) => users.find(id)?.name,
    accessToken: (id) => tokens.nameOf(id),
    app: (id) => oauthClients.nameOf(id),
    automation: (id) => engine.find(id)?.name,
    mqttBroker: (id) => brokers.nameOf(id),
    publication: (id) => publications.nameOf(id),
    person: (homeId, id) => people.people(homeId).find((one) => one.id === id),
    sharedThing: (hash) => shares.sharedThing(hash),
  });
}

/** Everything that expires and is kept across restarts; in-memory data ends with the process. */
function buildUpkeep(
  { clock, logger }: OperationsDeps,
  {
    operations: { sessions, tokens, members, oauthArtifacts, signingKeys, attempts, secondFactorCheck, passkeys },
  }: AccessParts,
  { shares }: ReturnType<typeof buildSharing>,
  { webhooks }: OutgoingOperationParts,
) {
  const unsaved = {
    'signing keys': signingKeys,
    sessions,
    'failed attempts': attempts,
    'used codes': secondFactorCheck,
    'used passkeys': passkeys,
  };
  const expiring = {
    sessions,
    'access tokens': tokens,
    invitations: members,
    shares,
    'codes and tokens of apps': oauthArtifacts,
    'secrets of webhooks': webhooks.oldSecrets,
  };
  return { expiring, accessUpkeep: new AccessUpkeep({ expiring, unsaved, clock, logger }) };
}
