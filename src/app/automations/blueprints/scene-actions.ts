/** A native automation with its scene's actions in place of its scene, which belongs to it alone. */
import type { HomeState } from '../../../home/home-state.ts';
import type { SceneAction } from '../../../home/model.ts';
import { bindingsOf } from '../../../home/vocabulary/bindings.ts';
import { characteristicName } from '../../../home/vocabulary/hap-names.ts';
import type { Action } from '../actions/index.ts';
import type { Program } from '../program.ts';

/** Whether it restores what its scene set, at its end. */
export function restoresScene({ actions }: Program): boolean {
  return actions.some(({ type }) => type === 'restore_state');
}

export function withSceneActions(program: Program, state: HomeState): Program {
  const own = state.scenes.list(program.homeId).find(({ automationId }) => automationId === program.id);
  // The ids of a translated automation are paths of its record, which no flow has.
  const triggers = program.triggers.map((trigger) => ({ ...trigger, id: '' }));
  return { ...program, triggers, actions: (own?.actions ?? []).map((action) => toAction(action, state)) };
}

function toAction(action: SceneAction, state: HomeState): Action {
  const { accessoryId, value } = action;
  return {
    id: '',
    enabled: true,
    onError: 'continue',
    type: 'set_characteristic',
    accessoryId,
    characteristicType: nameOf(action, state),
    value,
  };
}

/** `power_state`, or `power_state_2` for the second service. */
function nameOf({ accessoryId, type, serviceIid }: SceneAction, state: HomeState): string {
  const places = bindingsOf(state.accessory(accessoryId)?.services ?? []).byType.get(type) ?? [];
  const index = places.findIndex(({ service }) => service.iid === serviceIid);
  return index > 0 ? `${characteristicName(type)}_${index + 1}` : characteristicName(type);
}
