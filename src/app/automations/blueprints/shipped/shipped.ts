/**
 * The blueprints of the relay are data: one file each. Their texts are in the languages of the dashboard, because a
 * blueprint names its inputs and its messages itself, as one from a file does.
 */
import { BLUEPRINT_VERSION, type BlueprintInput, type BlueprintLanguage } from '../../../../contract/blueprints.ts';
import type { JsonObject } from '../../../../kernel/json.ts';
import type { ReadBlueprint } from '../read-blueprint.ts';

/** Picks the text of the language. */
export type PickText = (en: string, de: string) => string;

interface Contents {
  readonly name: string;
  readonly description: string;
  readonly inputs: readonly BlueprintInput[];
  readonly automation: JsonObject;
}

export type Shipped = (language: BlueprintLanguage) => ReadBlueprint;

export function shipped(contents: (texts: PickText) => Contents): Shipped {
  return (language) => ({
    hearthd_blueprint: BLUEPRINT_VERSION,
    ...contents((en, de) => (language === 'de' ? de : en)),
  });
}
