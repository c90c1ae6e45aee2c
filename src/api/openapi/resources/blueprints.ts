import { z } from 'zod';
import {
  AppliedBlueprint,
  BLUEPRINT_LANGUAGES,
  Blueprint,
  BlueprintFile,
  BlueprintPreview,
  OfferedBlueprint,
} from '../../../contract/blueprints.ts';
import { Flow } from '../../../contract/flows.ts';
import { id, oneOf, text } from '../json-schema.ts';
import type { Resource } from '../operation.ts';
import { ACCESSORY_ID } from './accessories.ts';
import { HOME_ID } from './homes.ts';

const HOME = { name: 'home', description: 'The home it is for.', schema: id(), required: true, example: HOME_ID };
const LANGUAGE = {
  name: 'language',
  description: 'Of names, descriptions and messages; `en` if left out.',
  schema: oneOf(BLUEPRINT_LANGUAGES),
};
const DOCUMENT = {
  hearthd_blueprint: 1,
  name: 'Reading light',
  description: 'Dims a light.',
  inputs: [{ id: 'light', name: 'Light', kind: 'accessory', needs: ['brightness'] }],
  automation: {
    actions: [{ type: 'set_characteristic', accessoryId: '$(light)', characteristicType: 'brightness', value: 40 }],
  },
};
const CHOICES = {
  'One of the relay': {
    homeId: HOME_ID,
    blueprintId: 'motion_light',
    inputs: { sensors: [ACCESSORY_ID], lights: [ACCESSORY_ID], after: { minutes: 3 } },
  },
  'One of a file': { homeId: HOME_ID, blueprint: DOCUMENT, inputs: { light: ACCESSORY_ID } },
};

export const blueprints: Resource = {
  tag: 'Blueprints',
  description:
    'Automations with inputs in place of accessories, people, times and numbers. The relay has some, and reads others from files; an automation can be made one. An error of an input has the `field` `inputs.<id>`.',
  operations: [
    {
      method: 'get',
      path: '/rest/blueprints',
      id: 'listBlueprints',
      summary: 'The blueprints of the relay',
      description: 'With what the home has for their inputs.',
      audience: 'view',
      query: [HOME, LANGUAGE],
      answer: { description: 'The blueprints.', schema: z.array(OfferedBlueprint) },
      errors: [400, 404, 422],
    },
    {
      method: 'post',
      path: '/rest/blueprints/read',
      id: 'readBlueprint',
      summary: 'Read a blueprint from a file',
      description: 'Nothing is stored. What is wrong with the file is one sentence.',
      audience: 'admin',
      body: {
        schema: BlueprintFile,
        examples: { 'A file': { homeId: HOME_ID, file: JSON.stringify(DOCUMENT) } },
      },
      answer: { description: 'The blueprint, with what the home has for its inputs.', schema: OfferedBlueprint },
      errors: [404],
    },
    {
      method: 'post',
      path: '/rest/blueprints/preview',
      id: 'previewBlueprint',
      summary: 'The automation that a blueprint would create',
      description: 'As a flow and in words. Nothing is stored.',
      audience: 'admin',
      body: { schema: AppliedBlueprint, examples: CHOICES },
      answer: { description: 'The automation.', schema: BlueprintPreview },
      errors: [404],
    },
    {
      method: 'post',
      path: '/rest/blueprints/apply',
      id: 'applyBlueprint',
      summary: 'Create an automation from a blueprint',
      audience: 'admin',
      body: { schema: AppliedBlueprint, examples: CHOICES },
      answer: { description: 'The flow.', schema: Flow },
      errors: [404],
    },
    {
      method: 'get',
      path: '/rest/blueprints/:id',
      id: 'getBlueprint',
      summary: 'One blueprint of the relay',
      audience: 'view',
      pathParameters: { id: 'Such as `motion_light`.' },
      query: [HOME, LANGUAGE],
      answer: { description: 'The blueprint.', schema: OfferedBlueprint },
      errors: [400, 422],
    },
    {
      method: 'get',
      path: '/rest/flows/:id/blueprint',
      id: 'exportBlueprint',
      summary: 'An automation as a blueprint',
      description:
        'Of a native automation too, by its id, unless it puts values back when it ends. Its accessories, people and scenes become inputs. No id, name or secret of the home is in it: addresses of requests and texts that may hold a name are inputs too.',
      audience: 'view',
      query: [
        { name: 'name', description: 'The automation’s name if left out.', schema: text() },
        { name: 'description', description: 'What it does, for people.', schema: text() },
        LANGUAGE,
      ],
      answer: { description: 'The document.', schema: Blueprint },
      errors: [422],
    },
  ],
};
