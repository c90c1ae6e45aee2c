/**
 * Sends events to one client: it reads the ring only as fast as the connection accepts data, and writes all available
 * events at once. A slow client costs no memory: it gets the number of events it missed, and reads the state again.
 */
import type { Caller } from '../../../app/access/caller.ts';
import type { LiveEvent } from '../live-event.ts';
import { type LiveReader, missedCount } from '../live-reader.ts';
import type { LiveRing } from '../live-ring.ts';
import type { Broadcasts } from './broadcasts.ts';
import type { Outlet } from './outlet.ts';
import type { SharedSubscriptions } from './shared-subscriptions.ts';
import type { SocketSubscriptions } from './subscriptions.ts';
import { textFrame } from './text-frame.ts';

/** The maximum of unsent bytes before the feed pauses. */
const HIGH_WATER_BYTES = 65_536;
/** About as much as that in events. */
const MAX_CONCURRENT = 400;

export interface FeedDeps {
  readonly live: LiveRing;
  readonly broadcasts: Broadcasts;
  readonly outlet: Outlet;
  readonly subscriptions: SocketSubscriptions;
  readonly shared: SharedSubscriptions;
  /** Called when there may be new events: then call `pump`. */
  readonly onReady: () => void;
  /** Called after a write to the connection. */
  readonly onGiven: () => void;
}

export class Feed {
  readonly #deps: FeedDeps;
  #reader: LiveReader | undefined;

  constructor(deps: FeedDeps) {
    this.#deps = deps;
  }

  /** From now on sends the events that this caller may see, by its subscriptions. */
  listen(caller: Caller): void {
    const { live, broadcasts, subscriptions, onReady } = this.#deps;
    this.#reader?.close();
    // `broadcasts` gets each event in order, whether or not it is sent.
    const filter = (event: LiveEvent): boolean => {
      const { ofHome } = broadcasts.of(event);
      return ofHome !== undefined && subscriptions.covers(event) !== undefined;
    };
    this.#reader = live.open({ caller, filter });
    this.#reader.onReady(onReady);
  }

  /** Writes available events while the connection accepts them. */
  pump(): void {
    const { outlet, shared } = this.#deps;
    while (outlet.waitingBytes < HIGH_WATER_BYTES && (this.#reader?.hasMore || shared.hasMore)) {
      const frames = [...this.#take(), ...this.#takeShared()];
      if (frames.length === 0) continue;
      outlet.write(frames.length === 1 ? (frames[0] as Buffer) : Buffer.concat(frames));
      this.#deps.onGiven();
    }
  }

  close(): void {
    this.#reader?.close();
    this.#reader = undefined;
    this.#deps.shared.close();
  }

  #take(): readonly Buffer[] {
    if (!this.#reader?.hasMore) return [];
    const { broadcasts, subscriptions } = this.#deps;
    const { events, missed } = this.#reader.next(MAX_CONCURRENT);
    const frames = events.flatMap((event) => {
      const { ofHome, ofPart } = broadcasts.of(event);
      return (subscriptions.covers(event) === 'home' ? ofHome : ofPart) ?? [];
    });
    return missed ? [this.#reportMissed(missedCount(missed)), ...frames] : frames;
  }

  #takeShared(): readonly Buffer[] {
    const all: Buffer[] = [];
    for (const { frames, missed } of this.#deps.shared.take(MAX_CONCURRENT)) {
      if (missed) all.push(this.#reportMissed(missedCount(missed)));
      all.push(...frames);
    }
    return all;
  }

  #reportMissed(count: number): Buffer {
    this.#deps.broadcasts.forget();
    return textFrame(JSON.stringify({ type: 'missed', count }));
  }
}
