/**
 * The results of a subscription as they arrive: server-sent events, an event `next` for each result and `complete` at
 * the end (the protocol of graphql-sse, "distinct connections mode"). A waiting generator would end only after its next
 * event. GraphiQL's stop button must end it at once, so this is not a generator.
 */

const NEXT = 'next';

export class ResultStream implements AsyncIterableIterator<unknown> {
  readonly #reader: ReadableStreamDefaultReader<string>;
  #text = '';

  constructor(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
    this.#reader = body.pipeThrough(new TextDecoderStream()).getReader();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** The iteration ends in the same way after `complete` and after a stop of the relay. */
  async next(): Promise<IteratorResult<unknown>> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end >= 0) {
        const event = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        const { name, data } = fieldsOf(event);
        if (name === NEXT) return { value: JSON.parse(data), done: false };
        continue;
      }
      const { value, done } = await this.#reader.read();
      if (done) return { value: undefined, done: true };
      this.#text += value;
    }
  }

  /** Aborts the request; the relay sees the closed connection. */
  async return(): Promise<IteratorResult<unknown>> {
    await this.#reader.cancel();
    return { value: undefined, done: true };
  }
}

/** The relay writes one line for each field; heartbeats are comments, which have neither. */
function fieldsOf(event: string): { readonly name: string; readonly data: string } {
  const field = (key: string): string =>
    event
      .split('\n')
      .find((line) => line.startsWith(`${key}: `))
      ?.slice(key.length + 2) ?? '';
  return { name: field('event'), data: field('data') };
}
