/**
 * `GET /events`: events of the home, as server-sent events, for callers who may see them. A client that reconnects
 * resumes after its last event (`Last-Event-ID`). If that is not possible, it gets an event `missed` and reads the
 * state again.
 */
import { Hono } from 'hono';
import type { AppDeps } from '../../app/access/app-deps.ts';
import type { Caller } from '../../app/access/caller.ts';
import type { Credentials } from '../../app/access/credentials.ts';
import { newId } from '../../kernel/ids.ts';
import type { ApiContext, ApiEnv } from '../env.ts';
import type { FailureLog } from '../failure-log.ts';
import { answer } from '../respond.ts';
import { EventPieces } from './event-pieces.ts';
import { lastEventId, parseEventsQuery } from './events-query.ts';
import type { LiveClients } from './live-clients.ts';
import type { LiveFilter, LiveReader } from './live-reader.ts';
import type { LiveRing } from './live-ring.ts';
import { endEvent, SSE_HEADERS, SseStream } from './sse-stream.ts';
import { StreamSupervisor, type WatchDeps, type WatchLimits, watchCaller } from './stream-supervisor.ts';

export const EVENTS_PATH = '/events';

/** A dashboard has one stream a tab, a program one or two; behind an untrusted proxy all have one address. */
const LIMITS: WatchLimits = {
  inAll: 96,
  perOwner: 64,
  perAddress: 80,
  sentence: 'Too many streams of events are open. Close one and try again.',
};

/** A client that does not read leaves one such piece in memory: some tens of kilobytes. */
const EVENTS_A_PIECE = 128;

export interface EventsDeps extends Omit<WatchDeps, 'onFailure'>, AppDeps<'state' | 'access'> {
  readonly credentials: Credentials;
  readonly live: LiveRing;
  readonly clients?: LiveClients | undefined;
  readonly failures: FailureLog;
}

/** After `authenticate`. */
export function eventsRoutes(deps: EventsDeps): Hono<ApiEnv> {
  const { failures } = deps;
  const onFailure = (error: unknown): void =>
    failures.note(error, { requestId: newId(), method: 'GET', path: EVENTS_PATH });
  const watch = new StreamSupervisor({ ...deps, onFailure }, LIMITS);
  deps.clients?.add('events', watch);
  const pieces = new EventPieces();
  return new Hono<ApiEnv>().get('/', (c) => {
    const caller = c.get('caller');
    const filter = parseEventsQuery(deps, caller, c);
    if (c.req.method === 'HEAD') return answer(null, 200, SSE_HEADERS);
    return openStream({ deps, watch, caller, filter, c, pieces, onFailure });
  });
}

interface StreamRequest {
  readonly deps: EventsDeps;
  readonly watch: StreamSupervisor;
  readonly caller: Caller;
  readonly filter: LiveFilter;
  readonly c: ApiContext;
  readonly pieces: EventPieces;
  readonly onFailure: (error: unknown) => void;
}

/** @throws `rate_limited` */
function openStream({ deps, watch, caller, filter, c, pieces, onFailure }: StreamRequest): Response {
  const { clock, credentials, live } = deps;
  const reader = live.open({ caller, filter, after: lastEventId(c) });
  try {
    const stream = new SseStream({
      clock,
      onFailure,
      watch: (acts) => watchCaller({ watch, credentials }, caller, acts),
      onDrain: () => flush(),
      onClose: () => reader.close(),
      env: c.env,
      lastWords: (reason) => endEvent(reason === 'failed' ? 'stopping' : reason),
      // Otherwise a client that gets few events would resume from an id that the ring no longer holds.
      fields: () => `id: ${reader.lastId}\n`,
    });
    const flush = (): void => pour(reader, stream, pieces);
    reader.onReady(() => stream.attempt(flush));
    return stream.answer();
  } catch (error) {
    reader.close();
    throw error;
  }
}

/** Writes as much as the client reads. */
function pour(reader: LiveReader, stream: SseStream, pieces: EventPieces): void {
  while (stream.takesMore && reader.hasMore) {
    // One write per batch: during the write, the client may request the next one.
    const piece = pieces.of(reader.next(EVENTS_A_PIECE));
    if (piece) stream.write(piece);
  }
}
