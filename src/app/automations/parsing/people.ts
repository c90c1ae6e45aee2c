/** Ids of people in a flow. */
import { isUuid } from '../../../kernel/ids.ts';
import { fault, invalid } from './faults.ts';
import { parseList } from './fields.ts';
import type { Parsing } from './parsing.ts';

const MAX_PEOPLE = 100;

/** People of the home, each once. @throws `invalid_value` · `person_not_found` */
export function parsePersonIds(input: unknown, path: string, parsing: Parsing): readonly string[] {
  const list = parseList(input, path, 'ids of people', MAX_PEOPLE);
  const { context } = parsing;
  if (list.length === 0) throw invalid(path, 'it must name at least one person');
  const known = context.people?.people(context.homeId);
  const ids = list.map((item, index) => {
    const id = typeof item === 'string' ? item.toLowerCase() : '';
    if (!isUuid(id)) throw invalid(`${path}[${index}]`, "it must be a person's id");
    if (known?.every((person) => person.id !== id) && !parsing.isNamedNow(id)) {
      throw fault('person_not_found', `${path}[${index}]`, 'Person not found');
    }
    return id;
  });
  return [...new Set(ids)];
}
