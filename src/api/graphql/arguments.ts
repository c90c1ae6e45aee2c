/** Arguments that many fields share, and the rules between them. */
import { notFound } from '../../app/access/authorize.ts';
import { HearthError } from '../../kernel/errors.ts';

type NotFoundCode = Parameters<typeof notFound>[0];

/** Beside an id, for clients that always send the home. */
export const HOME_CHECK = 'The home that it is expected in; NOT_FOUND if it is in another.';

/** GraphQL's value for an optional argument. */
export type Maybe<T> = T | null | undefined;

/**
 * Rejects an object of another home than the one named beside its id, as if it did not exist.
 * @throws `code`
 */
export function requireHome<T extends { readonly homeId: string }>(
  thing: T,
  homeId: Maybe<string>,
  code: NotFoundCode,
): T {
  if (homeId !== null && homeId !== undefined && homeId.toLowerCase() !== thing.homeId) throw notFound(code);
  return thing;
}

/** Of an icon, which `null` clears. */
export const ICON = 'The name of an icon in Lucide: lamp-desk. null restores the icon of its kind.';

/**
 * The given arguments. `null` means "leave as it is" unless stated otherwise, as clients send it for omitted arguments.
 */
export function given<T extends object>(args: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const entries = Object.entries(args).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: NonNullable<T[K]> };
}

/** Parses a service's id, `<accessory id>.<iid>`. @throws `invalid_value` */
export function parseServiceId(id: string, accessoryId: string): string {
  const dot = id.lastIndexOf('.');
  if (dot > 0 && id.slice(0, dot).toLowerCase() === accessoryId.toLowerCase()) return id.slice(dot + 1);
  throw new HearthError('invalid_value', 'Invalid value for serviceId: give the id of a service of this accessory.', {
    field: 'serviceId',
  });
}
