/**
 * REST (API §4.1, and the relay's further routes): the list of all its routes. One file a resource; each handler
 * parses, calls one operation and presents the result.
 */
import { Hono } from 'hono';
import type { ApiDeps } from '../api-deps.ts';
import type { ApiEnv } from '../env.ts';
import { guardJson } from '../guards.ts';
import type { QuickResource } from '../quick/quick-routes.ts';
import { accessoryRoutes } from './accessories.ts';
import { activityRoutes } from './activity.ts';
import { adaptiveLightingRoutes } from './adaptive-lighting.ts';
import { authorizedAppRoutes } from './authorized-apps.ts';
import { automationRoutes } from './automations.ts';
import { backgroundRoutes } from './background.ts';
import { backupRoutes } from './backups.ts';
import { blueprintOfAutomation, blueprintRoutes } from './blueprints.ts';
import { collectionRoutes } from './collections.ts';
import { discoveredRoutes } from './discovered.ts';
import { energyRoutes } from './energy.ts';
import { expressionPreviewRoutes } from './expression-preview.ts';
import { flowSimulationRoutes } from './flow-simulation.ts';
import { flowImport, flowRoutes } from './flows.ts';
import { historyRoutes } from './history.ts';
import { homePictureUpload, homeRoutes } from './homes.ts';
import { meRoutes, settingsRoutes } from './me.ts';
import { invitationRoutes, memberRoutes } from './members.ts';
import { mqttRoutes } from './mqtt.ts';
import { notificationRoutes } from './notifications.ts';
import { pairingImportRoutes } from './pairing-import.ts';
import { pairingRoutes } from './pairings.ts';
import { personRoutes } from './people.ts';
import { publicationRoutes } from './publications.ts';
import { relayRoutes } from './relay.ts';
import { roomGroupRoutes, zoneRoutes } from './room-sets.ts';
import { pictureUpload, roomRoutes } from './rooms.ts';
import { executeNamedScene, sceneRoutes } from './scenes.ts';
import { serviceGroupRoutes } from './service-groups.ts';
import { sessionRoutes } from './sessions.ts';
import { setupCodeRoutes } from './setup-code.ts';
import { shareRoutes } from './shares.ts';
import { stateRoutes } from './state.ts';
import { tokenRoutes } from './tokens.ts';
import { userRoutes } from './users.ts';
import { virtualAccessoryRoutes } from './virtual-accessories.ts';
import { webhookRoutes } from './webhooks.ts';

export function restRoutes(deps: ApiDeps): QuickResource {
  const state = stateRoutes(deps);
  const homes = homeRoutes(deps);
  const accessories = accessoryRoutes(deps);
  const routes = new Hono<ApiEnv>()
    .route('/background', backgroundRoutes())
    .post('/flows/import', flowImport(deps))
    .put('/homes/:id/picture', homePictureUpload(deps))
    .put('/rooms/:id/picture', pictureUpload(deps))
    .on(['POST', 'PUT', 'PATCH', 'DELETE'], '*', guardJson())
    .get('/', state.read)
    .get('/state', state.read)
    .post('/state', state.write)
    .route('/', adaptiveLightingRoutes(deps))
    .route('/homes', homes.routes)
    .route('/homes', memberRoutes(deps))
    .route('/homes', mqttRoutes(deps))
    .route('/rooms', roomRoutes(deps))
    .route('/scenes', sceneRoutes(deps))
    .post('/scene', executeNamedScene(deps))
    .route('/automations', automationRoutes(deps))
    .route('/blueprints', blueprintRoutes(deps))
    .get('/flows/:id/blueprint', blueprintOfAutomation(deps))
    .route('/flows', flowSimulationRoutes(deps))
    .route('/flows', expressionPreviewRoutes(deps))
    .route('/flows', flowRoutes(deps))
    .route('/service-groups', serviceGroupRoutes(deps))
    .route('/zones', zoneRoutes(deps))
    .route('/room-groups', roomGroupRoutes(deps))
    .route('/collections', collectionRoutes(deps))
    .route('/shares', shareRoutes(deps))
    .route('/people', personRoutes(deps))
    .route('/accessories', accessories.routes)
    .route('/virtual-accessories', virtualAccessoryRoutes(deps))
    .route('/history', historyRoutes(deps))
    .route('/activity', activityRoutes(deps))
    .route('/energy', energyRoutes(deps))
    .route('/notifications', notificationRoutes(deps))
    .route('/discovered', discoveredRoutes(deps))
    .route('/pairings', pairingImportRoutes(deps))
    .route('/pairings', pairingRoutes(deps))
    .route('/backups', backupRoutes(deps))
    .route('/publications', publicationRoutes(deps))
    .route('/relay', relayRoutes(deps))
    .route('/me', meRoutes(deps))
    .route('/users', userRoutes(deps))
    .route('/invitations', invitationRoutes(deps))
    .route('/sessions', sessionRoutes(deps))
    .route('/authorized-apps', authorizedAppRoutes(deps))
    .route('/settings', settingsRoutes(deps))
    .route('/setup-code', setupCodeRoutes(deps))
    .route('/webhooks', webhookRoutes(deps))
    .route('/tokens', tokenRoutes(deps));
  return { routes, quick: [...state.quick, ...homes.quick, ...accessories.quick] };
}
