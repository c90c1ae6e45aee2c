/**
 * Stores recent events of the home for all live streams: `GET /events`, WebSockets, GraphQL subscriptions. One ring
 * holds the last events once, and each stream has a position in it (`live-reader.ts`). A hundred streams cost a hundred
 * numbers, a slow one costs no more than a fast one, and one that reconnects resumes at its position. The ring does not
 * depend on any protocol.
 *
 * A relay without live clients stores no events: the ring subscribes when its first reader opens.
 */
import { randomBytes } from 'node:crypto';
import type { AppDeps } from '../../app/access/app-deps.ts';
import type { Caller } from '../../app/access/caller.ts';
import type { EventReports } from '../../home/event-reports.ts';
import type { HomeEvents } from '../../home/events.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { EventBus } from '../../kernel/event-bus.ts';
import { LIVE_ONLY_REPORTS, LiveEvent, type LiveReport } from './live-event.ts';
import { type LiveFilter, type LivePlace, LiveReader, type Ring } from './live-reader.ts';
import { WakePace } from './wake-pace.ts';

/** Ten seconds of events of the largest supported home. */
const MAX_EVENTS = 10_000;
/** As long as a phone sleeps between two views of a page; a client that was away longer reads the state again. */
const MAX_DURATION_MS = 600_000;
/** If values are long strings, the ring holds fewer events. */
const MAX_BYTES = 12_000_000;
/** The approximate size of an event without its strings. */
const BYTES_AN_EVENT = 400;
const EPOCH_BYTES = 6;
const ID = /^([0-9a-f]{12})-(\d{1,15})$/;

export interface LiveRingDeps extends AppDeps<'access' | 'bus' | 'clock' | 'logger'> {
  readonly reports: EventReports;
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
  /** Differs at each start: sequence numbers begin again, and no client resumes with those from before a restart. */
  readonly #epoch = randomBytes(EPOCH_BYTES).toString('hex');
  readonly #readers = new Set<LiveReader>();
  /** An event is at its sequence number modulo the size. */
  readonly #slots: (Slot | undefined)[] = [];
  #oldestSeq = 1;
  #nextSeq = 1;
  #bytes = 0;
  #isListening = false;
  readonly #pace: WakePace;
  /** Cancels the next wake, if that one gathers events first. */
  #cancelGathering: (() => void) | undefined;
  #isWaking = false;
  #missed = 0;

  constructor(deps: LiveRingDeps, limits: Partial<LiveRingLimits> = {}) {
    this.#deps = deps;
    this.#pace = new WakePace(deps.clock);
    this.#limits = { mostEvents: MAX_EVENTS, mostBytes: MAX_BYTES, longestMs: MAX_DURATION_MS, ...limits };
  }

  /**
   * Opens a reader for this caller, at the newest event or after `after`.
   * @param after the id of the last event that it had, or the value of `lastId`.
   */
  open({ caller, after, filter }: { caller: Caller; after?: string | undefined; filter?: LiveFilter }): LiveReader {
    this.#listen();
    const place = after === undefined ? { seq: this.#nextSeq, missed: undefined } : this.#placeAfter(after);
    const reader = new LiveReader({ ring: this, access: this.#deps.access, caller, place, filter });
    this.#readers.add(reader);
    if (reader.hasMore) this.#wakeSoon(null, true);
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

  /** The number of events that slow readers lost, in total. */
  get missed(): number {
    return this.#missed;
  }

  noteMissed(count: number): void {
    this.#missed += count;
  }

  /**
   * Notifies readers once all that came in together is applied, before anything else is read; in a burst a moment
   * later. A command is answered before readers get what it changed.
   */
  #wakeSoon(accessoryId: string | null, canWait: boolean): void {
    if (this.#readers.size === 0 || (this.#isWaking && !this.#cancelGathering)) return;
    const waitMs = this.#pace.waitFor(accessoryId);
    if (waitMs === 0) {
      this.#cancelGathering?.();
      this.#cancelGathering = undefined;
      if (canWait) setImmediate(() => this.#wake());
      else queueMicrotask(() => this.#wake());
    } else this.#cancelGathering ??= this.#deps.clock.after(waitMs, () => this.#wake());
    this.#isWaking = true;
  }

  #wake(): void {
    this.#isWaking = false;
    this.#cancelGathering = undefined;
    this.#pace.woken();
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
    this.#wakeSoon(report.accessoryId, report.type !== 'state.changed' || report.isConfirmation === true);
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

/** Strings count twice: as received, and in the JSON created from them. */
function bytesOf({ data }: LiveReport): number {
  let bytes = BYTES_AN_EVENT;
  for (const value of Object.values(data)) if (typeof value === 'string') bytes += 2 * value.length;
  return bytes;
}

function keysOf<T extends object>(table: T): readonly (keyof T)[] {
  return Object.keys(table) as (keyof T)[];
}
