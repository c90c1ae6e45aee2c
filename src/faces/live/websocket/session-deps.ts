/** What a session is given: the operations, and what it shares with the other sessions. */
import type { Caller } from '../../../app/access/caller.ts';
import type { RequestLimits } from '../../../app/sharing/request-limits.ts';
import type { RestDeps } from '../../rest/routes.ts';
import type { LiveRing } from '../live-ring.ts';
import type { WatchedStream, WatchSubject } from '../watch.ts';
import type { Broadcasts } from './broadcasts.ts';

export interface SessionDeps extends RestDeps {
  /** What the relay is called. */
  readonly name: string;
  readonly live: LiveRing;
  readonly broadcasts: Broadcasts;
  readonly shareLimits: RequestLimits;
  /** Looks twice a second whether this caller may stay. @throws `rate_limited` */
  watch(caller: Caller, acts: Pick<WatchSubject, 'onEnd' | 'onTick'>): WatchedStream;
  /** For `config`. */
  counts(caller: Caller): { readonly webClientCount: number; readonly webhookCount: number };
  readonly onClosed: () => void;
  /** Told what went wrong where the client is told no more than that. */
  readonly onFailure: (error: unknown) => void;
}
