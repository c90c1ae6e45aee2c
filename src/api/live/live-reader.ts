/**
 * One stream's position in the ring: it returns the events for its caller since the last call, and stores none. The
 * stream calls `next` only as fast as its client reads. If the ring has discarded unread events, the client gets the
 * number it missed.
 */
import type { Access } from '../../app/access/authorize.ts';
import type { Caller } from '../../app/access/caller.ts';
import { ownerOf } from '../../app/access/caller.ts';
import type { LiveEvent } from './live-event.ts';

/** The subset of visible events that a stream sends. */
export type LiveFilter = (event: LiveEvent) => boolean;

/**
 * Why there is a gap: the reader fell behind, by at most so many events (the number it could have seen is no longer
 * known), or its id is from before a restart of the relay. Either way the client reads the state again.
 */
export type Missed = { readonly reason: 'overflow'; readonly count: number } | { readonly reason: 'restarted' };

/** The maximum number; 0 if unknown. */
export function missedCount(missed: Missed): number {
  return missed.reason === 'overflow' ? missed.count : 0;
}

export interface LiveBatch {
  /** Oldest first. */
  readonly events: readonly LiveEvent[];
  /** Events before these were lost. */
  readonly missed: Missed | undefined;
}

/** Where a reader begins. */
export interface LivePlace {
  readonly seq: number;
  readonly missed: Missed | undefined;
}

/** The ring as a reader sees it. */
export interface Ring {
  /** The oldest stored event; equal to `nextSeq` if there is none. */
  readonly oldestSeq: number;
  readonly nextSeq: number;
  eventAt(seq: number): LiveEvent | undefined;
  idOf(seq: number): string;
  /** Removes a closed reader. */
  forget(reader: LiveReader): void;
  /** Counts events that a slow reader lost. */
  noteMissed(count: number): void;
}

interface LiveReaderDeps {
  readonly ring: Ring;
  readonly access: Access;
  readonly caller: Caller;
  readonly place: LivePlace;
  readonly filter: LiveFilter | undefined;
}

export class LiveReader {
  readonly #deps: LiveReaderDeps;
  #seq: number;
  #missed: Missed | undefined;
  #listener: (() => void) | undefined;

  constructor(deps: LiveReaderDeps) {
    const { place } = deps;
    this.#deps = deps;
    this.#seq = place.seq;
    this.#missed = place.missed;
  }

  /** Whether `next` has events to check; the caller may not be permitted to see any of them. */
  get hasMore(): boolean {
    return this.#missed !== undefined || this.#seq < this.#deps.ring.nextSeq;
  }

  /** The id to resume from later: all events before it were returned, or were not for this caller. */
  get lastId(): string {
    return this.#deps.ring.idOf(this.#seq - 1);
  }

  /**
   * Calls the listener when there may be new events: once for several events, and never from inside an event. One
   * listener at a time.
   */
  onReady(listener: () => void): void {
    this.#listener = listener;
  }

  /**
   * The next events for this caller, by its permissions NOW, not by those when they happened.
   * @param max the maximum number; while `hasMore`, the rest is available at once.
   */
  next(max: number): LiveBatch {
    const missed = this.#takeMissed();
    const events: LiveEvent[] = [];
    // No role changes within this call: each home is checked once.
    const homes = new Map<string, boolean>();
    for (; this.#seq < this.#deps.ring.nextSeq && events.length < max; this.#seq += 1) {
      const event = this.#deps.ring.eventAt(this.#seq);
      if (event && (this.#deps.filter?.(event) ?? true) && this.#maySee(event, homes)) events.push(event);
    }
    return { events, missed };
  }

  /** For the ring. */
  wake(): void {
    if (this.hasMore) this.#listener?.();
  }

  close(): void {
    this.#listener = undefined;
    this.#deps.ring.forget(this);
  }

  #takeMissed(): Missed | undefined {
    const missed = this.#missed;
    this.#missed = undefined;
    const count = this.#deps.ring.oldestSeq - this.#seq;
    if (count <= 0) return missed;
    this.#seq = this.#deps.ring.oldestSeq;
    this.#deps.ring.noteMissed(count);
    return missed ?? { reason: 'overflow', count };
  }

  #maySee(event: LiveEvent, homes: Map<string, boolean>): boolean {
    const { homeId, accessoryId, userId } = event;
    if (userId !== null) return ownerOf(this.#deps.caller) === userId;
    if (homeId === null) return this.#maySeeOfRelay(event);
    if (accessoryId !== null && this.#deps.caller.principal.kind === 'share_link') {
      return this.#deps.access.roleOver(this.#deps.caller, { id: accessoryId, homeId }) !== undefined;
    }
    let may = homes.get(homeId);
    if (may === undefined) {
      may = this.#deps.access.mayIn(this.#deps.caller, 'view', homeId);
      homes.set(homeId, may);
    }
    return may;
  }

  /**
   * Events without a home are for admins of any home, as in the history of notifications. Any caller may see that the
   * relay has started.
   */
  #maySeeOfRelay({ type }: LiveEvent): boolean {
    const { kind } = this.#deps.caller.principal;
    if (kind === 'anonymous' || kind === 'enrolling' || kind === 'share_link') return false;
    return type === 'relay.started' || this.#deps.access.mayManageAny(this.#deps.caller);
  }
}
