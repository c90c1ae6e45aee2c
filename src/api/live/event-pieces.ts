/**
 * Serialises events as bytes of an event stream (WHATWG HTML §9.2). A hundred clients with the same events get the same
 * bytes, created once: in a burst this is most of the cost of a stream.
 */
import type { LiveEvent } from './live-event.ts';
import type { LiveBatch } from './live-reader.ts';

/** Streams that wake at the same time, or soon after each other, need the same few runs of events. */
const MAX_KEPT = 16;

export class EventPieces {
  readonly #encoder = new TextEncoder();
  /** By the first and the last sequence number, of runs without a gap; the newest last. */
  readonly #kept = new Map<string, Uint8Array>();

  /** The bytes of a batch, in one piece; `undefined` if it is empty. */
  of({ events, missed }: LiveBatch): Uint8Array | undefined {
    const run = events.length > 0 ? this.#run(events) : undefined;
    if (!missed) return run;
    const gap = this.#encoder.encode(`event: missed\ndata: ${JSON.stringify(missed)}\n\n`);
    return run ? Buffer.concat([gap, run]) : gap;
  }

  #run(events: readonly LiveEvent[]): Uint8Array {
    const key = keyOf(events);
    const known = key === undefined ? undefined : this.#kept.get(key);
    if (known) return known;
    const made = this.#encoder.encode(events.map(present).join(''));
    if (key !== undefined) this.#keep(key, made);
    return made;
  }

  #keep(key: string, made: Uint8Array): void {
    this.#kept.set(key, made);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }
}

/** The ends identify a run only if it has no gap. */
function keyOf(events: readonly LiveEvent[]): string | undefined {
  const [first, last] = [events[0]?.seq ?? 0, events.at(-1)?.seq ?? 0];
  return last - first + 1 === events.length ? `${first}-${last}` : undefined;
}

/** JSON has no line breaks of its own. */
function present({ id, type, json }: LiveEvent): string {
  return `id: ${id}\nevent: ${type}\ndata: ${json}\n\n`;
}
