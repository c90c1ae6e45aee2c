import { CapturedScene, NewScene, SceneChanges, SceneName } from '../../rest/scenes.ts';
import { anyValue, arrayOf, flag, id, integer, object, oneOf, orNull, ref, success, text } from '../json-schema.ts';
import type { Answer, Resource } from '../operation.ts';
import { ACCESSORY_ID } from './accessories.ts';
import { HOME_ID } from './homes.ts';

const SCENE_ID = '9a0e6f3d-8c4b-4b63-8f0a-9f7d0a3c2e11';

const ACTION = {
  accessoryId: ACCESSORY_ID,
  characteristicType: 'public.hap.characteristic.brightness',
  targetValue: 30,
};

const SCENE = {
  id: SCENE_ID,
  name: 'Movie Night',
  homeId: HOME_ID,
  actionCount: 1,
  actionSetType: 'user_defined',
  isBuiltIn: false,
  actions: [{ ...ACTION, accessoryName: 'Ceiling Lamp' }],
};

const NAME = 'Ends with a letter or a number, and is unique in the home, ignoring case.';
const ACTIONS = arrayOf(
  ref('NewSceneAction'),
  'At least one. They are written in this order on each accessory, accessories in parallel.',
);

const EXECUTED: Answer = {
  description: 'What became of it: `success` only if every action succeeded.',
  schema: ref('SceneExecution'),
  example: { success: true, sceneId: SCENE_ID, failed: 0, errors: [] },
};

const PROTECTED = 'Built-in scenes and those that an automation owns can’t be changed or deleted.';

export const scenes: Resource = {
  tag: 'Scenes',
  description:
    'Named lists of values to set. Two are built in and computed live, “Good Night” and “Leave Home”; they are listed while they would do something.',
  schemas: {
    Scene: object(
      {
        id: id(),
        name: text(NAME),
        homeId: id(),
        actionCount: integer(),
        actionSetType: oneOf(['user_defined', 'sleep', 'home_departure', 'trigger_owned'], 'Where it comes from.'),
        automationId: id('The automation that owns it, where one does.'),
        automationName: text('The name of that automation.'),
        isBuiltIn: flag(),
        actions: arrayOf(ref('SceneAction')),
      },
      ['automationId', 'automationName'],
    ),
    SceneAction: object(
      {
        accessoryId: id(),
        accessoryName: orNull(text('`null` for an accessory that is gone.')),
        characteristicType: text('`public.hap.characteristic.` and the name of the characteristic.'),
        targetValue: anyValue('The value to set.'),
        serviceId: text('Which of several services that have the characteristic.'),
      },
      ['serviceId'],
    ),
    NewSceneAction: object(
      {
        accessoryId: id('An accessory of the same home.'),
        characteristicType: text(
          '`public.hap.characteristic.brightness`; other spellings and simple properties are understood too.',
        ),
        targetValue: anyValue('The value to set; within the range of the characteristic.'),
        serviceId: text('Which of several services that have the characteristic; the plain one if left out.'),
      },
      ['serviceId'],
    ),
    SceneExecution: object({
      success: flag(),
      sceneId: id(),
      failed: integer('Actions that failed.'),
      errors: arrayOf(text(), 'One sentence for each of them.'),
    }),
  },
  operations: [
    {
      method: 'get',
      path: '/rest/scenes',
      id: 'listScenes',
      summary: 'The scenes of a home, or of all homes',
      audience: 'token',
      query: [{ name: 'home', description: 'The id of a home; all that the token may see if left out.', schema: id() }],
      answer: { description: 'The scenes, by name.', schema: arrayOf(ref('Scene')), example: [SCENE] },
      errors: [400, 404],
    },
    {
      method: 'post',
      path: '/rest/scenes',
      id: 'createScene',
      summary: 'Make a scene',
      description: 'If any action is impossible nothing is created.',
      audience: 'admin',
      body: {
        schema: NewScene,
        fields: { homeId: 'The home it is for.', name: NAME, actions: ACTIONS },
        examples: { 'One lamp': { homeId: HOME_ID, name: 'Movie Night', actions: [ACTION] } },
      },
      answer: { description: 'The scene.', schema: ref('Scene'), example: SCENE },
      errors: [404],
    },
    {
      method: 'post',
      path: '/rest/scenes/capture',
      id: 'captureScene',
      summary: 'Make a scene of what is on now',
      audience: 'admin',
      body: {
        schema: CapturedScene,
        fields: {
          homeId: 'The home it is for.',
          name: NAME,
          accessoryIds: 'The accessories whose present state it keeps; all of the home if left out.',
        },
        examples: { 'One lamp as it is': { homeId: HOME_ID, name: 'As Now', accessoryIds: [ACCESSORY_ID] } },
      },
      answer: { description: 'The scene.', schema: ref('Scene'), example: SCENE },
      errors: [404],
    },
    {
      method: 'get',
      path: '/rest/scenes/:id',
      id: 'getScene',
      summary: 'One scene',
      description: 'Built-in ones too, and those that automations own, by the `sceneId` of the automation.',
      audience: 'view',
      answer: { description: 'The scene.', schema: ref('Scene'), example: SCENE },
    },
    {
      method: 'patch',
      path: '/rest/scenes/:id',
      id: 'updateScene',
      summary: 'Rename a scene, or give it other actions',
      description: `New actions replace all that it had. ${PROTECTED}`,
      audience: 'admin',
      body: {
        schema: SceneChanges,
        fields: { name: NAME, actions: ACTIONS },
        examples: { 'Rename it': { name: 'Film Night' }, 'Replace its actions': { actions: [ACTION] } },
      },
      answer: { description: 'The scene as it is now.', schema: ref('Scene'), example: SCENE },
    },
    {
      method: 'delete',
      path: '/rest/scenes/:id',
      id: 'deleteScene',
      summary: 'Delete a scene',
      description: `${PROTECTED} The error names the automation: delete that instead.`,
      audience: 'admin',
      answer: {
        description: 'It is gone.',
        schema: success({ sceneId: id() }),
        example: { success: true, sceneId: SCENE_ID },
      },
      errors: [422],
    },
    {
      method: 'post',
      path: '/rest/scenes/:id/execute',
      id: 'executeScene',
      summary: 'Execute a scene',
      description: 'Waits for the devices. An action that fails does not stop the others.',
      audience: 'control',
      answer: EXECUTED,
      errors: [503],
    },
    {
      method: 'post',
      path: '/rest/scene',
      id: 'executeSceneByName',
      summary: 'Execute a scene by its name',
      audience: 'control',
      body: {
        schema: SceneName,
        fields: {
          home: text('The key of the home, from `_homes`; its id or name do as well.'),
          name: text('The name of the scene, from `_scenes`, ignoring case.'),
        },
        required: ['home', 'name'],
        examples: { 'By name': { home: 'my_home_1a2b', name: 'Movie Night' } },
      },
      answer: EXECUTED,
      errors: [404, 503],
    },
  ],
};
