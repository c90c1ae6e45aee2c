/**
 * The action kinds, one file each. A kind validates the values of its templates, acts through the run's ports with the
 * automation's rights, and returns the output that later steps read. The run (`engine/`) handles waiting, persistence
 * and tracing. `flows/` validates the flow when it is saved.
 */
import type { ActionNode } from '../action-node.ts';
import type { ValuesOf } from '../parsing/field.ts';
import type { ActionKind } from './action-kind.ts';
import { callScript } from './call-script.ts';
import { choose } from './choose.ts';
import { delay } from './delay.ts';
import { executeScene } from './execute-scene.ts';
import { fireEvent } from './fire-event.ts';
import { fireWebhook } from './fire-webhook.ts';
import { ifThenElse } from './if-then-else.ts';
import { merge } from './merge.ts';
import { notify } from './notify.ts';
import { parallel } from './parallel.ts';
import { repeat } from './repeat.ts';
import { restoreState } from './restore-state.ts';
import { setCharacteristic } from './set-characteristic.ts';
import { setServiceGroup } from './set-service-group.ts';
import { stop } from './stop.ts';
import { toggleAutomation } from './toggle-automation.ts';
import { variables } from './variables.ts';
import { virtual } from './virtual.ts';
import { waitForTemplate } from './wait-for-template.ts';
import { waitForTrigger } from './wait-for-trigger.ts';

export const ACTION_KINDS = {
  set_characteristic: setCharacteristic,
  set_service_group: setServiceGroup,
  execute_scene: executeScene,
  delay,
  wait_for_trigger: waitForTrigger,
  wait_for_template: waitForTemplate,
  choose,
  if_then_else: ifThenElse,
  repeat,
  parallel,
  variables,
  stop,
  fire_event: fireEvent,
  fire_webhook: fireWebhook,
  toggle_automation: toggleAutomation,
  call_script: callScript,
  notify,
  merge,
  virtual,
  restore_state: restoreState,
} as const;

type ActionKinds = typeof ACTION_KINDS;
export type ActionType = keyof ActionKinds;
export const ACTION_TYPES = Object.keys(ACTION_KINDS) as readonly ActionType[];

export type ActionOf<T extends ActionType> = {
  [K in T]: ActionNode & { readonly type: K } & ValuesOf<ActionKinds[K]['fields']>;
}[T];
/** Lists of nested actions have the type `ActionNode[]`; `../walk.ts` knows their kinds. */
export type Action = ActionOf<ActionType>;

/** The kind of an action whose type is known only at run time. Parsed actions have no other types. */
export function kindOf({ type }: { readonly type: string }): ActionKind {
  return ACTION_KINDS[type as ActionType] as unknown as ActionKind;
}
