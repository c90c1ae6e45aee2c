/** An access token: `hc_` and 43 base64url characters (256 random bits). The relay stores only its SHA-256. */
import type * as contract from '../../contract/access-tokens.ts';
import type { InMilliseconds } from '../../contract/parse.ts';
import { HearthError } from '../../kernel/errors.ts';
import { randomToken } from '../../kernel/secrets.ts';
import type { HomePermissions } from './caller.ts';

const RANDOM_BYTES = 32;
const FORM = /^hc_[A-Za-z0-9_-]{43}$/;
/** `hc_` and eight characters: enough to distinguish tokens in a list, too few to guess the rest. */
const PREFIX_LENGTH = 11;

/** A token without its secrets. All times in milliseconds since the epoch. */
export interface AccessTokenInfo
  extends InMilliseconds<Omit<contract.AccessToken, 'made'>, 'createdAt' | 'expiresAt' | 'lastUsedAt' | 'revokedAt'> {
  /** The user who created it; `null` if the CLI did. */
  readonly makerId: string | null;
}

/** A token as stored. */
export interface AccessToken extends AccessTokenInfo {
  /** SHA-256 of the whole token, hex. */
  readonly hash: string;
  /** When the relay first saw it expired. A clock set back later does not revive it. */
  readonly expiredAt: number | null;
  /** When everything that it made ended with it. */
  readonly madeEndedAt: number | null;
}

export function generateToken(): string {
  return `hc_${randomToken(RANDOM_BYTES)}`;
}

export function looksLikeToken(text: string): boolean {
  return FORM.test(text);
}

export function prefixOf(token: string): string {
  return token.slice(0, PREFIX_LENGTH);
}

/** Returns the token without its secrets. */
export function presentableInfo(token: AccessToken): AccessTokenInfo {
  const { hash: _hash, expiredAt: _expiredAt, madeEndedAt: _madeEndedAt, ...info } = token;
  return info;
}

/**
 * Parses home permissions (API §2.6): an object from home UUIDs to `control` or `view`; absent means no limit.
 * @param isHome whether a home with this id exists and the maker may see it.
 * @throws `invalid_value` another shape, or an empty object (a token without any permission) · `home_not_found`
 */
export function parseHomePermissions(input: unknown, isHome: (id: string) => boolean): HomePermissions {
  if (input === undefined || input === null) return null;
  if (typeof input !== 'object' || Array.isArray(input)) {
    throw invalid('an object that maps home ids to "control" or "view", or null for all homes');
  }
  const permissions = new Map<string, 'control' | 'view'>();
  for (const [key, level] of Object.entries(input)) {
    const id = key.toLowerCase();
    if (level !== 'control' && level !== 'view') throw invalid(`"control" or "view" for home ${key}`);
    if (permissions.has(id)) throw invalid(`home ${key} once only`);
    if (!isHome(id)) throw new HearthError('home_not_found', `Home not found: ${key}`, { field: 'homePermissions' });
    permissions.set(id, level);
  }
  if (permissions.size === 0) throw invalid('at least one home, or null for all homes');
  return Object.fromEntries(permissions);
}

function invalid(expected: string): HearthError {
  return new HearthError('invalid_value', `Invalid value for homePermissions: give ${expected}.`, {
    field: 'homePermissions',
  });
}

/** @throws `invalid_value` not a time in the future. */
export function parseExpiry(input: unknown, now: number): number | null {
  if (input === undefined || input === null) return null;
  if (typeof input !== 'number' || !Number.isSafeInteger(input) || input <= now) {
    throw new HearthError('invalid_value', 'Invalid value for expiresAt: give a time in the future.', {
      field: 'expiresAt',
    });
  }
  return input;
}
