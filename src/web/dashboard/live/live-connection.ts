/**
 * Keeps one event stream open while the page is visible, and reports its status. The relay sends the events missed in
 * between (`Last-Event-ID`). If it can't, listeners receive `missed` and reload everything.
 */
import { useSyncExternalStore } from 'react';
import { ApiError } from '../api/api-error.ts';
import { type LiveEvent, readEvents } from '../api/event-stream.ts';
import { hasTakenFirst } from '../api/graphql-request.ts';
import { sessionHolder } from '../api/session.ts';

/** `connecting` is the first attempt; `lost` is every later one. `paused`: the page is not visible. */
export type LiveStatus = 'connecting' | 'live' | 'lost' | 'paused';

export interface LiveState {
  readonly status: LiveStatus;
  /** Since when, in milliseconds since the epoch. */
  readonly since: number;
}

/** The relay sends a heartbeat every 15 s: a stream silent for three of them is dead. */
const SILENCE_MS = 45_000;
const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 15_000;
/** Phones hide a page during a short app switch; browsers limit the connections to one host. */
const HIDDEN_MS = 20_000;

/**
 * The one hidden tab that waits for notifications holds this lock. Browsers support locks only with https, as they do
 * notifications.
 */
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
    // The stream does not detect a lost network before the next heartbeat is missed.
    addEventListener('offline', () => this.#cut());
    // Browsers keep a page for "back" only if it has no open requests.
    addEventListener('pagehide', () => this.#pause());
    addEventListener('pageshow', ({ persisted }) => persisted && this.retryNow());
  }

  /** Opens the stream for the account that is signed in. */
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

  /** Retries at once, for a button next to the message about the lost connection. */
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
    // A relay whose machine is off does not even refuse the connection: without a timeout, this attempt would last for
    // minutes.
    this.#noteReceived(ending);
    // Without an id to resume from, it is unknown whether events were missed.
    const isBlind = this.#lastId === undefined && (this.#state.status !== 'connecting' || hasTakenFirst());
    const acts = {
      onOpen: () => {
        this.#retryMs = FIRST_RETRY_MS;
        this.#setStatus('live');
        this.#noteReceived(ending);
        if (isBlind) this.#take(MISSED);
      },
      onEvent: (event: LiveEvent) => this.#take(event),
      onSign: () => this.#noteReceived(ending),
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

  #noteReceived(ending: AbortController): void {
    clearTimeout(this.#silence);
    this.#silence = window.setTimeout(() => ending.abort(), SILENCE_MS);
  }

  #onEnd(ending: AbortController, error?: unknown): void {
    // Another stream replaced it, the page is hidden, or the session has ended.
    if (this.#ending !== ending || !sessionHolder.get()) return;
    clearTimeout(this.#silence);
    // A daemon in a graceful restart ends its streams without an error and is soon back. The next attempt decides
    // whether the status becomes `lost`.
    if (error || this.#state.status === 'lost') this.#setStatus('lost');
    const waits = error instanceof ApiError ? error.retryAfterS : undefined;
    const delay = waits !== undefined ? waits * 1000 : this.#retryMs * (0.5 + Math.random());
    this.#retryMs = Math.min(this.#retryMs * 2, MAX_RETRY_MS);
    this.#timer = window.setTimeout(() => this.#open(), delay);
  }

  #onVisibility(): void {
    clearTimeout(this.#hiding);
    this.#stopListening?.();
    if (document.visibilityState === 'visible') this.retryNow();
    else this.#hiding = window.setTimeout(() => void this.#onHidden(), HIDDEN_MS);
  }

  /** With notifications enabled, one hidden tab keeps listening; all others close their connection. */
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

  /** Handles the network loss like a broken connection. */
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
