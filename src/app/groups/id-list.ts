import { HearthError } from '../../kernel/errors.ts';

/**
 * Ids sent by a client, in its order and in lower case.
 * @param field its name in messages: `roomIds`.
 * @throws `invalid_value` not a list of texts, too long, or with an id twice
 */
export function parseIdList(input: unknown, field: string, atMost: number): readonly string[] {
  const fault = (sentence: string): HearthError => new HearthError('invalid_value', sentence, { field });
  if (!Array.isArray(input) || !input.every((id): id is string => typeof id === 'string')) {
    throw fault(`Invalid value for ${field}: give a list of ids.`);
  }
  if (input.length > atMost) throw fault(`Invalid value for ${field}: it takes at most ${atMost} ids.`);
  const ids = input.map((id) => id.trim().toLowerCase());
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw fault(`Invalid value for ${field}: ${twice.slice(0, 80)} is listed twice.`);
  return ids;
}
