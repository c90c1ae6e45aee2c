/** Scenes (API §4.1): named lists of values that one call sets. */
import { z } from 'zod';
import type { CharacteristicValue } from '../home/model.ts';
import { ROOM_COLORS } from '../home/vocabulary/room-looks.ts';
import { BUILT_IN_SCENE_TYPES } from '../home/vocabulary/scene-types.ts';
import { ActivityActor } from './activity.ts';
import { anyValue, EXAMPLE_ID, flag, id, integer, nameWithEnding, success, text, time, word } from './fields.ts';
import { iconName } from './icons.ts';
import type { Input, Output } from './parse.ts';

/** More than every characteristic of a hundred lamps. */
const MAX_ACTIONS = 500;
const TYPE = 'public.hap.characteristic.brightness';

const NAME = nameWithEnding('Scene name', {
  description: 'Ends with a letter or a number, and is unique in the home, ignoring case.',
  example: 'Movie Night',
});

const COLOR = word(ROOM_COLORS, 'The color of its tile; null for none.');
const LOOK = { icon: iconName().nullish(), color: COLOR.nullish() };

/** The operation parses the characteristic, the service and the value: they depend on the accessory. */
const NewSceneAction = z
  .strictObject({
    accessoryId: id('An accessory of the same home.'),
    characteristicType: text(`\`${TYPE}\`; other spellings and simple properties are understood too.`, TYPE),
    targetValue: anyValue('The value to set; within the range of the characteristic.', 30),
    serviceId: text('Which of several services that have the characteristic; the plain one if left out.').nullish(),
    accessoryName: z.unknown().describe('Ignored: clients may send back an action as they got it.').optional(),
  })
  .meta({ id: 'NewSceneAction' });
export type NewSceneAction = Output<typeof NewSceneAction>;

function actionsOf(none: string) {
  return z
    .array(NewSceneAction, { error: 'Actions must be a list of {accessoryId, characteristicType, targetValue}' })
    .min(1, { error: none })
    .max(MAX_ACTIONS, { error: ({ input }) => tooManyActions((input as readonly unknown[]).length) })
    .describe('At least one. They are written in this order on each accessory, accessories in parallel.');
}

const ACTIONS = { actions: actionsOf('At least one action is required') };
export const SceneActionList = z.strictObject(ACTIONS);

/** @returns why a scene can't have so many actions; `undefined` if it can */
export function tooManyActions(count: number): string | undefined {
  return count > MAX_ACTIONS ? `A scene has at most ${MAX_ACTIONS} actions; these are ${count}` : undefined;
}

const HOME = { homeId: text('The home that it is for.') };

export const NewScene = z.strictObject({ ...HOME, name: NAME, ...ACTIONS, ...LOOK });
export type NewScene = Input<typeof NewScene>;

export const SceneCapture = z.strictObject({
  ...HOME,
  name: NAME,
  accessoryIds: z
    .array(z.string())
    .describe('The accessories whose present state it keeps; all of the home if left out.')
    .optional(),
  ...LOOK,
});
export type SceneCapture = Input<typeof SceneCapture>;

export const SceneChanges = z
  .strictObject({
    name: NAME,
    actions: actionsOf('At least one action is required; to be rid of the scene, delete it').describe(
      'At least one. They replace all that it had.',
    ),
    ...LOOK,
  })
  .partial();
export type SceneChanges = Input<typeof SceneChanges>;

/** Unchecked, because one sentence names both if either is missing. */
export const SceneName = z.strictObject({
  home: z
    .unknown()
    .meta({ description: 'The key of the home, from `_homes`; its id or name do as well.', type: 'string' }),
  name: z.unknown().meta({ description: 'The name of the scene, from `_scenes`, ignoring case.', type: 'string' }),
});

export const SceneAction = z
  .object({
    accessoryId: id(),
    accessoryName: text('`null` for an accessory that is gone.', 'Ceiling Lamp').nullable(),
    characteristicType: text('`public.hap.characteristic.` and the name of the characteristic.', TYPE),
    targetValue: anyValue<CharacteristicValue>('The value to set.', 30),
    serviceId: text('Which of several services that have the characteristic.').optional(),
  })
  .meta({ id: 'SceneAction' });
export type SceneAction = Output<typeof SceneAction>;

export const SceneRun = z
  .object({
    at: time('When it ended.'),
    success: flag('Whether every action succeeded.', true),
    actor: ActivityActor.describe('Who or what ran it.'),
  })
  .meta({ id: 'SceneRun' });
export type SceneRun = Output<typeof SceneRun>;

/** What people have set, which is known without the activity log. */
export const SceneDefinition = z
  .object({
    id: id(),
    name: NAME,
    homeId: id('The home that it is in.'),
    actionCount: integer('How many values it sets.', 1),
    actionSetType: word(
      ['user_defined', ...BUILT_IN_SCENE_TYPES, 'trigger_owned'],
      'Where it comes from: `sleep` and `home_departure` are built in, `trigger_owned` is an automation’s.',
    ),
    automationId: id('The automation that owns it, where one does.').optional(),
    automationName: text('The name of that automation.').optional(),
    icon: iconName().nullable(),
    color: COLOR.nullable(),
    isBuiltIn: flag('Whether the relay makes it by itself. Such scenes can’t be changed.'),
    actions: z.array(SceneAction),
  })
  .meta({ id: 'SceneDefinition' });
export type SceneDefinition = Output<typeof SceneDefinition>;

export const Scene = SceneDefinition.extend({
  lastRun: SceneRun.nullable().describe('Its latest run; `null` if none is known. The activity log keeps 90 days.'),
}).meta({ id: 'Scene' });
export type Scene = Output<typeof Scene>;

export const DeletedScene = success({ sceneId: id() });

export const SceneExecution = z
  .object({
    success: flag('Whether every action succeeded.', true),
    sceneId: id(),
    failed: integer('Actions that failed.'),
    errors: z.array(z.string()).describe('One sentence for each of them.'),
  })
  .meta({ id: 'SceneExecution' });
export type SceneExecution = Output<typeof SceneExecution>;

export const EXAMPLE_ACTION = { accessoryId: EXAMPLE_ID, characteristicType: TYPE, targetValue: 30 };
