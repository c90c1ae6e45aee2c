/** Parses the filter of a request for `GET /events`. */
import { type Access, notFound } from '../../app/access/authorize.ts';
import type { Caller } from '../../app/access/caller.ts';
import type { HomeState } from '../../home/home-state.ts';
import { slugKey } from '../../home/slug.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { ApiContext } from '../env.ts';
import { isWanted, LIVE_EVENTS } from './live-event.ts';
import type { LiveFilter } from './live-reader.ts';

/** For each parameter; a client with more values than this needs no filter. */
const MAX_VALUES = 100;

export interface EventPlaces {
  readonly access: Access;
  readonly state: HomeState;
}

/**
 * `home`, `accessory` (ids, or keys as in `/rest/state`) and `type`, each any number of times: an event must match one
 * value of each given parameter. An event without a home matches no `home`, an event without an accessory matches no
 * `accessory`.
 * @throws `home_not_found`, `accessory_not_found` · `invalid_request` an unknown type, or too many values
 */
export function parseEventsQuery({ access, state }: EventPlaces, caller: Caller, c: ApiContext): LiveFilter {
  const homes = access.visibleHomes(caller, state.homes());
  const homeIds = idsOf(valuesOf(c, 'home'), () => homes, 'home_not_found');
  const accessoryIds = idsOf(
    valuesOf(c, 'accessory'),
    () => homes.flatMap(({ id }) => state.accessories(id)),
    'accessory_not_found',
  );
  const types = typesOf(valuesOf(c, 'type'));
  return ({ homeId, accessoryId, type }) =>
    passes(homeIds, homeId) && passes(accessoryIds, accessoryId) && isWanted(type, types);
}

/**
 * The id from which a client resumes: browsers send the header by themselves, and a first connection can only send it
 * in the query.
 */
export function lastEventId(c: ApiContext): string | undefined {
  return c.req.header('last-event-id') || c.req.query('lastEventId') || undefined;
}

function passes(wanted: ReadonlySet<string> | undefined, value: string | null): boolean {
  return wanted === undefined || (value !== null && wanted.has(value));
}

/** Each value once; empty ones are ignored. */
function valuesOf(c: ApiContext, name: string): readonly string[] {
  const values = new Set((c.req.queries(name) ?? []).map((value) => value.trim().toLowerCase()));
  values.delete('');
  if (values.size <= MAX_VALUES) return [...values];
  throw new HearthError('invalid_request', `Query parameter "${name}" may be given ${MAX_VALUES} times at most.`, {
    field: name,
  });
}

function idsOf(
  texts: readonly string[],
  list: () => readonly { readonly id: string; readonly name: string }[],
  absent: 'home_not_found' | 'accessory_not_found',
): ReadonlySet<string> | undefined {
  if (texts.length === 0) return undefined;
  const all = list().map(({ id, name }) => ({ id, key: slugKey(name, id) }));
  const found = texts.map((text) => all.filter(({ id, key }) => id === text || key === text));
  if (found.some(({ length }) => length === 0)) throw notFound(absent);
  return new Set(found.flat().map(({ id }) => id));
}

function typesOf(texts: readonly string[]): ReadonlySet<string> | undefined {
  const unknown = texts.find((text) => !Object.hasOwn(LIVE_EVENTS, text));
  if (unknown === undefined) return texts.length === 0 ? undefined : new Set(texts);
  const known = Object.keys(LIVE_EVENTS).join(', ');
  throw new HearthError('invalid_request', `Query parameter "type" must be one of ${known}.`, { field: 'type' });
}
