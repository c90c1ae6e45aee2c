import { StateFilters, type StateForm } from '../../contract/state.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { ApiContext } from '../env.ts';
import { queryText } from '../read-query.ts';

export interface StateQuery {
  readonly form: StateForm;
  readonly filters: StateFilters;
  /** Equal for equivalent queries. */
  readonly key: string;
}

const FILTERS = StateFilters.keyof().options;
export const EVERYTHING = queryOf('keys', {});

/** Using a `filter_by_*` name selects the name-based form (decisions §4). @throws `invalid_request` an unknown form */
export function parseStateQuery(c: ApiContext): StateQuery {
  if (!c.req.url.includes('?')) return EVERYTHING;
  const filters: { -readonly [K in keyof StateFilters]: StateFilters[K] } = {};
  let form = parseForm(queryText(c, 'form'));
  for (const name of FILTERS) {
    const older = queryText(c, `filter_by_${name}`);
    if (older !== undefined) form = 'names';
    const text = older ?? queryText(c, name);
    if (text !== undefined) filters[name] = text.trim().toLowerCase();
  }
  return queryOf(form, filters);
}

function queryOf(form: StateForm, filters: StateFilters): StateQuery {
  return { form, filters, key: JSON.stringify([form, filters]) };
}

function parseForm(text: string | undefined): StateForm {
  if (text === undefined || text === 'keys' || text === 'names') return text ?? 'keys';
  throw new HearthError('invalid_request', 'Query parameter "form" must be "keys" or "names".', { field: 'form' });
}
