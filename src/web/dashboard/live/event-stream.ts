/**
 * `GET /events` read with fetch: `EventSource` can't send an Authorization header. One stream, from its beginning to its end; who opens
 * the next one is `live-connection.ts`.
 */
import { fetchRest } from '../api/client.ts';

/** One event of the house, as the API reference describes `/events`. */
export interface LiveEvent {
  /** To go on from. */
  readonly id: string;
  /** `state.changed`, `layout.changed` …; `missed`: events were lost, and what is known must be read again. */
  readonly type: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

interface StreamActs {
  /** The relay answered: everything from now on will be told. */
  onOpen(): void;
  onEvent(event: LiveEvent): void;
  /** Anything came, if only a heartbeat. */
  onSign(): void;
}

/** Reads until the stream ends, which is no error. @throws `ApiError` it was refused or never began; whatever broke it */
export async function readEvents(after: string | undefined, acts: StreamActs, signal: AbortSignal): Promise<void> {
  const response = await fetchRest('/events', {
    headers: { Accept: 'text/event-stream', ...(after !== undefined && { 'Last-Event-ID': after }) },
    signal,
  });
  if (!response.body) return;
  acts.onOpen();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const parser = new EventParser(acts.onEvent);
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    acts.onSign();
    parser.feed(value);
  }
}

/** Bytes come in pieces that end anywhere; an event ends with an empty line (WHATWG HTML §9.2). */
export class EventParser {
  readonly #onEvent: (event: LiveEvent) => void;
  #text = '';

  constructor(onEvent: (event: LiveEvent) => void) {
    this.#onEvent = onEvent;
  }

  feed(piece: string): void {
    const parts = (this.#text + piece).split('\n\n');
    this.#text = parts.pop() ?? '';
    for (const part of parts) {
      const event = parseEvent(part);
      if (event) this.#onEvent(event);
    }
  }
}

function parseEvent(text: string): LiveEvent | undefined {
  const fields = new Map<string, string>();
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':');
    // A line that begins with a colon is a comment: a heartbeat.
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1).replace(/^ /, ''));
  }
  const data = fields.get('data');
  const type = fields.get('event');
  const id = fields.get('id') ?? '';
  // An id alone says from where to go on, though nothing was told.
  if (data === undefined || type === undefined) return id ? { id, type: '', timestamp: '', data: {} } : undefined;
  const body = JSON.parse(data);
  return { id, type, timestamp: body.timestamp ?? '', data: body.data ?? body };
}
