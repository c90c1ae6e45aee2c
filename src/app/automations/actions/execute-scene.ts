import { id as idSchema } from '../../../contract/fields.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import { fault } from '../parsing/faults.ts';
import { field } from '../parsing/field.ts';
import { parseText } from '../parsing/fields.ts';
import { sceneSentence } from '../words.ts';
import { ActionFailure, actionKind, type RunContext, refusalsIn } from './action-kind.ts';
import { SAME_HOME } from './fields.ts';
import { changedValues, type FoundValue, findValues } from './restorable.ts';

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
    const found = isPutBack(run, id) ? foundBefore(run, sceneId) : undefined;
    const { success, failed, errors, outcomes } = await run.ports.scenes.execute(run.caller, sceneId);
    const output: JsonObject = {
      sceneId,
      success,
      failed,
      errors,
      ...(found && { restorable: changedValues(found, run.ports.state).map((value) => ({ ...value })) }),
    };
    if (success) return output;
    throw new ActionFailure('accessory_error', errors.join('; '), output, {
      reason: 'not_all_done',
      refusals: refusalsIn(outcomes),
    });
  },
});

/**
 * Persisted before anything is sent: a step repeated after a restart would otherwise read the values that the scene
 * has set.
 */
function foundBefore(run: RunContext, sceneId: string): readonly FoundValue[] {
  const { actions } = run.ports.scenes.get(run.caller, sceneId);
  return run.decide('found', () =>
    findValues(actions, run.program.homeId, run.ports.state).map((value) => ({ ...value })),
  );
}

function isPutBack(run: RunContext, nodeId: string): boolean {
  for (const action of run.allActions()) {
    if (action.type === 'restore_state' && 'nodeId' in action && action.nodeId === nodeId) return true;
  }
  return false;
}
