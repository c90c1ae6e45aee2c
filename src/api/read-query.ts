import { HearthError } from '../kernel/errors.ts';
import { isUuid } from '../kernel/ids.ts';
import type { ApiContext } from './env.ts';

/** An id in the query; absent and empty are the same. @throws `invalid_request` it is not a UUID */
export function queryId(c: ApiContext, name: string): string | undefined {
  const value = c.req.query(name);
  if (value === undefined || value === '') return undefined;
  if (isUuid(value)) return value.toLowerCase();
  throw new HearthError('invalid_request', `Query parameter "${name}" must be an id (a UUID).`, { field: name });
}

/** The id of a home, which the query has to name. @throws `invalid_request` */
export function requiredHome(c: ApiContext): string {
  const homeId = queryId(c, 'home');
  if (homeId !== undefined) return homeId;
  throw new HearthError(
    'invalid_request',
    'home parameter required: give the id of a home, as GET /rest/homes lists it.',
    { field: 'home' },
  );
}

/** A string in the query; absent and empty are the same. */
export function queryText(c: ApiContext, name: string): string | undefined {
  return c.req.query(name) || undefined;
}

/** The operation rejects text that is not a number, with its own message. */
export function queryWhole(c: ApiContext, name: string): number | undefined {
  const text = queryText(c, name);
  return text === undefined ? undefined : Number(text);
}

/** The requested maximum, from 1. @throws `invalid_value` */
export function queryCount(c: ApiContext, name: string, most: number): number | undefined {
  const text = queryText(c, name);
  const count = text === undefined ? undefined : Number(text);
  if (count === undefined || (Number.isInteger(count) && count >= 1 && count <= most)) return count;
  throw new HearthError('invalid_value', `Invalid value for ${name}: give a whole number from 1 to ${most}.`, {
    field: name,
  });
}

/** `true`/`1` and `false`/`0`. @throws `invalid_request` */
export function queryFlag(c: ApiContext, name: string): boolean {
  const value = queryText(c, name)?.toLowerCase();
  if (value === undefined || value === 'false' || value === '0') return false;
  if (value === 'true' || value === '1') return true;
  throw new HearthError('invalid_request', `Query parameter "${name}" must be true or false.`, { field: name });
}
