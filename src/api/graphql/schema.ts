/** The whole schema: the list of its subjects. `print-schema.ts` prints it. */
import type { GraphQLSchema } from 'graphql';
import './accessories.ts';
import './activity.ts';
import './account.ts';
import './automations.ts';
import './backups.ts';
import './blueprints.ts';
import './cloud-account.ts';
import './collections.ts';
import './community-users.ts';
import './energy.ts';
import './flows.ts';
import './history.ts';
import './homes.ts';
import './members.ts';
import './mqtt.ts';
import './adaptive-lighting.ts';
import './notifications.ts';
import './pairing-import.ts';
import './pairings.ts';
import './people.ts';
import './publications.ts';
import './push-devices.ts';
import './relay.ts';
import './room-groups.ts';
import './rooms.ts';
import './scenes.ts';
import './service-groups.ts';
import './authorized-apps.ts';
import './passkeys.ts';
import './second-factor.ts';
import './sessions.ts';
import './settings.ts';
import './sharing.ts';
import './expressions.ts';
import './simulation.ts';
import './subscriptions.ts';
import './tokens.ts';
import './traces.ts';
import './virtual-accessories.ts';
import './virtual-fields.ts';
import './webhooks.ts';
import './zones.ts';
import { builder } from './builder.ts';

let schema: GraphQLSchema | undefined;

/**
 * Built at the first call, and the same object each time. Fields keep their declared order, which is the best to read.
 */
export function createSchema(): GraphQLSchema {
  schema ??= builder.toSchema({ sortSchema: false });
  return schema;
}
