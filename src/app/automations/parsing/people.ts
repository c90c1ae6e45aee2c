/** Ids of people in a flow. */
import { isUuid } from '../../../kernel/ids.ts';
import { fault, invalid } from './faults.ts';
import type { Fields } from './fields.ts';
import type { Parsing } from './parsing.ts';

const MAX_PEOPLE = 100;

export function optionalPersonIds(fields: Fields, name: string, parsing: Parsing): readonly string[] | undefined {
  const list = fields.optionalList(name, 'ids of people', MAX_PEOPLE);
  return list && parsePersonIds(list, fields.at(name), parsing);
}

/** People of the home, each once. @throws `invalid_value` · `person_not_found` */
export function parsePersonIds(list: readonly unknown[], path: string, parsing: Parsing): readonly string[] {
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
