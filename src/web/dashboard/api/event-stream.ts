/**
 * Reads `GET /events` with fetch, because `EventSource` can't send an Authorization header. It handles one stream from
 * beginning to end; `live-connection.ts` opens the next one.
 */
import { fetchRest } from './client.ts';

/** One event of the home, as the API reference describes `/events`. */
export interface LiveEvent {
  /** The position to resume from. */
  readonly id: string;
  /** `state.changed`, `layout.changed` …; `missed`: events were lost, so all data must be reloaded. */
  readonly type: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

interface StreamActs {
  /** The relay answered: from now on the stream delivers every event. */
  onOpen(): void;
  onEvent(event: LiveEvent): void;
  /** Any data arrived, even a heartbeat. */
  onSign(): void;
}

/**
 * Reads until the stream ends; the end is not an error. @throws `ApiError` if the relay refuses the stream or it never
 * begins; otherwise the error that broke it
 */
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

/** Data arrives in chunks with arbitrary boundaries; an event ends with an empty line (WHATWG HTML §9.2). */
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
  // An event with only an id sets the resume position without data.
  if (data === undefined || type === undefined) return id ? { id, type: '', timestamp: '', data: {} } : undefined;
  const body = JSON.parse(data);
  return { id, type, timestamp: body.timestamp ?? '', data: body.data ?? body };
}
