/** What every resolver gets beside its arguments: who asks, the operations, and what this request has read already. */
import type { Caller } from '../../app/access/caller.ts';
import type { Operations } from '../../app/operations.ts';
import type { GuardOptions } from '../guards.ts';
import type { RelayInfo } from '../health.ts';
import type { LiveRing } from '../live/live-ring.ts';
import type { RequestScope } from './request-scope.ts';

/** The operations that resolvers call, and what they look names and counts up in. */
export interface GraphqlDeps extends Readonly<Operations> {
  readonly info: RelayInfo;
  readonly guards: GuardOptions;
  /** What subscriptions look into. */
  readonly live: LiveRing;
}

export interface GraphqlContext {
  readonly caller: Caller;
  readonly deps: GraphqlDeps;
  readonly request: RequestScope;
  /** What asks, as it calls itself (User-Agent); to tell sessions apart, and nothing else. */
  readonly device: string | undefined;
  /** Scheme and host under which other programs reach webhooks. */
  readonly webhookOrigin: string;
}
