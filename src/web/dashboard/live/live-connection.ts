/**
 * Keeps one stream of events open while the page is seen, and says whether it is. What was missed in between is caught up with by the
 * relay (`Last-Event-ID`); where it can't, listeners are told `missed` and read everything again.
 */
import { useSyncExternalStore } from 'react';
import { ApiError } from '../api/api-error.ts';
import { sessionHolder } from '../api/session.ts';
import { type LiveEvent, readEvents } from './event-stream.ts';

/** `connecting` is the first time; `lost` is every later one. `paused`: nobody is looking. */
export type LiveStatus = 'connecting' | 'live' | 'lost' | 'paused';

export interface LiveState {
  readonly status: LiveStatus;
  /** Since when, in milliseconds since the epoch. */
  readonly since: number;
}

/** The relay sends a heartbeat every 15 s: a stream that says nothing for three of them is dead. */
const SILENCE_MS = 45_000;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 15_000;
/** Phones hide pages for a glance at another one; browsers allow few connections to one host. */
const HIDDEN_MS = 20_000;

/** Held by the one hidden tab that listens for notifications. Browsers have locks where they have notifications: over https. */
const LISTENER_LOCK = 'hearthd.listener';

const MISSED: LiveEvent = { id: '', type: 'missed', timestamp: '', data: {} };

type EventListener = (event: LiveEvent) => void;

export class LiveConnection {
  #state: LiveState = { status: 'connecting', since: Date.now() };
  #lastId: string | undefined;
  #ending: AbortController | undefined;
  #isStarted = false;
  #retryMs = FIRST_RETRY_MS;
  #timer: number | undefined;
  #silence: number | undefined;
  #hiding: number | undefined;
  #stopListening: (() => void) | undefined;
  readonly #listeners = new Set<EventListener>();
  readonly #watchers = new Set<() => void>();

  constructor() {
    document.addEventListener('visibilitychange', () => this.#onVisibility());
    addEventListener('online', () => this.#state.status === 'lost' && this.retryNow());
    // The stream does not notice by itself that its network is gone: nothing says so until the next heartbeat is missed.
    addEventListener('offline', () => this.#cut());
    // Browsers keep pages for "back" only without open requests.
    addEventListener('pagehide', () => this.#pause());
    addEventListener('pageshow', ({ persisted }) => persisted && this.retryNow());
  }

  /** Opens the stream for whoever is signed in now. */
  start(): void {
    this.stop();
    this.#isStarted = true;
    this.#lastId = undefined;
    this.#setStatus('connecting');
    this.#open();
  }

  stop(): void {
    this.#isStarted = false;
    clearTimeout(this.#timer);
    clearTimeout(this.#silence);
    this.#ending?.abort();
    this.#ending = undefined;
  }

  /** People who are told that the connection is lost may not want to wait. */
  retryNow(): void {
    if (!this.#isStarted || (this.#state.status !== 'lost' && this.#state.status !== 'paused')) return;
    clearTimeout(this.#timer);
    this.#retryMs = FIRST_RETRY_MS;
    this.#open();
  }

  /** @returns the function that ends the subscription. */
  onEvent(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  readonly subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  get state(): LiveState {
    return this.#state;
  }

  #open(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#silence);
    if (!sessionHolder.get()) return;
    this.#ending?.abort();
    const ending = new AbortController();
    this.#ending = ending;
    // A relay whose machine is off does not even refuse: without an end, this try would be the last one for minutes.
    this.#heard(ending);
    // What was missed cannot be told apart from what was not, where the stream never gave an id to go on from.
    const isBlind = this.#state.status !== 'connecting' && this.#lastId === undefined;
    const acts = {
      onOpen: () => {
        this.#retryMs = FIRST_RETRY_MS;
        this.#setStatus('live');
        this.#heard(ending);
        if (isBlind) this.#take(MISSED);
      },
      onEvent: (event: LiveEvent) => this.#take(event),
      onSign: () => this.#heard(ending),
    };
    readEvents(this.#lastId, acts, ending.signal).then(
      () => this.#onEnd(ending),
      (error: unknown) => this.#onEnd(ending, error),
    );
  }

  #take(event: LiveEvent): void {
    if (event.id) this.#lastId = event.id;
    if (!event.type) return;
    for (const listener of this.#listeners) listener(event);
  }

  #heard(ending: AbortController): void {
    clearTimeout(this.#silence);
    this.#silence = window.setTimeout(() => ending.abort(), SILENCE_MS);
  }

  #onEnd(ending: AbortController, error?: unknown): void {
    // Another stream took its place, nobody looks on, or nobody is signed in any more.
    if (this.#ending !== ending || !sessionHolder.get()) return;
    clearTimeout(this.#silence);
    // A daemon that restarts in order ends its streams, and is back before anybody has to be told: the first try says whether it is.
    if (error || this.#state.status === 'lost') this.#setStatus('lost');
    const waits = error instanceof ApiError ? error.retryAfterS : undefined;
    const delay = waits !== undefined ? waits * 1000 : this.#retryMs * (0.5 + Math.random());
    this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
    this.#timer = window.setTimeout(() => this.#open(), delay);
  }

  #onVisibility(): void {
    clearTimeout(this.#hiding);
    this.#stopListening?.();
    if (document.visibilityState === 'visible') this.retryNow();
    else this.#hiding = window.setTimeout(() => void this.#onHidden(), HIDDEN_MS);
  }

  /** Whoever wants to be notified goes on listening in one tab of theirs; all others let go of their connection. */
  async #onHidden(): Promise<void> {
    if (!mayNotify()) return this.#pause();
    await navigator.locks.request(LISTENER_LOCK, { ifAvailable: true }, (lock) => {
      if (!lock) return this.#pause();
      return new Promise<void>((resolve) => {
        this.#stopListening = resolve;
      });
    });
  }

  #pause(): void {
    if (!this.#isStarted) return;
    clearTimeout(this.#timer);
    clearTimeout(this.#silence);
    this.#setStatus('paused');
    this.#ending?.abort();
    this.#ending = undefined;
  }

  /** As if the connection had broken, which it has. */
  #cut(): void {
    if (this.#state.status === 'live' || this.#state.status === 'connecting') this.#ending?.abort();
  }

  #setStatus(status: LiveStatus): void {
    if (status === this.#state.status) return;
    this.#state = { status, since: Date.now() };
    for (const watcher of this.#watchers) watcher();
  }
}

function mayNotify(): boolean {
  return 'Notification' in window && Notification.permission === 'granted';
}

export const live = new LiveConnection();

export function useLiveState(): LiveState {
  return useSyncExternalStore(live.subscribe, () => live.state);
}
