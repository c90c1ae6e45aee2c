/**
 * Results of a subscription on their way to one client, as the protocol of graphql-sse has it ("distinct connections mode"): an event
 * `next` for each, `complete` where no more will come. A result is made when the client has taken the one before, so that a client that
 * is slow costs no memory. Where the stream ends without `complete`, clients of the protocol connect again: that is what they shall do
 * when the relay is started anew.
 */
import { SSE_HEADERS, type SseParts, SseStream } from '../live/sse-stream.ts';
import { answer } from '../respond.ts';

/** The protocol wants the empty field: browsers' own EventSource drops an event without data. */
const COMPLETE = 'event: complete\ndata:\n\n';

/** @param result as JSON, in one line. */
function next(result: string): string {
  return `event: next\ndata: ${result}\n\n`;
}

/** What has its results at once: one, and the end. */
export function answerOnce(result: string): Response {
  return answer(next(result) + COMPLETE, 200, SSE_HEADERS);
}

interface ResultStreamParts extends Pick<SseParts, 'clock' | 'watch' | 'onFailure' | 'cut'> {
  /** Each result as JSON. */
  readonly results: AsyncIterator<string>;
  /** The result that says that the credentials count no more. */
  readonly revoked: () => string;
}

/** @throws as `parts.watch` */
export function answerStream({ results, revoked, ...parts }: ResultStreamParts): Response {
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
