/** A GraphQL subscription without sockets: reads its stream as it comes, in the order of the protocol. */
import type { Hono } from 'hono';
import type { ApiEnv } from '../../../src/api/env.ts';

/** A liveness bound: what should have come by then never will. */
const SILENCE_MS = 5_000;

export interface Subscribing {
  readonly query: string;
  readonly token?: string | undefined;
  readonly env?: ApiEnv['Bindings'] | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function openEventStream(app: Hono<ApiEnv>, { query, token, env, headers }: Subscribing) {
  const response = await app.request(
    '/graphql',
    {
      method: 'POST',
      headers: {
        Host: 'localhost',
        Accept: 'text/event-stream',
        'Content-Type': 'application/json',
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: JSON.stringify({ query }),
    },
    env,
  );
  const reader = (response.body ?? new ReadableStream()).getReader();
  const decoder = new TextDecoder();

  /** The next piece; an empty text at the end. */
  const read = async (): Promise<string> => {
    const silence = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error('Nothing came')), SILENCE_MS).unref();
    });
    const { value, done } = await Promise.race([reader.read(), silence]);
    return done ? '' : decoder.decode(value as Uint8Array);
  };

  return {
    status: response.status,
    headers: response.headers,
    read,
    /** The next result, heartbeats passed over; `undefined` once the stream has ended. */
    // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails if it is not there.
    async next(): Promise<any> {
      for (;;) {
        const text = await read();
        if (text === '') return undefined;
        const data = /^data: (.+)$/m.exec(text)?.[1];
        if (data !== undefined) return JSON.parse(data);
      }
    },
    /** All that comes from now on. */
    async rest(): Promise<string> {
      let text = '';
      for (let piece = await read(); piece !== ''; piece = await read()) text += piece;
      return text;
    },
    close: () => reader.cancel(),
  };
}
