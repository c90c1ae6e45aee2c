import { id as idSchema } from '../../../contract/fields.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import { fault } from '../parsing/faults.ts';
import { field } from '../parsing/field.ts';
import { parseText } from '../parsing/fields.ts';
import { sceneSentence } from '../words.ts';
import { ActionFailure, actionKind, refusalsIn } from './action-kind.ts';
import { SAME_HOME } from './fields.ts';
import { foundBefore, restorableOutput } from './restorable.ts';

const SCENE = field("a scene's id", idSchema('A scene of the home.'), (value, path, { parsing }) => {
  const { state, homeId, hasScene } = parsing.context;
  const sceneId = parseText(value, path).toLowerCase();
  const found = hasScene?.(sceneId, homeId) ?? state.scenes.find(sceneId)?.homeId === homeId;
  if (found || parsing.isNamedNow(sceneId)) return sceneId;
  throw fault('scene_not_found', path, 'Scene not found');
});

/**
 * Executes a scene. If a `restore_state` of the automation refers to this step, the output also has each
 * characteristic's previous value. Fails if an action of the scene fails, and names that action.
 */
export const executeScene = actionKind({
  type: 'execute_scene',
  fields: { home: SAME_HOME, sceneId: SCENE },
  effect: 'repeatable',
  summarize: ({ sceneId }, state) => sceneSentence(state, sceneId),
  async execute({ id, sceneId }, run) {
    const found = foundBefore(run, id, () => run.ports.scenes.get(run.caller, sceneId).actions);
    const { success, failed, errors, outcomes } = await run.ports.scenes.execute(run.caller, sceneId);
    const output: JsonObject = {
      sceneId,
      success,
      failed,
      errors,
      ...restorableOutput(found, outcomes, run.ports.state),
    };
    if (success) return output;
    throw new ActionFailure('accessory_error', errors.join('; '), output, {
      reason: 'not_all_done',
      refusals: refusalsIn(outcomes),
    });
  },
});
