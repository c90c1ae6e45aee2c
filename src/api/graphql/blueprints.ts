/** Blueprints: automations with inputs. Documents are JSON here; the REST reference describes them ("Blueprints"). */
import type { AppliedBlueprint } from '../../contract/blueprints.ts';
import * as contract from '../../contract/blueprints.ts';
import { blueprintLanguage } from '../blueprint-language.ts';
import { presentFlow } from '../present/flow.ts';
import { given, type Maybe } from './arguments.ts';
import { builder, LIST } from './builder.ts';
import { fieldsOf, jsonFieldsOf } from './contract-fields.ts';
import { FlowType } from './flows.ts';
import { decodeJson } from './scalars.ts';

const LANGUAGES = new Intl.ListFormat('en', { type: 'disjunction' });
const LANGUAGE = `${LANGUAGES.format(contract.BLUEPRINT_LANGUAGES.map((one) => `\`${one}\``))}; \`en\` if left out.`;
const CHOICE = {
  blueprintId: 'One that the relay has.',
  blueprint: 'Instead of an id: a document, as an object or a text that holds it in JSON.',
  inputs: 'The values by the ids of inputs, as an object or a text that holds it in JSON.',
  name: 'Of the automation; the blueprint’s if left out.',
};

const OfferedBlueprint = builder.objectRef<contract.OfferedBlueprint>('OfferedBlueprint').implement({
  description: 'A blueprint, and what a home has for its inputs.',
  fields: (t) => ({ ...fieldsOf(t, contract.OfferedBlueprint), ...jsonFieldsOf(t, contract.OfferedBlueprint) }),
});

const BlueprintPreview = builder.objectRef<contract.BlueprintPreview>('BlueprintPreview').implement({
  description: 'The automation that a blueprint would create.',
  fields: (t) => ({ ...fieldsOf(t, contract.BlueprintPreview), ...jsonFieldsOf(t, contract.BlueprintPreview) }),
});

interface ChoiceArguments {
  readonly homeId: string;
  readonly blueprintId?: Maybe<string>;
  readonly blueprint?: unknown;
  readonly inputs?: unknown;
  readonly language?: Maybe<string>;
  readonly name?: Maybe<string>;
}

/** The input of the operations, which check it. */
function choiceOf({ homeId, blueprintId, blueprint, inputs, language, name }: ChoiceArguments): AppliedBlueprint {
  const document = decodeJson(blueprint ?? undefined, 'blueprint');
  const choice = { homeId, ...given({ blueprintId, language, name }), inputs: decodeJson(inputs, 'inputs') };
  return { ...choice, ...(document !== undefined && { blueprint: document }) } as AppliedBlueprint;
}

builder.queryFields((t) => ({
  blueprints: t.field({
    type: [OfferedBlueprint],
    nullable: LIST,
    description: 'The blueprints of the relay, with what the home has for their inputs.',
    args: { homeId: t.arg.string({ required: true }), language: t.arg.string({ description: LANGUAGE }) },
    resolve: (_, { homeId, language }, { caller, deps }) => [
      ...deps.blueprints.list(caller, homeId, blueprintLanguage(language ?? undefined)),
    ],
  }),
  readBlueprint: t.field({
    type: OfferedBlueprint,
    description: 'Reads a blueprint from the text of a file; stores nothing. For admins of the home.',
    args: {
      homeId: t.arg.string({ required: true }),
      file: t.arg.string({ required: true, description: 'The text of the file.' }),
    },
    resolve: (_, { homeId, file }, { caller, deps }) => deps.blueprints.read(caller, { homeId, file }),
  }),
  previewBlueprint: t.field({
    type: BlueprintPreview,
    description: 'The automation that `applyBlueprint` would create; stores nothing. For admins of the home.',
    args: {
      homeId: t.arg.string({ required: true }),
      blueprintId: t.arg.string({ description: CHOICE.blueprintId }),
      blueprint: t.arg({ type: 'JSON', description: CHOICE.blueprint }),
      inputs: t.arg({ type: 'JSON', required: true, description: CHOICE.inputs }),
      language: t.arg.string({ description: LANGUAGE }),
      name: t.arg.string({ description: CHOICE.name }),
    },
    resolve: (_, args, { caller, deps }) => deps.blueprints.preview(caller, choiceOf(args)),
  }),
  exportBlueprint: t.field({
    type: 'JSON',
    description:
      'An automation of either kind as a blueprint: what belongs to its home becomes inputs, without ids, names and secrets. For callers who may view its home.',
    args: {
      automationId: t.arg.string({ required: true }),
      name: t.arg.string({ description: 'The automation’s name if left out.' }),
      description: t.arg.string({ description: 'What it does, for people.' }),
      language: t.arg.string({ description: LANGUAGE }),
    },
    resolve: (_, { automationId, language, ...texts }, { caller, deps }) =>
      deps.blueprints.export(caller, automationId, {
        ...given(texts),
        language: blueprintLanguage(language ?? undefined),
      }),
  }),
}));

builder.mutationFields((t) => ({
  applyBlueprint: t.field({
    type: FlowType,
    description:
      'Creates an automation from a blueprint. `field` is `inputs.<id>` where an input is missing or does not fit. For admins of the home.',
    args: {
      homeId: t.arg.string({ required: true }),
      blueprintId: t.arg.string({ description: CHOICE.blueprintId }),
      blueprint: t.arg({ type: 'JSON', description: CHOICE.blueprint }),
      inputs: t.arg({ type: 'JSON', required: true, description: CHOICE.inputs }),
      language: t.arg.string({ description: LANGUAGE }),
      name: t.arg.string({ description: CHOICE.name }),
    },
    resolve: async (_, args, { caller, deps, webhookOrigin }) =>
      presentFlow(await deps.blueprints.apply(caller, choiceOf(args)), webhookOrigin),
  }),
}));
