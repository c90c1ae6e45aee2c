import type { Database } from '../../storage/database.ts';
import { readPermissions } from './access-token-store.ts';
import type { TiedThing } from './authority.ts';
import type { HomePermissions } from './caller.ts';

/** The app or access token that made or changed a thing, by its keys. */
export type MakerKey =
  | { readonly kind: 'token'; readonly tokenId: string }
  | { readonly kind: 'app'; readonly clientId: string; readonly userId: string };

/** The maker with its current state. */
export type StoredMaker = {
  readonly thing: TiedThing;
  readonly thingId: string;
  /** It has ended, together with everything that it made. */
  readonly isOver: boolean;
  /** `null`: no limit of its own. */
  readonly homePermissions: HomePermissions;
} & (
  | { readonly kind: 'token'; readonly tokenId: string; readonly makerId: string | null }
  | {
      readonly kind: 'app';
      readonly clientId: string;
      readonly userId: string;
      readonly scope: 'read' | 'write' | 'admin';
      /** The app has an access token or a refresh token that has not expired. */
      readonly isSignedIn: boolean;
    }
);

interface Row {
  thing: TiedThing;
  thing_id: string;
  token_id: string | null;
  client_id: string | null;
  user_id: string | null;
  is_over: 0 | 1;
  is_signed_in: 0 | 1;
  home_permissions: string | null;
  scope: 'read' | 'write' | 'admin' | null;
  token_maker_id: string | null;
}

/** State at the time `@now`. A repeated consent has another time, and revives nothing. */
const SELECT = `
  SELECT made_by.thing, made_by.thing_id, made_by.token_id, made_by.client_id, made_by.user_id,
    CASE WHEN made_by.token_id IS NULL
      THEN consent.created_at IS NULL OR consent.created_at IS NOT made_by.consent_at
      ELSE token.id IS NULL OR token.made_ended_at IS NOT NULL OR token.expired_at IS NOT NULL
        OR coalesce(token.expires_at <= @now, 0)
    END AS is_over,
    EXISTS (SELECT 1 FROM oauth_artifacts AS issued
      WHERE issued.client_id = made_by.client_id AND issued.user_id = made_by.user_id
        AND issued.kind IN ('AccessToken', 'RefreshToken') AND issued.consumed_at IS NULL
        AND issued.expired_at IS NULL AND issued.expires_at > @now) AS is_signed_in,
    coalesce(consent.home_permissions, token.home_permissions) AS home_permissions,
    consent.scope, token.maker_id AS token_maker_id
  FROM made_by
    LEFT JOIN oauth_consents AS consent ON consent.client_id = made_by.client_id AND consent.user_id = made_by.user_id
    LEFT JOIN access_tokens AS token ON token.id = made_by.token_id`;

const OLDEST_FIRST = 'ORDER BY made_by.created_at, made_by.thing, made_by.thing_id';

/** The table `made_by`, read together with the apps and tokens that it names. */
export class MakerStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  isEmpty(): boolean {
    return this.#database.prepare('SELECT 1 FROM made_by LIMIT 1').get() === undefined;
  }

  /** Records that the maker made or changed the thing. @param grantHash the sign-in of an app */
  save(thing: TiedThing, thingId: string, key: MakerKey, grantHash: string | null, at: number): void {
    const columns =
      key.kind === 'token'
        ? { tokenId: key.tokenId, clientId: null, userId: null }
        : { tokenId: null, clientId: key.clientId, userId: key.userId };
    this.#database
      .prepare(
        `INSERT INTO made_by (thing, thing_id, maker, token_id, client_id, user_id, consent_at, grant_hash, created_at)
         VALUES (@thing, @thingId, @maker, @tokenId, @clientId, @userId,
           (SELECT created_at FROM oauth_consents WHERE client_id = @clientId AND user_id = @userId), @grantHash, @at)
         ON CONFLICT (thing, thing_id, maker) DO UPDATE SET consent_at = excluded.consent_at`,
      )
      .run({ thing, thingId, maker: textOf(key), ...columns, grantHash, at });
  }

  has(thing: TiedThing, thingId: string, key: MakerKey): boolean {
    const row = this.#database
      .prepare('SELECT 1 FROM made_by WHERE thing = ? AND thing_id = ? AND maker = ?')
      .get(thing, thingId, textOf(key));
    return row !== undefined;
  }

  of(thing: TiedThing, thingId: string, now: number): readonly StoredMaker[] {
    return this.#select('made_by.thing = @thing AND made_by.thing_id = @thingId', { thing, thingId, now });
  }

  byToken(tokenId: string, now: number): readonly StoredMaker[] {
    return this.#select('made_by.token_id = @tokenId', { tokenId, now });
  }

  byApp(clientId: string, userId: string, now: number): readonly StoredMaker[] {
    return this.#select('made_by.client_id = @clientId AND made_by.user_id = @userId', { clientId, userId, now });
  }

  /** Things whose maker has ended. */
  over(now: number): readonly StoredMaker[] {
    return this.#select('is_over', { now });
  }

  /** Ends what the app made through this sign-in. */
  endGrant(grantHash: string): void {
    this.#database.prepare('UPDATE made_by SET consent_at = NULL WHERE grant_hash = ?').run(grantHash);
  }

  forget(thing: TiedThing, thingId: string): void {
    this.#database.prepare('DELETE FROM made_by WHERE thing = ? AND thing_id = ?').run(thing, thingId);
  }

  #select(where: string, parameters: Readonly<Record<string, unknown>>): readonly StoredMaker[] {
    return this.#database
      .prepare<[Readonly<Record<string, unknown>>], Row>(`${SELECT} WHERE ${where} ${OLDEST_FIRST}`)
      .all(parameters)
      .map(toMaker);
  }
}

const textOf = (key: MakerKey): string =>
  key.kind === 'token' ? `token ${key.tokenId}` : `app ${key.clientId} ${key.userId}`;

function toMaker(row: Row): StoredMaker {
  const shared = {
    thing: row.thing,
    thingId: row.thing_id,
    isOver: row.is_over === 1,
    homePermissions: row.home_permissions === null ? null : readPermissions(row.home_permissions),
  };
  if (row.token_id !== null) return { ...shared, kind: 'token', tokenId: row.token_id, makerId: row.token_maker_id };
  return {
    ...shared,
    kind: 'app',
    clientId: row.client_id ?? '',
    userId: row.user_id ?? '',
    scope: row.scope ?? 'read',
    isSignedIn: row.is_signed_in === 1,
  };
}
