/** Every action of clients, except those about the session itself (`session.ts`). */
import { ACCESSORY_ACTIONS } from './accessories.ts';
import type { Action } from './action.ts';
import { AUTOMATION_ACTIONS, SCENE_ACTIONS } from './automations.ts';
import { LAYOUT_ACTIONS } from './layout.ts';
import { RELAY_ACTIONS } from './relay.ts';

export const ACTIONS: ReadonlyMap<string, Action> = new Map<string, Action>(
  Object.entries({
    ...LAYOUT_ACTIONS,
    ...ACCESSORY_ACTIONS,
    ...SCENE_ACTIONS,
    ...AUTOMATION_ACTIONS,
    ...RELAY_ACTIONS,
  }),
);
