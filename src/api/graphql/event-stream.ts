/**
 * Sends the results of a subscription to one client by the protocol of graphql-sse ("distinct connections mode"): an
 * event `next` for each, `complete` when no more will come. It creates a result when the client has read the one
 * before, so that a slow client costs no memory. If the stream ends without `complete`, clients of the protocol
 * reconnect: that is intended when the relay restarts.
 */
import { SSE_HEADERS, type SseDeps, SseStream } from '../live/sse-stream.ts';
import { answer } from '../respond.ts';

/** The protocol requires the empty field: browsers' own EventSource drops an event without data. */
const COMPLETE = 'event: complete\ndata:\n\n';

/** @param result as JSON, in one line. */
function next(result: string): string {
  return `event: next\ndata: ${result}\n\n`;
}

/** For an operation with an immediate result: one result, then the end. */
export function answerOnce(result: string): Response {
  return answer(next(result) + COMPLETE, 200, SSE_HEADERS);
}

interface ResultStreamDeps extends Pick<SseDeps, 'clock' | 'watch' | 'onFailure' | 'env'> {
  /** Each result as JSON. */
  readonly results: AsyncIterator<string>;
  /** The result for revoked credentials. */
  readonly revoked: () => string;
}

/** @throws as `parts.watch` */
export function answerStream({ results, revoked, ...parts }: ResultStreamDeps): Response {
  let isAsked = false;
  const ask = async (): Promise<void> => {
    if (isAsked) return;
    isAsked = true;
    try {
      const { value, done } = await results.next();
      isAsked = false;
      if (done) stream.close(COMPLETE);
      else stream.write(next(value));
    } catch (error) {
      parts.onFailure(error);
      stream.close('');
    }
  };
  const stream = new SseStream({
    ...parts,
    onDrain: () => void ask(),
    onClose: () => void results.return?.().catch(parts.onFailure),
    lastWords: (reason) => (reason === 'revoked' ? next(revoked()) + COMPLETE : ''),
  });
  return stream.answer();
}
