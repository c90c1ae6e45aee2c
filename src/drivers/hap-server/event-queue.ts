/**
 * The events that a connection has still to send. One message holds each characteristic at most once: a controller may
 * read a message in any order. What changed twice while events were held back is sent twice, because automations
 * depend on it; equal values in a row are one event, except those of buttons.
 */
import { encodeEvent } from './response.ts';

export interface PendingEvent {
  /** `aid.iid` */
  readonly key: string;
  /** The element of the message: a JSON object. */
  readonly element: string;
  readonly isPress: boolean;
}

/** More than that, and earlier values of the same characteristic are dropped; presses are never dropped. */
const MAX_PENDING = 1_024;

export class EventQueue {
  #pending: PendingEvent[] = [];

  get isEmpty(): boolean {
    return this.#pending.length === 0;
  }

  /** @returns `false` if there is no room: the controller does not read, and has to connect again */
  add(event: PendingEvent): boolean {
    if (!event.isPress) {
      const last = this.#pending.findLast(({ key }) => key === event.key);
      if (last?.element === event.element) return true;
      if (this.#pending.length >= MAX_PENDING) this.#pending = this.#pending.filter(({ key }) => key !== event.key);
    } else if (this.#pending.length >= MAX_PENDING) return false;
    this.#pending.push(event);
    return true;
  }

  /** The events of these characteristics as messages, in order. The queue is empty afterwards. */
  take(isSubscribed: (key: string) => boolean): Buffer {
    const messages: Buffer[] = [];
    let batch = new Map<string, string>();
    for (const { key, element } of this.#pending) {
      if (!isSubscribed(key)) continue;
      if (batch.has(key)) {
        messages.push(encodeBatch(batch));
        batch = new Map();
      }
      batch.set(key, element);
    }
    this.#pending = [];
    if (batch.size > 0) messages.push(encodeBatch(batch));
    return Buffer.concat(messages);
  }
}

/** The latest first, as HAP-NodeJS sends it: Apple's controllers process the elements from the end. */
function encodeBatch(batch: ReadonlyMap<string, string>): Buffer {
  return encodeEvent([...batch.values()].reverse());
}
