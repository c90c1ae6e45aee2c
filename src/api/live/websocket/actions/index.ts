/** Every action of clients, except those about the session itself (`session.ts`). */
import { ACCESSORY_ACTIONS } from './accessories.ts';
import type { SocketAction } from './action.ts';
import { AUTOMATION_ACTIONS, SCENE_ACTIONS } from './automations.ts';
import { LAYOUT_ACTIONS } from './layout.ts';
import { RELAY_ACTIONS } from './relay.ts';

export const ACTIONS: ReadonlyMap<string, SocketAction> = new Map<string, SocketAction>(
  Object.entries({
    ...LAYOUT_ACTIONS,
    ...ACCESSORY_ACTIONS,
    ...SCENE_ACTIONS,
    ...AUTOMATION_ACTIONS,
    ...RELAY_ACTIONS,
  }),
);
