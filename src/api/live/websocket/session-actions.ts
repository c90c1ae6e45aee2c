/** Actions about the session itself: authentication and subscriptions (wire-facts §11.1). */
import { z } from 'zod';
import type { Caller, Principal } from '../../../app/access/caller.ts';
import { HearthError, unreachable } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { checkEnvelope } from '../../read-body.ts';
import { WebSocketError } from './error-codes.ts';
import type { SessionDeps } from './session-deps.ts';
import { SCOPE_TYPES, type SocketSubscriptions } from './subscriptions.ts';

/** The part of the session that these actions use. */
export interface SessionSubject {
  readonly caller: Caller;
  readonly subscriptions: SocketSubscriptions;
  /** From now on the session has this caller. @throws `rate_limited` they have the maximum of connections */
  identify(caller: Caller): void;
  /** Counts a wrong token. After a few the connection closes, once the error is sent. */
  countBadToken(): void;
}

export type SessionAction = (payload: unknown, session: SessionSubject, deps: SessionDeps) => object | Promise<object>;

const MAX_SCOPES = 500;
/** Longer than any key of the state tree: the relay stores each scope of an unauthenticated client as it was sent. */
const MAX_SCOPE_ID_LENGTH = 256;
const Scope = z.object({ type: z.enum(SCOPE_TYPES), id: z.string().max(MAX_SCOPE_ID_LENGTH) });
const Scopes = z.array(Scope);
const Token = z.object({ token: z.string() });
const Subscribe = z.object({ scopes: Scopes, ttl: z.number().nullish() });
const Unsubscribe = z.object({ scopes: Scopes.nullish() });

export const SESSION_ACTIONS: ReadonlyMap<string, SessionAction> = new Map(
  Object.entries({
    async authenticate(payload, session, deps) {
      const { token } = checkEnvelope(payload, Token);
      const principal = await authenticated(token, session, deps);
      session.identify({ ...session.caller, requestId: newId(), principal });
      return { success: true, name: nameOf(principal, deps) };
    },
    subscribe(payload, session) {
      const { scopes, ttl } = checkEnvelope(payload, Subscribe);
      if (scopes.length > MAX_SCOPES) {
        throw new HearthError('invalid_request', `"scopes" may have ${MAX_SCOPES} entries at most.`);
      }
      const { subscriptions, rejected } = session.subscriptions.add(scopes, ttl ?? undefined);
      return { subscriptions, ...(rejected.length > 0 && { rejected }) };
    },
    unsubscribe(payload, session) {
      session.subscriptions.remove(checkEnvelope(payload, Unsubscribe).scopes ?? undefined);
      return { success: true, subscriptions: session.subscriptions.list() };
    },
    'subscriptions.list': (_payload, session) => ({ subscriptions: session.subscriptions.list() }),
  } satisfies Readonly<Record<string, SessionAction>>),
);

/** A token of any kind that the API accepts. @throws AUTH_FAILED */
async function authenticated(token: string, session: SessionSubject, { credentials }: SessionDeps): Promise<Principal> {
  try {
    return await credentials.authenticate(token, 'api');
  } catch (error) {
    if (!(error instanceof HearthError) || error.code !== 'invalid_token') throw error;
    session.countBadToken();
    throw new WebSocketError('AUTH_FAILED', error.message);
  }
}

/** The name that the client shows as signed in. */
function nameOf(principal: Principal, { users, name }: SessionDeps): string {
  switch (principal.kind) {
    case 'user':
    case 'oauth_client':
      return users.find(principal.userId)?.name ?? name;
    case 'access_token':
      return (principal.makerId === null ? undefined : users.find(principal.makerId)?.name) ?? name;
    case 'system':
    case 'anonymous':
    case 'enrolling':
    case 'share_link':
    case 'automation':
    case 'mqtt_broker':
    case 'publication':
      return name;
    default:
      return unreachable(principal);
  }
}
