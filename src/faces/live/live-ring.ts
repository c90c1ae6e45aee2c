/**
 * What happens in the house, for everybody who looks on: `GET /events`, WebSockets, GraphQL subscriptions. The last events are kept once,
 * in one ring, and each stream has a place in it (`live-reader.ts`): a hundred streams cost a hundred numbers, a slow one costs no
 * more than a fast one, and one that comes back goes on where it was. It knows nothing of any protocol.
 *
 * A house in which nobody ever looks on keeps nothing: the ring begins to listen when its first reader comes.
 */
import { randomBytes } from 'node:crypto';
import type { Access } from '../../app/access/authorize.ts';
import type { Caller } from '../../app/access/caller.ts';
import type { EventReports } from '../../home/event-reports.ts';
import type { HomeEvents } from '../../home/events.ts';
import type { Clock } from '../../kernel/clock.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { EventBus } from '../../kernel/event-bus.ts';
import type { Logger } from '../../kernel/logger.ts';
import { LIVE_ONLY_REPORTS, LiveEvent, type LiveReport } from './live-event.ts';
import { type LiveFilter, type LivePlace, LiveReader, type Ring } from './live-reader.ts';

/** Ten seconds of the busiest house that is promised to work. */
const MOST_EVENTS = 10_000;
/** As long as a phone sleeps between two looks at a page; whoever was away longer reads the state again. */
const LONGEST_MS = 600_000;
/** Where values are long texts, fewer events are kept. */
const MOST_BYTES = 12_000_000;
/** What an event takes beside its texts, roughly. */
const BYTES_AN_EVENT = 400;
/** In a burst all readers are woken this often: the first event goes out at once, those that follow go together. */
const WAKE_GAP_MS = 25;

const EPOCH_BYTES = 6;
const ID = /^([0-9a-f]{12})-(\d{1,15})$/;

export interface LiveRingDeps {
  readonly bus: EventBus<HomeEvents>;
  readonly reports: EventReports;
  readonly access: Access;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface LiveRingLimits {
  readonly mostEvents: number;
  readonly mostBytes: number;
  readonly longestMs: number;
}

interface Slot {
  readonly event: LiveEvent;
  readonly bytes: number;
  /** By the monotonic clock. */
  readonly keptAt: number;
}

export class LiveRing implements Ring {
  readonly #deps: LiveRingDeps;
  readonly #limits: LiveRingLimits;
  /** Another at each start: sequence numbers begin anew, and no client goes on in those of a life before. */
  readonly #epoch = randomBytes(EPOCH_BYTES).toString('hex');
  readonly #readers = new Set<LiveReader>();
  /** An event is at its sequence number modulo the size. */
  readonly #slots: (Slot | undefined)[] = [];
  #oldestSeq = 1;
  #nextSeq = 1;
  #bytes = 0;
  #isListening = false;
  #isWaking = false;
  #wokenAt = Number.NEGATIVE_INFINITY;
  #missed = 0;

  constructor(deps: LiveRingDeps, limits: Partial<LiveRingLimits> = {}) {
    this.#deps = deps;
    this.#limits = { mostEvents: MOST_EVENTS, mostBytes: MOST_BYTES, longestMs: LONGEST_MS, ...limits };
  }

  /**
   * A reader for this caller, at the newest event, or where it was before.
   * @param after the id of the last event that it had, or what `lastId` said.
   */
  open({ caller, after, filter }: { caller: Caller; after?: string | undefined; filter?: LiveFilter }): LiveReader {
    this.#listen();
    const place = after === undefined ? { seq: this.#nextSeq, missed: undefined } : this.#placeAfter(after);
    const reader = new LiveReader({ ring: this, access: this.#deps.access, caller, place, filter });
    this.#readers.add(reader);
    if (reader.hasMore) this.#wakeSoon();
    return reader;
  }

  get oldestSeq(): number {
    return this.#oldestSeq;
  }

  get nextSeq(): number {
    return this.#nextSeq;
  }

  eventAt(seq: number): LiveEvent | undefined {
    if (seq < this.#oldestSeq || seq >= this.#nextSeq) return undefined;
    return this.#slots[seq % this.#limits.mostEvents]?.event;
  }

  idOf(seq: number): string {
    return `${this.#epoch}-${seq}`;
  }

  forget(reader: LiveReader): void {
    this.#readers.delete(reader);
  }

  /** How many events readers were too slow for, all of them together. */
  get missed(): number {
    return this.#missed;
  }

  noteMissed(count: number): void {
    this.#missed += count;
  }

  /** Tells readers that something is there, at the end of this turn of the loop; in a burst a moment later, with all that came. */
  #wakeSoon(): void {
    if (this.#isWaking || this.#readers.size === 0) return;
    this.#isWaking = true;
    const { clock } = this.#deps;
    const waitMs = this.#wokenAt + WAKE_GAP_MS - clock.monotonic();
    if (waitMs > 0) clock.after(waitMs, () => this.#wake());
    else setImmediate(() => this.#wake());
  }

  #wake(): void {
    this.#isWaking = false;
    this.#wokenAt = this.#deps.clock.monotonic();
    for (const reader of [...this.#readers]) {
      try {
        reader.wake();
      } catch (error) {
        this.#deps.logger.error({ error: messageOf(error) }, 'A live stream failed');
      }
    }
  }

  #placeAfter(id: string): LivePlace {
    const [, epoch, text] = ID.exec(id) ?? [];
    const seq = Number(text) + 1;
    if (epoch !== this.#epoch || seq > this.#nextSeq) return { seq: this.#nextSeq, missed: { reason: 'restarted' } };
    return { seq, missed: undefined };
  }

  #listen(): void {
    if (this.#isListening) return;
    this.#isListening = true;
    const { bus, reports } = this.#deps;
    reports.on((report) => this.#keep({ ...report, userId: null }));
    for (const name of keysOf(LIVE_ONLY_REPORTS)) this.#listenTo(bus, name);
  }

  #listenTo<K extends keyof typeof LIVE_ONLY_REPORTS>(bus: EventBus<HomeEvents>, name: K): void {
    bus.on(name, (event) => this.#keep(LIVE_ONLY_REPORTS[name](event, this.#deps.clock.now())));
  }

  #keep(report: LiveReport): void {
    const seq = this.#nextSeq;
    if (seq - this.#oldestSeq >= this.#limits.mostEvents) this.#drop();
    const bytes = bytesOf(report);
    const event = new LiveEvent(seq, this.idOf(seq), report);
    this.#slots[seq % this.#limits.mostEvents] = { event, bytes, keptAt: this.#deps.clock.monotonic() };
    this.#nextSeq += 1;
    this.#bytes += bytes;
    this.#prune();
    this.#wakeSoon();
  }

  #prune(): void {
    const { mostBytes, longestMs, mostEvents } = this.#limits;
    const before = this.#deps.clock.monotonic() - longestMs;
    for (;;) {
      const oldest = this.#slots[this.#oldestSeq % mostEvents];
      if (!oldest || (this.#bytes <= mostBytes && oldest.keptAt >= before)) return;
      this.#drop();
    }
  }

  #drop(): void {
    const index = this.#oldestSeq % this.#limits.mostEvents;
    this.#bytes -= this.#slots[index]?.bytes ?? 0;
    this.#slots[index] = undefined;
    this.#oldestSeq += 1;
  }
}

/** Texts count twice: as they came, and in the JSON that is made of them. */
function bytesOf({ data }: LiveReport): number {
  let bytes = BYTES_AN_EVENT;
  for (const value of Object.values(data)) if (typeof value === 'string') bytes += 2 * value.length;
  return bytes;
}

function keysOf<T extends object>(table: T): readonly (keyof T)[] {
  return Object.keys(table) as (keyof T)[];
}
