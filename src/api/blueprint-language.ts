import { BLUEPRINT_LANGUAGES, type BlueprintLanguage } from '../contract/blueprints.ts';
import { unknownWord } from '../contract/fields.ts';
import { HearthError } from '../kernel/errors.ts';

/** English if none is given. @throws `invalid_value` */
export function blueprintLanguage(given: string | undefined): BlueprintLanguage {
  if (given === undefined) return 'en';
  const language = BLUEPRINT_LANGUAGES.find((one) => one === given);
  if (language !== undefined) return language;
  throw new HearthError('invalid_value', `Invalid value for language: ${unknownWord(given, BLUEPRINT_LANGUAGES)}`, {
    field: 'language',
  });
}
