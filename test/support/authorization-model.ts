/**
 * Who may do what, once and in other words than the code that decides it: what each kind of caller is worth in each
 * home, and what an entry point (a route, a field, a tool, a verb) needs. The answer to every caller at every entry
 * point is worked out from the two. The callers are in `authorization-principals.ts`, the two homes in
 * `authorization-fixture.ts`, and the entry points in the tests, each compared with the list of what there is: one
 * without a row fails. A new kind of entry point is a new test over the same model.
 */
import { expect } from 'vitest';
import { AUTHORITY, type LastingThing } from '../../src/app/access/authority.ts';
import type { Principal, Role } from '../../src/app/access/caller.ts';

/** The home that callers belong to, and one that most of them must not learn of. */
export const PLACES = ['own', 'foreign'] as const;
export type Place = (typeof PLACES)[number];

/** What a caller may do in each home; nothing: it must not know of it. */
export type Worth = Readonly<Partial<Record<Place, Role>>>;

export type Kind = 'anonymous' | 'system' | 'session' | 'token' | 'app' | 'share link' | 'automation';

export interface Standing {
  readonly kind: Kind;
  /** `null`: it opens no door at all. */
  readonly worth: Worth | null;
  /** Whom it acts for. Tokens of the command line act for the home. */
  readonly person?: 'somebody' | 'the founder';
  /** It acts for the home: full access to what belongs to no home. */
  readonly everywhere?: true;
  /** A session of a user without Developer Mode. */
  readonly isNoDeveloper?: true;
  /** It opens `/mcp` and no other door. */
  readonly mcpAlone?: true;
  readonly scope?: Scope;
  /** A token or an app that is limited to single homes. */
  readonly isLimited?: true;
}

export type Scope = 'read' | 'write' | 'admin';

/** What an entry point needs of its caller. */
export type Need =
  /**
   * This role in the home that the request is about; where it is about what is one's own, a weaker one of who acts for
   * a person.
   */
  | { readonly here: Role; readonly ofPerson?: Role }
  /** This role in any home: for what belongs to none. */
  | { readonly anywhere: Role; readonly developer?: true }
  /** No credentials. */
  | 'everyone'
  /** Any credentials that count. */
  | 'anyone'
  /** To be a person, or to act for one. */
  | 'a person'
  /** The same, or to act for the whole relay, and so for its founder. */
  | 'a person or the relay'
  /** A person who signed in, not what acts for one. */
  | 'a session'
  | 'a session or the system'
  /**
   * To see and end what people allowed: a session, the system, a token without home limits, an app with `mcp:admin`.
   */
  | 'to look after apps'
  /** To control something, and to be or act for a user who can own it: a person, or the home as a whole. */
  | 'to have something'
  /** The command line, or the founder signed in. */
  | 'the head'
  /**
   * A person who owns all there is and signed in, or the command line: neither what acts for them, nor what acts for
   * the home.
   */
  | 'every home, signed in'
  | 'the system';

/**
 * `stranger`: it must authenticate. `hidden`: it gets the answer for something that does not exist. `refused`: it may
 * not. `granted`: the outcome is the operation's affair.
 */
export type Verdict = 'stranger' | 'hidden' | 'refused' | 'granted';

/** Weakest first. */
const STRENGTH: Readonly<Record<Role, number>> = { view: 1, control: 2, admin: 3, owner: 4 };
const SCOPE_LIMITS: Readonly<Record<Scope, Role>> = { read: 'view', write: 'control', admin: 'owner' };

export function isEnough(role: Role | undefined, needed: Role): boolean {
  return role !== undefined && STRENGTH[role] >= STRENGTH[needed];
}

/** The weakest of several limits: one without an entry for a home leaves nothing of it. */
export function weakest(...limits: readonly Worth[]): Worth {
  const worth: Partial<Record<Place, Role>> = {};
  for (const place of PLACES) {
    const [first, ...others] = limits.map((limit) => limit[place]);
    let role = first;
    for (const other of others) role = role && other && STRENGTH[other] < STRENGTH[role] ? other : other && role;
    if (role) worth[place] = role;
  }
  return worth;
}

/** Of a token or an app: what the person is worth, within what they allowed. `null`: no limit. */
export function worthOf(person: Worth, permissions: Worth | null, scope?: Scope): Worth {
  const all = (role: Role): Worth => ({ own: role, foreign: role });
  return weakest(person, permissions ?? all('owner'), scope ? all(SCOPE_LIMITS[scope]) : all('owner'));
}

export function isEnoughAnywhere({ worth }: Standing, needed: Role): boolean {
  return PLACES.some((place) => isEnough(worth?.[place], needed));
}

/** What each kind is to the table of what may be made by whom. */
const PRINCIPALS: Readonly<Record<Kind, Principal['kind']>> = {
  anonymous: 'anonymous',
  system: 'system',
  session: 'user',
  token: 'access_token',
  app: 'oauth_client',
  'share link': 'share_link',
  automation: 'automation',
};

/** What a door makes or changes that lasts. */
export interface Made {
  readonly thing: LastingThing;
  /** It is there already, made by others, and ends with who made it: apps must not change it. */
  readonly isOfOthers: boolean;
}

/** Whether a caller of this kind may make or change what the door makes. */
function mayLeave({ kind }: Standing, made: Made | null): boolean {
  if (made === null) return true;
  const makers: readonly Principal['kind'][] = AUTHORITY[made.thing].makers;
  return makers.includes(PRINCIPALS[kind]) && !(made.isOfOthers && kind === 'app');
}

/**
 * `verdictOf`, for an operation that makes or changes something lasting: a kind that may not is refused, but learns no
 * more than before.
 */
export function verdictOfMaking(who: Standing, need: Need, place: Place, made: Made | null): Verdict {
  const verdict = verdictOf(who, need, place);
  return verdict === 'granted' && !mayLeave(who, made) ? 'refused' : verdict;
}

/** What must come of it. @param place the home that the request is about, where it is about one */
export function verdictOf(who: Standing, need: Need, place: Place = 'own'): Verdict {
  if (need !== 'everyone' && (who.worth === null || who.mcpAlone)) return 'stranger';
  const grantIf = (isGranted: boolean): Verdict => (isGranted ? 'granted' : 'refused');
  if (typeof need === 'object') {
    if ('here' in need) {
      const role = who.worth?.[place];
      const needed = who.person === undefined ? need.here : (need.ofPerson ?? need.here);
      return role === undefined ? 'hidden' : grantIf(isEnough(role, needed));
    }
    const isBarred = need.developer === true && who.isNoDeveloper === true;
    return grantIf(!isBarred && isEnoughAnywhere(who, need.anywhere));
  }
  const isSystem = who.kind === 'system';
  const isSession = who.kind === 'session';
  switch (need) {
    case 'everyone':
    case 'anyone':
      return 'granted';
    case 'a person':
      return grantIf(who.person !== undefined);
    case 'a person or the relay':
      return grantIf(who.person !== undefined || (who.kind === 'token' && who.everywhere === true));
    case 'a session':
      return grantIf(isSession);
    case 'a session or the system':
      return grantIf(isSession || isSystem);
    case 'to look after apps':
      if (isSystem || isSession) return 'granted';
      return grantIf((who.kind === 'token' && !who.isLimited) || (who.kind === 'app' && who.scope === 'admin'));
    case 'to have something':
      return grantIf(who.everywhere ?? (who.person !== undefined && isEnoughAnywhere(who, 'control')));
    case 'the head':
      return grantIf(isSystem || (isSession && who.person === 'the founder'));
    case 'every home, signed in':
      return grantIf(isSystem || (isSession && PLACES.every((home) => isEnough(who.worth?.[home], 'owner'))));
    case 'the system':
      return grantIf(isSystem);
  }
}

/** What the two homes hold, under names that occur nowhere else, so that a leak shows. */
export const NAMES = {
  own: { home: 'Ownhouse', room: 'Ownroom', accessory: 'Ownlamp', thing: 'of Ownhouse' },
  foreign: { home: 'Farhouse', room: 'Farroom', accessory: 'Farlamp', thing: 'of Farhouse' },
} as const;

interface Furnished {
  readonly ids: Readonly<Record<Place, Readonly<Record<string, string>>>>;
}

/** That nothing reveals a home that this caller must not know of: neither a name nor an id. */
export function expectNoLeak({ ids }: Furnished, { worth }: Standing, text: string): void {
  for (const place of PLACES) {
    if (worth?.[place] !== undefined) continue;
    const { home, room, accessory, thing } = NAMES[place];
    // A device announces its own id to the whole network.
    const { device: _announced, ...others } = ids[place];
    const secrets = [home, room, accessory, thing, ...Object.values(others)];
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  }
}
