/**
 * GraphQL's responses are not streamed: a long text is in memory whole, and several times over until it is sent. Only a
 * few such texts are built at once, across all callers, so that a dozen concurrent requests do not exhaust the memory
 * of a small computer.
 */
import { HearthError } from '../../kernel/errors.ts';

/** An export of 200,000 samples takes about a hundred megabytes until it is sent. */
const MAX_CONCURRENT = 2;
/** One takes a second or two. */
const RETRY_AFTER_S = 5;

const underway = new WeakMap<object, number>();

/** @param source the source of the text, one object per daemon. @throws `rate_limited` other texts are being built */
export async function withPlace<T>(source: object, work: () => Promise<T>): Promise<T> {
  const others = underway.get(source) ?? 0;
  if (others >= MAX_CONCURRENT) {
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
