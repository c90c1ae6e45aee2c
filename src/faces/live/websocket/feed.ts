/**
 * What a client is told unasked, on its way to it: taken out of the ring only as fast as the connection takes it, and all that is there
 * in one write. A client that does not keep up costs no memory: it is told how many events it missed, and reads the state again.
 */
import type { Caller } from '../../../app/access/caller.ts';
import type { LiveEvent } from '../live-event.ts';
import { type LiveReader, missedCount } from '../live-reader.ts';
import type { LiveRing } from '../live-ring.ts';
import type { Broadcasts } from './broadcasts.ts';
import type { Outlet } from './outlet.ts';
import type { SharedSubscriptions } from './shared-subscriptions.ts';
import type { Subscriptions } from './subscriptions.ts';
import { textFrame } from './text-frame.ts';

/** Nothing more is taken while so much waits for the client. */
const HIGH_WATER_BYTES = 65_536;
/** About as much as that in events. */
const MOST_AT_ONCE = 400;

export interface FeedDeps {
  readonly live: LiveRing;
  readonly broadcasts: Broadcasts;
  readonly outlet: Outlet;
  readonly subscriptions: Subscriptions;
  readonly shared: SharedSubscriptions;
  /** Called when there may be something to tell: then `pump`. */
  readonly onReady: () => void;
  /** Called when the connection was given something. */
  readonly onGiven: () => void;
}

export class Feed {
  readonly #deps: FeedDeps;
  #reader: LiveReader | undefined;

  constructor(deps: FeedDeps) {
    this.#deps = deps;
  }

  /** From now on what this caller may hear, by its subscriptions. */
  listen(caller: Caller): void {
    const { live, broadcasts, subscriptions, onReady } = this.#deps;
    this.#reader?.close();
    // Each event passes by `broadcasts` in turn, whether or not it is told.
    const filter = (event: LiveEvent): boolean => {
      const { ofHome } = broadcasts.of(event);
      return ofHome !== undefined && subscriptions.covers(event) !== undefined;
    };
    this.#reader = live.open({ caller, filter });
    this.#reader.onReady(onReady);
  }

  /** Gives the connection what there is, while it takes it. */
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
    const { events, missed } = this.#reader.next(MOST_AT_ONCE);
    const frames = events.flatMap((event) => {
      const { ofHome, ofPart } = broadcasts.of(event);
      return (subscriptions.covers(event) === 'home' ? ofHome : ofPart) ?? [];
    });
    return missed ? [this.#tellMissed(missedCount(missed)), ...frames] : frames;
  }

  #takeShared(): readonly Buffer[] {
    const all: Buffer[] = [];
    for (const { frames, missed } of this.#deps.shared.take(MOST_AT_ONCE)) {
      if (missed) all.push(this.#tellMissed(missedCount(missed)));
      all.push(...frames);
    }
    return all;
  }

  #tellMissed(count: number): Buffer {
    this.#deps.broadcasts.forget();
    return textFrame(JSON.stringify({ type: 'missed', count }));
  }
}
