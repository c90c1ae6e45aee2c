/**
 * One stream's place in the ring: what there is for its caller since it last asked. It keeps no events. Whoever serves the stream takes
 * (`next`) only as fast as its client does; a client that falls so far behind that the ring has gone past it is told what it missed.
 */
import type { Access } from '../../app/access/authorize.ts';
import type { Caller } from '../../app/access/caller.ts';
import { ownerOf } from '../../app/access/caller.ts';
import type { LiveEvent } from './live-event.ts';

/** What of all that the caller may hear a stream tells. */
export type LiveFilter = (event: LiveEvent) => boolean;

/**
 * Why there is a gap: the reader fell behind, by at most so many events (how many of them it could have seen is not known any more),
 * or its id is of another life of the relay. Either way the client reads the state again.
 */
export type Missed = { readonly reason: 'overflow'; readonly count: number } | { readonly reason: 'restarted' };

/** How many at most; 0 where that is not known. */
export function missedCount(missed: Missed): number {
  return missed.reason === 'overflow' ? missed.count : 0;
}

export interface LiveBatch {
  /** Oldest first. */
  readonly events: readonly LiveEvent[];
  /** Before these events something is missing. */
  readonly missed: Missed | undefined;
}

/** Where a reader begins. */
export interface LivePlace {
  readonly seq: number;
  readonly missed: Missed | undefined;
}

/** What a reader sees of the ring. */
export interface Ring {
  /** The oldest event that is kept; as `nextSeq` where none is. */
  readonly oldestSeq: number;
  readonly nextSeq: number;
  eventAt(seq: number): LiveEvent | undefined;
  idOf(seq: number): string;
  /** Of a reader that is closed. */
  forget(reader: LiveReader): void;
  /** A reader was too slow for so many events. */
  noteMissed(count: number): void;
}

interface LiveReaderParts {
  readonly ring: Ring;
  readonly access: Access;
  readonly caller: Caller;
  readonly place: LivePlace;
  readonly filter: LiveFilter | undefined;
}

export class LiveReader {
  readonly #ring: Ring;
  readonly #access: Access;
  readonly #caller: Caller;
  readonly #filter: LiveFilter | undefined;
  #seq: number;
  #missed: Missed | undefined;
  #listener: (() => void) | undefined;

  constructor({ ring, access, caller, place, filter }: LiveReaderParts) {
    this.#ring = ring;
    this.#access = access;
    this.#caller = caller;
    this.#filter = filter;
    this.#seq = place.seq;
    this.#missed = place.missed;
  }

  /** Whether `next` has something to look at; that the caller may hear any of it is not said. */
  get hasMore(): boolean {
    return this.#missed !== undefined || this.#seq < this.#ring.nextSeq;
  }

  /** To go on from later: all before it has been given, or was not for this caller. */
  get lastId(): string {
    return this.#ring.idOf(this.#seq - 1);
  }

  /** Called when there may be something new: once for all that came since, never from inside the event itself. One listener at a time. */
  onReady(listener: () => void): void {
    this.#listener = listener;
  }

  /**
   * The next events for this caller, by what it may see NOW: what it was allowed when they happened counts for nothing.
   * @param max how many at most; while `hasMore`, the rest is there at once.
   */
  next(max: number): LiveBatch {
    const missed = this.#takeMissed();
    const events: LiveEvent[] = [];
    // Within this call nobody's role changes: each home is asked about once.
    const homes = new Map<string, boolean>();
    for (; this.#seq < this.#ring.nextSeq && events.length < max; this.#seq += 1) {
      const event = this.#ring.eventAt(this.#seq);
      if (event && (this.#filter?.(event) ?? true) && this.#mayHear(event, homes)) events.push(event);
    }
    return { events, missed };
  }

  /** For the ring. */
  wake(): void {
    if (this.hasMore) this.#listener?.();
  }

  close(): void {
    this.#listener = undefined;
    this.#ring.forget(this);
  }

  #takeMissed(): Missed | undefined {
    const missed = this.#missed;
    this.#missed = undefined;
    const count = this.#ring.oldestSeq - this.#seq;
    if (count <= 0) return missed;
    this.#seq = this.#ring.oldestSeq;
    this.#ring.noteMissed(count);
    return missed ?? { reason: 'overflow', count };
  }

  #mayHear(event: LiveEvent, homes: Map<string, boolean>): boolean {
    const { homeId, accessoryId, userId } = event;
    if (userId !== null) return ownerOf(this.#caller) === userId;
    if (homeId === null) return this.#mayHearOfRelay(event);
    if (accessoryId !== null && this.#caller.principal.kind === 'share_link') {
      return this.#access.roleOver(this.#caller, { id: accessoryId, homeId }) !== undefined;
    }
    let may = homes.get(homeId);
    if (may === undefined) {
      may = this.#access.mayIn(this.#caller, 'view', homeId);
      homes.set(homeId, may);
    }
    return may;
  }

  /** What belongs to no home: as in the history of notifications, those are for admins of any; that the relay has started, for all it knows. */
  #mayHearOfRelay({ type }: LiveEvent): boolean {
    const { kind } = this.#caller.principal;
    if (kind === 'anonymous' || kind === 'share_link') return false;
    return type === 'relay.started' || this.#access.mayManageAny(this.#caller);
  }
}
