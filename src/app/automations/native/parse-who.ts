/** The people whose arrival and departure an event or a condition concerns. */

import { PRESENCE_TYPES } from '../../../contract/automations.ts';
import { HearthError } from '../../../kernel/errors.ts';
import type { Who } from './automation.ts';
import { fault, type NativeFields } from './fields.ts';
import type { NativeContext } from './native-context.ts';

const MAX_PEOPLE = 100;

export const WHO_FIELDS = ['presenceType', 'personIds'] as const;

/** @throws `invalid_request` · `invalid_value` · `person_not_found` */
export function parseWho(fields: NativeFields, { home, presence }: NativeContext): Who {
  const presenceType = fields.optionalOneOf('presenceType', PRESENCE_TYPES) ?? 'allUsers';
  const field = fields.at('personIds');
  const people = presence.people(home.id);
  const personIds = fields.entries('personIds', MAX_PEOPLE).map((input, index) => {
    const person = typeof input === 'string' && people.find(({ id }) => id === input.toLowerCase());
    if (person) return person.id;
    throw fault(`${field}[${index}]`, 'Person not found', 'person_not_found');
  });
  const ids = [...new Set(personIds)];
  if (presenceType === 'allUsers' && ids.length > 0) throw fault(field, 'allUsers has none; customUsers has');
  if (presenceType === 'currentUser' && ids.length > 1) throw fault(field, 'currentUser is one person');
  if (presenceType === 'customUsers' && ids.length === 0) {
    throw new HearthError('invalid_request', `"${field}" is missing: it must be the ids of one or more people.`, {
      field,
    });
  }
  return { presenceType, personIds: ids };
}
