/**
 * The action kinds, one file each. A kind validates the values of its templates, acts through the run's ports with the
 * automation's rights, and returns the output that later steps read. The run (`engine/`) handles waiting, persistence
 * and tracing. `flows/` validates the flow when it is saved.
 */
import type { Action, ActionType } from '../flow.ts';
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

export const ACTION_KINDS: { readonly [T in ActionType]: ActionKind<T> } = {
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
};

/** The kind of an action whose type is known only at run time. */
export function kindOf(action: Action): ActionKind {
  // Each action is passed only to the kind of its own type; TypeScript cannot express that relation.
  return ACTION_KINDS[action.type] as unknown as ActionKind;
}
