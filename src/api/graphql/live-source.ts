import type { LiveEvent } from '../live/live-event.ts';
import type { LiveReader, Missed } from '../live/live-reader.ts';

/** An event, and the number of events lost before it. */
export interface LiveMessage {
  readonly event: LiveEvent;
  readonly missed: Missed | undefined;
}

/**
 * A position in the ring of events as GraphQL reads it: one event after the other. It takes each event only on request,
 * so that a slow client holds nothing, and it checks permissions at that time. `return` ends it, even while a reader
 * waits; a generator would end with the next event only.
 */
export class LiveSource implements AsyncIterableIterator<LiveMessage> {
  readonly #reader: LiveReader;
  #missed: Missed | undefined;
  #waiting: ((result: IteratorResult<LiveMessage>) => void) | undefined;
  #isOver = false;

  constructor(reader: LiveReader) {
    this.#reader = reader;
    reader.onReady(() => this.#serve());
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<LiveMessage>> {
    if (this.#isOver) return Promise.resolve(OVER);
    const message = this.#take();
    if (message) return Promise.resolve({ value: message, done: false });
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  return(): Promise<IteratorResult<LiveMessage>> {
    this.#isOver = true;
    this.#reader.close();
    this.#answer(OVER);
    return Promise.resolve(OVER);
  }

  #serve(): void {
    const message = this.#waiting && this.#take();
    if (message) this.#answer({ value: message, done: false });
  }

  #answer(result: IteratorResult<LiveMessage>): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.(result);
  }

  /** Reports lost events with the event that comes after them. */
  #take(): LiveMessage | undefined {
    const { events, missed } = this.#reader.next(1);
    this.#missed ??= missed;
    const [event] = events;
    if (!event) return undefined;
    const message = { event, missed: this.#missed };
    this.#missed = undefined;
    return message;
  }
}

const OVER: IteratorResult<LiveMessage> = { value: undefined, done: true };
