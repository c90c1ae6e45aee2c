import { platformType } from '../../app/scenes/scene-actions.ts';
import type { ExecutedScene, LatestRun, ListedScene, Scenes } from '../../app/scenes/scenes.ts';
import type { Scene, SceneAction, SceneDefinition, SceneExecution, SceneRun } from '../../contract/scenes.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { SceneAction as StoredAction } from '../../home/model.ts';
import { partId } from './accessory.ts';
import { presentTime } from './time.ts';

interface SceneSources {
  readonly state: HomeState;
  readonly scenes: Pick<Scenes, 'latestRunOf'>;
}

/** A scene with its actions and its latest run (API §4.1, wire-facts §2.8). */
export function presentScene(scene: ListedScene, { state, scenes }: SceneSources): Scene {
  return { ...presentDefinition(scene, state), lastRun: presentRun(scenes.latestRunOf(scene)) };
}

export function presentRun(run: LatestRun | null): SceneRun | null {
  return run && { ...run, at: presentTime(run.at) };
}

export function presentDefinition(scene: ListedScene, state: HomeState): SceneDefinition {
  const { id, name, homeId, actions, automationId, automationName, icon, color } = scene;
  return {
    id,
    name,
    homeId,
    actionCount: actions.length,
    actionSetType: actionSetType(scene),
    ...(automationId !== null && { automationId }),
    ...(automationName !== null && { automationName }),
    icon,
    color,
    isBuiltIn: scene.builtIn !== null,
    actions: actions.map((action) => presentAction(action, homeId, state)),
  };
}

/** The origin of a scene: created by people, built in, or an automation's. */
function actionSetType({ builtIn, automationId }: ListedScene): Scene['actionSetType'] {
  if (automationId !== null) return 'trigger_owned';
  if (builtIn === null) return 'user_defined';
  return builtIn === 'good_night' ? 'sleep' : 'home_departure';
}

/** `accessoryName` is `null` for an accessory that has been removed, or is in another home. */
export function presentAction(action: StoredAction, homeId: string, state: HomeState): SceneAction {
  const { accessoryId, serviceIid, type, value } = action;
  return {
    accessoryId,
    accessoryName: state.accessoryIn(homeId, accessoryId)?.name ?? null,
    characteristicType: platformType(type),
    targetValue: value,
    ...(serviceIid !== null && { serviceId: partId(accessoryId, serviceIid) }),
  };
}

/** The result of each action is in `errors`; GraphQL shows it with the codes. */
export function presentExecution({ success, sceneId, failed, errors }: ExecutedScene): SceneExecution {
  return { success, sceneId, failed, errors };
}
