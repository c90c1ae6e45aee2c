/**
 * Follows the log: reads the existing lines, then the new ones on each notification. A separate event stream notifies,
 * and is open while this page is.
 */
import { useEffect, useState } from 'react';
import { ask, fetchRest } from '../../../api/client.ts';
import { EventParser } from '../../../api/event-stream.ts';
import { present } from '../../../api/graphql.ts';
import { appendLines, type LogLine, LogsQuery } from './log-lines.ts';

const RETRY_MS = 3_000;
const LINES_AT_ONCE = 1_000;

interface Followed {
  readonly lines: readonly LogLine[] | undefined;
  readonly error: unknown;
  /** Whether new lines appear at once. */
  readonly isLive: boolean;
}

const NOTHING: Followed = { lines: undefined, error: undefined, isLive: false };

export function useLog(): Followed {
  const [followed, setFollowed] = useState(NOTHING);
  useEffect(() => {
    const ending = new AbortController();
    void follow(ending.signal, (change) => setFollowed((before) => ({ ...before, ...change(before) })));
    return () => ending.abort();
  }, []);
  return followed;
}

type UpdateFollowed = (change: (before: Followed) => Partial<Followed>) => void;

async function follow(signal: AbortSignal, update: UpdateFollowed): Promise<void> {
  while (!signal.aborted) {
    try {
      await readStream(signal, update);
    } catch (error) {
      if (signal.aborted) return;
      update(() => ({ error }));
    }
    update(() => ({ isLive: false }));
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** Opens the stream before it reads the lines, so that no line in between is missed. */
async function readStream(signal: AbortSignal, update: UpdateFollowed): Promise<void> {
  const response = await fetchRest('/events?type=relay.logged', { headers: { Accept: 'text/event-stream' }, signal });
  const catchUp = catchUpWith(signal, update);
  await catchUp();
  update(() => ({ isLive: true, error: undefined }));
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const parser = new EventParser(() => void catchUp().catch((error: unknown) => update(() => ({ error }))));
  for (;;) {
    const piece = await reader?.read();
    if (!piece || piece.done) return;
    parser.feed(piece.value);
  }
}

/** @returns a function that reads the new lines; a call during a read causes one more read afterwards. */
function catchUpWith(signal: AbortSignal, update: UpdateFollowed): () => Promise<void> {
  let last: number | undefined;
  let under: Promise<void> | undefined;
  let isDue = false;
  const read = async (): Promise<void> => {
    do {
      isDue = false;
      const { relayLogs } = await ask(LogsQuery, { after: last ?? null, limit: LINES_AT_ONCE }, { signal });
      const more = present(relayLogs);
      last = more.at(-1)?.seq ?? last;
      update(({ lines = [] }) => ({ lines: appendLines(lines, more) }));
    } while (isDue);
  };
  return () => {
    isDue = true;
    under ??= read().finally(() => {
      under = undefined;
    });
    return under;
  };
}
