/** The dependencies of a session: the operations, and the state that it shares with the other sessions. */
import type { Caller } from '../../../app/access/caller.ts';
import type { ShareRateLimits } from '../../../app/sharing/request-limits.ts';
import type { ApiDeps } from '../../api-deps.ts';
import type { LiveRing } from '../live-ring.ts';
import type { WatchedStream, WatchSubject } from '../stream-supervisor.ts';
import type { Broadcasts } from './broadcasts.ts';

export interface SessionDeps extends ApiDeps {
  /** The name of the relay. */
  readonly name: string;
  readonly live: LiveRing;
  readonly broadcasts: Broadcasts;
  readonly shareLimits: ShareRateLimits;
  /** Checks twice a second whether this caller may stay. @throws `rate_limited` */
  watch(caller: Caller, acts: Pick<WatchSubject, 'onEnd' | 'onTick'>): WatchedStream;
  /** For `config`. */
  counts(caller: Caller): { readonly webClientCount: number; readonly webhookCount: number };
  readonly onClosed: () => void;
  /** Called with errors whose details the client does not get. */
  readonly onFailure: (error: unknown) => void;
}
