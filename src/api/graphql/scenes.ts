/** Scenes: sets of writes that one call executes. */
import { nameOfAction, platformType } from '../../app/scenes/scene-actions.ts';
import type { ListedScene } from '../../app/scenes/scenes.ts';
import type { SceneAction } from '../../home/model.ts';
import { partId } from '../present/accessory.ts';
import { actionSetType, presentAction } from '../present/scene.ts';
import { given, HOME_CHECK, type Maybe, requireHome } from './arguments.ts';
import { builder, LIST } from './builder.ts';
import type { GraphqlContext } from './context.ts';
import { MutationResult, type Outcome, reportOutcome } from './result.ts';
import { decodeJson } from './scalars.ts';
import { firstFailure, WriteOutcome, type WriteResult } from './write-outcomes.ts';

const ACTIONS =
  'A list of `{accessoryId, characteristicType, targetValue}`, or a text that holds it in JSON; at least one, types in any spelling.';

/** With the home of the scene. */
type ShownAction = SceneAction & { readonly homeId: string };

const PlatformSceneAction = builder.objectRef<ShownAction>('PlatformSceneAction').implement({
  description: 'What a scene does to one characteristic.',
  fields: (t) => ({
    accessoryId: t.exposeString('accessoryId', { nullable: false, description: 'The accessory.' }),
    accessoryName: t.string({
      description: 'Its name; null while it is gone.',
      resolve: ({ accessoryId, homeId }, _, { deps }) => deps.state.accessoryIn(homeId, accessoryId)?.name ?? null,
    }),
    characteristicType: t.string({
      nullable: false,
      description: '`public.hap.characteristic.` and the characteristic’s HAP name.',
      resolve: ({ type }) => platformType(type),
    }),
    propertyName: t.string({
      nullable: false,
      description: 'What people call it: `brightness`, `on_2` for the second outlet of a strip.',
      resolve: (action, _, { deps }) => nameOfAction(action, deps.state.accessoryIn(action.homeId, action.accessoryId)),
    }),
    serviceId: t.string({
      description: 'Which of several services that have it; null for the one that has the plain name.',
      resolve: ({ accessoryId, serviceIid }) => (serviceIid === null ? null : partId(accessoryId, serviceIid)),
    }),
    targetValue: t.expose('value', { type: 'JSON', description: 'The value that it gets.' }),
  }),
});

export const PlatformScene = builder.objectRef<ListedScene>('PlatformScene').implement({
  description: 'A scene: a named list of values that are set together.',
  fields: (t) => ({
    id: t.exposeString('id', { nullable: false, description: 'A UUID.' }),
    name: t.exposeString('name', {
      nullable: false,
      description: 'Unique in its home, ignoring case; ends with a letter or a number.',
    }),
    homeId: t.exposeString('homeId', { nullable: false, description: 'The home that it is in.' }),
    actionCount: t.int({
      nullable: false,
      description: 'How many values it sets.',
      resolve: ({ actions }) => actions.length,
    }),
    actionSetType: t.string({
      nullable: false,
      description: '`user_defined`, `trigger_owned` (an automation’s), or `sleep` and `home_departure` (built in).',
      resolve: (scene) => actionSetType(scene),
    }),
    isBuiltIn: t.boolean({
      nullable: false,
      description: 'Whether the relay makes it by itself. Such scenes can’t be changed.',
      resolve: ({ builtIn }) => builtIn !== null,
    }),
    automationId: t.exposeString('automationId', { description: 'The native automation that owns it, if one does.' }),
    automationName: t.exposeString('automationName', {
      description: 'The name of that automation.',
    }),
    actions: t.string({
      nullable: false,
      description: 'What it does, as a text that holds a JSON list; `actionList` has the same as objects.',
      resolve: ({ actions, homeId }, _, { deps }) =>
        JSON.stringify(actions.map((action) => presentAction(action, homeId, deps.state))),
    }),
    actionList: t.field({
      type: [PlatformSceneAction],
      nullable: false,
      description: 'What it does.',
      resolve: ({ actions, homeId }) => actions.map((action) => ({ ...action, homeId })),
    }),
  }),
});

interface ExecutionResult extends Outcome {
  readonly sceneId: string;
  readonly failed: number;
  readonly errors: readonly string[];
  readonly outcomes: readonly WriteResult[];
}

const ExecuteSceneResult = builder.objectRef<ExecutionResult>('ExecuteSceneResult').implement({
  description: 'What became of a scene. `success` only if every action succeeded.',
  interfaces: [MutationResult],
  fields: (t) => ({
    sceneId: t.exposeString('sceneId', { description: 'The scene.' }),
    failed: t.exposeInt('failed', { nullable: false, description: 'How many of its actions failed.' }),
    errors: t.exposeStringList('errors', { nullable: false, description: 'One sentence for each of them.' }),
    outcomes: t.expose('outcomes', {
      type: [WriteOutcome],
      nullable: false,
      description: 'What became of each action, in order.',
    }),
  }),
});

const DeleteSceneResult = builder.objectRef<Outcome & { sceneId: string }>('DeleteSceneResult').implement({
  description: 'Whether a scene was deleted.',
  interfaces: [MutationResult],
  fields: (t) => ({ sceneId: t.exposeString('sceneId', { description: 'The scene.' }) }),
});

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
    resolve: (_, { homeId }, { caller, deps }) => deps.scenes.list(caller, homeId),
  }),
  scene: t.field({
    type: PlatformScene,
    description: 'One scene; a built-in one and one that an automation owns too.',
    args: { sceneId: t.arg.string({ required: true }), homeId: t.arg.string({ description: HOME_CHECK }) },
    resolve: (_, { sceneId, homeId }, context) => getScene(context, sceneId, homeId),
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
      homeId: t.arg.string({ required: true }),
      name: t.arg.string({ required: true, description: 'Must end with a letter or a number.' }),
      actions: t.arg({ type: 'JSON', required: true, description: ACTIONS }),
    },
    resolve: (_, { homeId, name, actions }, { caller, deps }) =>
      deps.scenes.create(caller, { homeId, name, actions: decodeJson(actions, 'actions') }),
  }),
  updateScene: t.field({
    type: PlatformScene,
    description: 'Renames a scene, replaces its actions, or both. For admins of its home.',
    args: {
      sceneId: t.arg.string({ required: true }),
      homeId: t.arg.string({ description: HOME_CHECK }),
      name: t.arg.string({ description: 'Must end with a letter or a number.' }),
      actions: t.arg({ type: 'JSON', description: `${ACTIONS} They replace all that it had.` }),
    },
    resolve: (_, { sceneId, homeId, name, actions }, context) => {
      const { id } = getScene(context, sceneId, homeId);
      const changes = given({ name, actions: decodeJson(actions, 'actions') });
      return context.deps.scenes.update(context.caller, id, changes);
    },
  }),
  captureScene: t.field({
    type: PlatformScene,
    description: 'Makes a scene of what these accessories do now. For admins of the home.',
    args: {
      homeId: t.arg.string({ required: true }),
      name: t.arg.string({ required: true, description: 'Must end with a letter or a number.' }),
      accessoryIds: t.arg.stringList({ description: 'Accessories of this home; all that are there if left out.' }),
    },
    resolve: (_, { homeId, name, accessoryIds }, { caller, deps }) =>
      deps.scenes.capture(caller, { homeId, name, accessoryIds: accessoryIds ?? undefined }),
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
