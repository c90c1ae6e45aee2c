/**
 * The blueprints of the relay are data: one file each. Their texts are in the catalogues, in each language of the
 * dashboard; a document has those of one language, as one from a file does.
 */
import { BLUEPRINT_VERSION, type BlueprintInput } from '../../../../contract/blueprints.ts';
import type { IconName } from '../../../../home/vocabulary/icon-names.ts';
import type { JsonObject } from '../../../../kernel/json.ts';
import type { ReadBlueprint } from '../read-blueprint.ts';

/** An input before it has its texts. */
export type ShippedInput = Omit<BlueprintInput, 'name' | 'description'>;

export interface ShippedBlueprint {
  readonly icon: IconName;
  readonly inputs: readonly ShippedInput[];
  readonly automation: JsonObject;
}

interface InputTexts {
  readonly name?: string;
  readonly description?: string;
  /** Of a text: its value unless people change it. */
  readonly default?: string;
}

/** By the ids of inputs. */
export type InputsTexts = Readonly<Record<string, InputTexts>>;

export interface DocumentTexts {
  readonly name: string;
  readonly description: string;
  /** Where they are not those that all blueprints share. */
  readonly inputs?: InputsTexts;
}

export function withTexts(
  { inputs, automation }: ShippedBlueprint,
  { name, description, inputs: own = {} }: DocumentTexts,
  shared: InputsTexts,
): ReadBlueprint {
  return {
    hearthd_blueprint: BLUEPRINT_VERSION,
    name,
    description,
    inputs: inputs.map((input) => inputWithTexts(input, { ...shared[input.id], ...own[input.id] })),
    automation,
  };
}

function inputWithTexts({ id, ...input }: ShippedInput, { name = id, ...texts }: InputTexts): BlueprintInput {
  const { default: message, ...hint } = texts;
  return { id, name, ...hint, ...input, ...(message !== undefined && { default: message }) };
}
