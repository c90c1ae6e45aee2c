/** Every part of the API, in the order of the reference. A new one is one file and one line here. */
import type { Resource } from './operation.ts';
import { accessories } from './resources/accessories.ts';
import { activity } from './resources/activity.ts';
import { adaptiveLighting } from './resources/adaptive-lighting.ts';
import { authorizedApps } from './resources/authorized-apps.ts';
import { automations } from './resources/automations.ts';
import { background } from './resources/background.ts';
import { backups } from './resources/backups.ts';
import { blueprints } from './resources/blueprints.ts';
import { collections } from './resources/collections.ts';
import { discovered } from './resources/discovered.ts';
import { energy } from './resources/energy.ts';
import { events } from './resources/events.ts';
import { expressionPreview } from './resources/expression-preview.ts';
import { flowSimulation } from './resources/flow-simulation.ts';
import { flows } from './resources/flows.ts';
import { history } from './resources/history.ts';
import { homes } from './resources/homes.ts';
import { me } from './resources/me.ts';
import { members } from './resources/members.ts';
import { metrics } from './resources/metrics.ts';
import { mqtt } from './resources/mqtt.ts';
import { notifications } from './resources/notifications.ts';
import { pairingImport } from './resources/pairing-import.ts';
import { pairings } from './resources/pairings.ts';
import { people } from './resources/people.ts';
import { publications } from './resources/publications.ts';
import { relay } from './resources/relay.ts';
import { roomGroups, zones } from './resources/room-sets.ts';
import { rooms } from './resources/rooms.ts';
import { scenes } from './resources/scenes.ts';
import { service } from './resources/service.ts';
import { serviceGroups } from './resources/service-groups.ts';
import { sessions } from './resources/sessions.ts';
import { shareLinks } from './resources/share-links.ts';
import { shares } from './resources/shares.ts';
import { state } from './resources/state.ts';
import { tokens } from './resources/tokens.ts';
import { setupCode, users } from './resources/users.ts';
import { virtualAccessories } from './resources/virtual-accessories.ts';
import { webhooks } from './resources/webhooks.ts';

export const RESOURCES: readonly Resource[] = [
  state,
  homes,
  rooms,
  accessories,
  virtualAccessories,
  adaptiveLighting,
  scenes,
  automations,
  flows,
  flowSimulation,
  expressionPreview,
  blueprints,
  history,
  activity,
  energy,
  events,
  serviceGroups,
  zones,
  people,
  roomGroups,
  collections,
  shares,
  shareLinks,
  notifications,
  mqtt,
  publications,
  discovered,
  pairings,
  pairingImport,
  backups,
  me,
  members,
  users,
  sessions,
  authorizedApps,
  setupCode,
  tokens,
  webhooks,
  background,
  relay,
  metrics,
  service,
];
