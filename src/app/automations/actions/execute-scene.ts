import type { JsonObject } from '../../../kernel/json.ts';
import type { Program } from '../program.ts';
import { actionsIn } from '../walk.ts';
import { sceneSentence } from '../words.ts';
import { ActionFailure, type ActionKind, type RunContext, refusalsIn } from './action-kind.ts';
import { changedValues, type FoundValue, findValues } from './restorable.ts';

/**
 * Executes a scene. If a `restore_state` of the automation refers to this step, the output also has each
 * characteristic's previous value. Fails if an action of the scene fails, and names that action.
 */
export const executeScene: ActionKind<'execute_scene'> = {
  type: 'execute_scene',
  effect: 'repeatable',
  summarize: ({ sceneId }, state) => sceneSentence(state, sceneId),
  async execute({ id, sceneId }, run) {
    const found = isPutBack(run.program, id) ? foundBefore(run, sceneId) : undefined;
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
};

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

function isPutBack({ actions }: Program, nodeId: string): boolean {
  for (const { action } of actionsIn(actions)) {
    if (action.type === 'restore_state' && action.nodeId === nodeId) return true;
  }
  return false;
}
