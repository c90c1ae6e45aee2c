/**
 * Blueprints: automations with inputs in place of the accessories, people and numbers of a home. A blueprint is a
 * file of its own, without ids of a home.
 */
import { z } from 'zod';
import { MAX_BLUEPRINT_DESCRIPTION } from '../home/vocabulary/limits.ts';
import { isLanguage, LANGUAGES, type Language } from '../texts/languages.ts';
import { OutlineAction, OutlineTrigger } from './automation-runs.ts';
import { anyObject, checked, EXAMPLE_ID, flag, id, name, nameWithEnding, number, text, texts, word } from './fields.ts';
import { type Input, invalidValue, type Output } from './parse.ts';

/** Of the document. A reader refuses a higher one. */
export const BLUEPRINT_VERSION = 1;
const MAX_INPUTS = 50;

export const BLUEPRINT_LANGUAGES = Object.keys(LANGUAGES).filter(isLanguage);
export type BlueprintLanguage = Language;

export const INPUT_KINDS = [
  'accessory',
  'service_group',
  'scene',
  'person',
  'automation',
  'number',
  'time',
  'duration',
  'weekdays',
  'text',
  'flag',
] as const;
export type InputKind = (typeof INPUT_KINDS)[number];

const description = (what: string) =>
  checked(text(what, 'Turns lights on when something moves.'), (given) =>
    given.length <= MAX_BLUEPRINT_DESCRIPTION ? null : `it takes at most ${MAX_BLUEPRINT_DESCRIPTION} characters`,
  );

const INPUT_ID = checked(text('What the automation calls it: `$(lights)`.', 'lights'), (given) =>
  /^[a-z][a-z0-9_]{0,39}$/.test(given)
    ? null
    : 'it takes 1 to 40 small letters, digits and underscores, a letter first',
);

export const BlueprintInput = z.strictObject({
  id: INPUT_ID,
  name: name('Input name', { example: 'Lights' }),
  description: description('A hint for people.').optional(),
  kind: word(
    INPUT_KINDS,
    'What is chosen. `time`: `HH:MM`. `duration`: `{hours, minutes, seconds}`. `weekdays`: 0 = Sunday … 6 = Saturday.',
  ),
  multiple: flag('Whether several can be chosen: accessories or people.').optional(),
  optional: flag('Whether it can be left out.').optional(),
  needs: texts('Of an accessory: the characteristics that it must have, all of them.', ['power_state']).optional(),
  anyOf: texts(
    'Of an accessory: at least one of these characteristics. `$(sensor.property)` is the first that it has.',
    ['motion_detected', 'occupancy_detected'],
  ).optional(),
  types: texts('Of an accessory: only accessories of these types.', ['light']).optional(),
  all: flag('Of accessories: every one that fits, if it is left out.').optional(),
  min: number('Of a number: the least.', 1).optional(),
  max: number('Of a number: the most.', 100).optional(),
  unit: text('Of a number: shown beside it.', '%').optional(),
  default: z
    .unknown()
    .meta({ description: 'Its value if it is left out.', examples: [50] })
    .optional(),
});
export type BlueprintInput = Output<typeof BlueprintInput>;

const VERSION = z
  .literal(BLUEPRINT_VERSION, { error: invalidValue(`it takes ${BLUEPRINT_VERSION}`) })
  .meta({ description: 'The version of the format.', examples: [BLUEPRINT_VERSION] });

export const Blueprint = z
  .strictObject({
    hearthd_blueprint: VERSION,
    name: name('Blueprint name', { example: 'Motion light' }),
    description: description('What it does, for people.'),
    inputs: checked(
      z.array(BlueprintInput).describe('What people choose, in the order in which they are asked.'),
      (given) => (given.length <= MAX_INPUTS ? null : `it takes at most ${MAX_INPUTS} inputs`),
    ),
    automation: anyObject(
      'A flow without a name. `$(lights)` stands for an input; a node with `$each` is there for each of an input’s accessories, one with `$if` or `$unless` depends on whether the input has a value, and `$has` picks the accessories with a characteristic.',
    ),
  })
  .meta({ id: 'Blueprint' });
export type Blueprint = Output<typeof Blueprint>;

/** A blueprint for a home: of the relay, or of a file. */
export const OfferedBlueprint = z
  .object({
    id: text('For applying it; null for one of a file.', 'motion_light').nullable(),
    icon: text('For clients to show, by its name in Lucide; null for one of a file.', 'washing-machine').nullable(),
    missing: z.array(z.string()).describe('The required inputs for which the home has nothing to choose.'),
    choices: z
      .record(z.string(), z.array(z.string()))
      .describe('What the home has for each input that is an accessory, a scene, a person …: their ids.'),
    blueprint: Blueprint.describe('The document.'),
  })
  .meta({ id: 'OfferedBlueprint' });
export type OfferedBlueprint = Output<typeof OfferedBlueprint>;

const LANGUAGE = word(BLUEPRINT_LANGUAGES, 'Of its texts, and of the messages that the automation sends.');
const HOME = id('The home that it is for.');
const CHOICE = {
  blueprintId: text('One that the relay has.', 'motion_light').optional(),
  blueprint: anyObject('Instead of an id: a document, as a file has it.').optional(),
  language: LANGUAGE.optional(),
  inputs: anyObject('The values by the ids of inputs. Accessories and people are their ids; several are a list.').meta({
    examples: [{ sensors: [EXAMPLE_ID], lights: [EXAMPLE_ID], brightness: 60 }],
  }),
  name: nameWithEnding('Automation name', {
    description: 'Of the automation; the blueprint’s if left out, with a number if it is taken.',
    example: 'Hall light',
  }).optional(),
};

/** A blueprint with values for its inputs. */
export const AppliedBlueprint = z.strictObject({ homeId: HOME, ...CHOICE });
export type AppliedBlueprint = Input<typeof AppliedBlueprint>;

/** The automation that would be created. */
export const BlueprintPreview = z
  .object({
    name: text('What the automation would be called.', 'Hall light'),
    automation: anyObject('The flow without its name.'),
    triggers: z.array(OutlineTrigger).describe('Any of them triggers it.'),
    conditions: text('What must hold then; null for nothing.').nullable(),
    actions: z.array(OutlineAction).describe('What it does, each action before those within it.'),
  })
  .meta({ id: 'BlueprintPreview' });
export type BlueprintPreview = Output<typeof BlueprintPreview>;

export const BlueprintFile = z.strictObject({
  homeId: HOME,
  file: text('The text of the file.', '{"hearthd_blueprint": 1, …}'),
});
export type BlueprintFile = Input<typeof BlueprintFile>;

export const BlueprintExport = z.strictObject({
  name: name('Blueprint name', { description: 'Of the blueprint; the automation’s if left out.' }).optional(),
  description: description('What it does.').optional(),
  language: LANGUAGE.optional(),
});
export type BlueprintExport = Input<typeof BlueprintExport>;
