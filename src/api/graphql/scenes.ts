/** Scenes: sets of writes that one call executes. */
import { nameOfAction } from '../../app/scenes/scene-actions.ts';
import type { ListedScene } from '../../app/scenes/scenes.ts';
import {
  NewScene,
  SceneAction,
  SceneCapture,
  SceneChanges,
  SceneDefinition,
  SceneExecution,
  SceneRun,
} from '../../contract/scenes.ts';
import type { SceneAction as StoredAction } from '../../home/model.ts';
import type { ApiDeps } from '../api-deps.ts';
import { presentAction, presentDefinition, presentRun } from '../present/scene.ts';
import { Actor } from './activity.ts';
import { given, HOME_CHECK, type Maybe, requireHome } from './arguments.ts';
import { builder, LIST } from './builder.ts';
import type { GraphqlContext } from './context.ts';
import { argumentsOf, fieldsOf } from './contract-fields.ts';
import { type ActionResult, MutationResult, reportOutcome } from './result.ts';
import { decodeJson } from './scalars.ts';
import { firstFailure, WriteOutcome, type WriteResult } from './write-outcomes.ts';

const ACTIONS =
  'A list of `{accessoryId, characteristicType, targetValue}`, or a text that holds it in JSON; at least one, types in any spelling.';

interface ShownAction extends SceneAction {
  readonly propertyName: string;
}

const PlatformSceneAction = builder.objectRef<ShownAction>('PlatformSceneAction').implement({
  description: 'What a scene does to one characteristic.',
  fields: (t) => ({
    ...fieldsOf(t, SceneAction),
    propertyName: t.exposeString('propertyName', {
      nullable: false,
      description: 'What people call it: `brightness`, `on_2` for the second outlet of a strip.',
    }),
    targetValue: t.expose('targetValue', { type: 'JSON', description: 'The value that it gets.' }),
  }),
});

const PlatformSceneRun = builder.objectRef<SceneRun>('PlatformSceneRun').implement({
  description: 'A run of a scene.',
  fields: (t) => ({
    ...fieldsOf(t, SceneRun),
    actor: t.expose('actor', { type: Actor, nullable: false, description: 'Who or what ran it.' }),
  }),
});

type SceneSources = Pick<ApiDeps, 'state' | 'scenes'>;

interface ShownScene extends SceneDefinition {
  readonly actionList: () => readonly ShownAction[];
  readonly lastRun: () => SceneRun | null;
}

function viewScene(scene: ListedScene, { state, scenes }: SceneSources): ShownScene {
  const shown = presentDefinition(scene, state);
  const propertyName = (action: StoredAction) =>
    nameOfAction(action, state.accessoryIn(scene.homeId, action.accessoryId));
  const actionList = () =>
    scene.actions.map((action) => ({
      ...presentAction(action, scene.homeId, state),
      propertyName: propertyName(action),
    }));
  return { ...shown, actionList, lastRun: () => presentRun(scenes.latestRunOf(scene)) };
}

export function viewScenes(scenes: readonly ListedScene[], deps: SceneSources): readonly ShownScene[] {
  return scenes.map((scene) => viewScene(scene, deps));
}

export const PlatformScene = builder.objectRef<ShownScene>('PlatformScene').implement({
  description: 'A scene: a named list of values that are set together.',
  fields: (t) => ({
    ...fieldsOf(t, SceneDefinition),
    lastRun: t.field({
      type: PlatformSceneRun,
      description: 'Its latest run; null if none is known. The activity log keeps 90 days.',
      resolve: ({ lastRun }) => lastRun(),
    }),
    actions: t.string({
      nullable: false,
      description: 'What it does, as a text that holds a JSON list; `actionList` has the same as objects.',
      resolve: ({ actions }) => JSON.stringify(actions),
    }),
    actionList: t.field({
      type: [PlatformSceneAction],
      nullable: false,
      description: 'What it does.',
      resolve: ({ actionList }) => actionList(),
    }),
  }),
});

interface ExecutionResult extends ActionResult, Omit<SceneExecution, 'success'> {
  readonly outcomes: readonly WriteResult[];
}

const ExecuteSceneResult = builder.objectRef<ExecutionResult>('ExecuteSceneResult').implement({
  description: 'What became of a scene. `success` only if every action succeeded.',
  interfaces: [MutationResult],
  fields: (t) => ({
    ...fieldsOf(t, SceneExecution.omit({ success: true }), ['sceneId']),
    outcomes: t.expose('outcomes', {
      type: [WriteOutcome],
      nullable: false,
      description: 'What became of each action, in order.',
    }),
  }),
});

const DeleteSceneResult = builder.objectRef<ActionResult & { sceneId: string }>('DeleteSceneResult').implement({
  description: 'Whether a scene was deleted.',
  interfaces: [MutationResult],
  fields: (t) => ({ sceneId: t.exposeString('sceneId', { description: 'The scene.' }) }),
});

/** The operation parses them. */
const decodeActions = (input: unknown) => decodeJson(input, 'actions') as NewScene['actions'];

/** The scene that arguments name. @throws `scene_not_found` */
function getScene({ caller, deps }: GraphqlContext, id: string, homeId: Maybe<string>): ListedScene {
  return requireHome(deps.scenes.get(caller, id), homeId, 'scene_not_found');
}

builder.queryFields((t) => ({
  scenes: t.field({
    type: [PlatformScene],
    nullable: LIST,
    description: 'The scenes of a home, by name, then the built-in ones that would do something.',
    args: { homeId: t.arg.string({ required: true }) },
    resolve: (_, { homeId }, { caller, deps }) => viewScenes(deps.scenes.list(caller, homeId), deps),
  }),
  scene: t.field({
    type: PlatformScene,
    description: 'One scene; a built-in one and one that an automation owns too.',
    args: { sceneId: t.arg.string({ required: true }), homeId: t.arg.string({ description: HOME_CHECK }) },
    resolve: (_, { sceneId, homeId }, context) => viewScene(getScene(context, sceneId, homeId), context.deps),
  }),
}));

builder.mutationFields((t) => ({
  executeScene: t.field({
    type: ExecuteSceneResult,
    description: 'Sets all values of a scene at once and waits for the devices. For callers who may control the home.',
    args: { sceneId: t.arg.string({ required: true }), homeId: t.arg.string({ description: HOME_CHECK }) },
    resolve: (_, { sceneId, homeId }, context) =>
      reportOutcome(
        async () => {
          const { id } = getScene(context, sceneId, homeId);
          const execution = await context.deps.scenes.execute(context.caller, id);
          return { ...execution, ...firstFailure(execution.outcomes, execution.errors) };
        },
        { sceneId, failed: 0, errors: [], outcomes: [] },
      ),
  }),
  createScene: t.field({
    type: PlatformScene,
    description: 'Makes a scene, or nothing if any action is not valid. For admins of the home.',
    args: {
      ...argumentsOf(t.arg, NewScene.omit({ actions: true })),
      actions: t.arg({ type: 'JSON', required: true, description: ACTIONS }),
    },
    resolve: (_, { homeId, name, actions, icon = null, color = null }, { caller, deps }) =>
      viewScene(deps.scenes.create(caller, { homeId, name, actions: decodeActions(actions), icon, color }), deps),
  }),
  updateScene: t.field({
    type: PlatformScene,
    description:
      'Changes what is given: name, actions, icon, color; null removes the last two. For admins of its home.',
    args: {
      sceneId: t.arg.string({ required: true }),
      homeId: t.arg.string({ description: HOME_CHECK }),
      ...argumentsOf(t.arg, SceneChanges.omit({ actions: true })),
      actions: t.arg({ type: 'JSON', description: `${ACTIONS} They replace all that it had.` }),
    },
    resolve: (_, { sceneId, homeId, name, actions, icon, color }, context) => {
      const { id } = getScene(context, sceneId, homeId);
      const look = { ...(icon !== undefined && { icon }), ...(color !== undefined && { color }) };
      const changes = { ...given({ name, actions: decodeActions(actions) }), ...look };
      return viewScene(context.deps.scenes.update(context.caller, id, changes), context.deps);
    },
  }),
  captureScene: t.field({
    type: PlatformScene,
    description: 'Makes a scene of what these accessories do now. For admins of the home.',
    args: argumentsOf(t.arg, SceneCapture),
    resolve: (_, { homeId, name, icon = null, color = null, ...rest }, { caller, deps }) =>
      viewScene(deps.scenes.capture(caller, { homeId, name, ...given(rest), icon, color }), deps),
  }),
  deleteScene: t.field({
    type: DeleteSceneResult,
    description: 'Deletes a scene. Built-in ones, and ones that an automation owns, can’t be. For admins of its home.',
    args: { sceneId: t.arg.string({ required: true }), homeId: t.arg.string({ description: HOME_CHECK }) },
    resolve: (_, { sceneId, homeId }, context) =>
      reportOutcome(
        () => {
          const { id } = getScene(context, sceneId, homeId);
          context.deps.scenes.delete(context.caller, id);
          return { sceneId: id };
        },
        { sceneId },
      ),
  }),
}));
