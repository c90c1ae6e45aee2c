/** The context of every resolver: the caller, the operations, and a cache of this request's reads. */
import type { Caller } from '../../app/access/caller.ts';
import type { Operations } from '../../app/operations.ts';
import type { GuardOptions } from '../guards.ts';
import type { RelayInfo } from '../health.ts';
import type { LiveRing } from '../live/live-ring.ts';
import type { RequestScope } from './request-scope.ts';

/** The operations that resolvers call, and the sources of names and counts. */
export interface GraphqlDeps extends Readonly<Operations> {
  readonly info: RelayInfo;
  readonly guards: GuardOptions;
  /** The source of subscriptions. */
  readonly live: LiveRing;
}

export interface GraphqlContext {
  readonly caller: Caller;
  readonly deps: GraphqlDeps;
  readonly request: RequestScope;
  /** The client's User-Agent; it serves only to distinguish sessions. */
  readonly device: string | undefined;
  /** Scheme and host under which other programs reach webhooks. */
  readonly webhookOrigin: string;
  /** Scheme and host under which the client reached the relay. */
  readonly origin: string;
}
