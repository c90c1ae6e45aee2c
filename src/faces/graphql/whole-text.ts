/**
 * GraphQL's answers are not streamed: a long text is in memory whole, and several times over until it is sent. Of such texts only a
 * few are put together at once, whoever asks, so that a dozen requests at a time do not take all the memory of a small computer.
 */
import { HearthError } from '../../kernel/errors.ts';

/** An export of 200,000 samples takes about a hundred megabytes on its way out. */
const MOST_AT_ONCE = 2;
/** One takes a second or two. */
const RETRY_AFTER_S = 5;

const underway = new WeakMap<object, number>();

/** @param source what is read, which there is one of in a daemon. @throws `rate_limited` others are being put together */
export async function withPlace<T>(source: object, work: () => Promise<T>): Promise<T> {
  const others = underway.get(source) ?? 0;
  if (others >= MOST_AT_ONCE) {
    throw new HearthError(
      'rate_limited',
      'Others are exporting now. Try again in a few seconds, or use GET /rest/history/export, which streams.',
      { retryAfterSeconds: RETRY_AFTER_S },
    );
  }
  underway.set(source, others + 1);
  try {
    return await work();
  } finally {
    underway.set(source, (underway.get(source) ?? 1) - 1);
  }
}
