/**
 * The stream of events through all that happens to it: relays that restart or vanish, networks that go, pages in the
 * background.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LiveEvent } from '../../../src/web/dashboard/api/event-stream.ts';

const SESSION = JSON.stringify({ token: 'token', expiresAt: null, kept: true });
const MINUTE_MS = 60_000;

/** One request for events, answered by the test. */
interface Stream {
  readonly lastEventId: string | null;
  readonly signal: AbortSignal;
  /** The relay answers: with a stream, or with a refusal. */
  answer(status?: number, body?: object, headers?: Record<string, string>): Promise<void>;
  /** It does not. */
  fail(): Promise<void>;
  send(text: string): Promise<void>;
  end(): Promise<void>;
}

let streams: Stream[];
let page: EventTarget;
let visibility: 'visible' | 'hidden';
let storage: Map<string, string>;

beforeEach(() => {
  vi.useFakeTimers();
  streams = [];
  page = new EventTarget();
  visibility = 'visible';
  storage = new Map([['hearthd.session', SESSION]]);
  const kept = {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
    removeItem: (key: string) => storage.delete(key),
  };
  vi.stubGlobal('localStorage', kept);
  vi.stubGlobal('sessionStorage', { getItem: () => null, removeItem: () => undefined });
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('document', {
    addEventListener: page.addEventListener.bind(page),
    get visibilityState() {
      return visibility;
    },
  });
  vi.stubGlobal('fetch', (_path: string, init: RequestInit) => openStream(init));
  vi.resetModules();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function openStream(init: RequestInit): Promise<Response> {
  return new Promise((resolve, reject) => {
    streams.push(streamOf(init, resolve, reject));
  });
}

function streamOf(
  { headers, signal }: RequestInit,
  resolve: (response: Response) => void,
  reject: (reason: unknown) => void,
): Stream {
  let body: ReadableStreamDefaultController<Uint8Array>;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      body = controller;
    },
  });
  signal?.addEventListener('abort', () => {
    reject(signal.reason);
    body.error(signal.reason);
  });
  return {
    lastEventId: new Headers(headers).get('Last-Event-ID'),
    signal: signal as AbortSignal,
    answer(status = 200, answer, more = {}) {
      resolve(new Response(answer ? JSON.stringify(answer) : stream, { status, headers: more }));
      return settled();
    },
    fail() {
      reject(new TypeError('Failed to fetch'));
      return settled();
    },
    send(text) {
      body.enqueue(new TextEncoder().encode(text));
      return settled();
    },
    end() {
      body.close();
      return settled();
    },
  };
}

/** Streams hand what they have on in several turns, of which the clock knows nothing. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  await vi.advanceTimersByTimeAsync(0);
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}

function happens(type: string, more: object = {}): Promise<void> {
  page.dispatchEvent(Object.assign(new Event(type), more));
  return settled();
}

function look(next: 'visible' | 'hidden'): Promise<void> {
  visibility = next;
  return happens('visibilitychange');
}

/** The one that was asked for last. */
function latest(): Stream {
  const stream = streams.at(-1);
  if (!stream) throw new Error('Nothing was asked');
  return stream;
}

async function begin() {
  const { live } = await import('../../../src/web/dashboard/live/live-connection.ts');
  const received: LiveEvent[] = [];
  live.onEvent((event) => received.push(event));
  live.start();
  return { live, received, types: () => received.map(({ type }) => type) };
}

const eventOf = (id: number, type = 'state.changed') =>
  `id: ${id}\nevent: ${type}\ndata: {"timestamp":"2030-01-01T00:00:00Z","data":{}}\n\n`;

describe('the stream of events', () => {
  it('goes on after the last event that it received, at once when a relay ended it in order, without an alarm', async () => {
    const { live, types } = await begin();
    expect([live.state.status, latest().lastEventId]).toEqual(['connecting', null]);
    await latest().answer();
    await latest().send('id: 40\n\n');
    await latest().send(eventOf(41));
    await latest().end();
    expect(live.state.status).toBe('live');
    await vi.advanceTimersByTimeAsync(1000);
    expect([streams.length, latest().lastEventId]).toEqual([2, '41']);
    await latest().answer();
    expect(live.state.status).toBe('live');
    await latest().send(eventOf(1, 'missed'));
    expect(types()).toEqual(['state.changed', 'missed']);
    await latest().end();
    await vi.advanceTimersByTimeAsync(1000);
    expect(latest().lastEventId).toBe('1');
  });

  it('shows that it is lost while the relay does not answer, asks ever more seldom, and at once when the network or a person reports it', async () => {
    const { live } = await begin();
    await latest().fail();
    expect(live.state.status).toBe('lost');
    for (const tries of [2, 3, 4, 5, 6, 7, 8]) {
      await vi.advanceTimersByTimeAsync(23_000);
      expect(streams).toHaveLength(tries);
      await latest().fail();
    }
    await vi.advanceTimersByTimeAsync(7000);
    expect(streams).toHaveLength(8);
    await happens('online');
    expect(streams).toHaveLength(9);
    const hanging = latest();
    live.retryNow();
    await settled();
    expect([hanging.signal.aborted, streams.length]).toEqual([true, 10]);
    await latest().answer();
    expect(live.state.status).toBe('live');
  });

  it('has everything read again where there was nothing to go on from', async () => {
    const { types } = await begin();
    await latest().fail();
    await vi.advanceTimersByTimeAsync(1000);
    await latest().answer();
    expect(types()).toEqual(['missed']);
  });

  it('is dead after three heartbeats that did not come, before the first answer too', async () => {
    const { live } = await begin();
    await vi.advanceTimersByTimeAsync(45_000);
    expect(live.state.status).toBe('lost');
    await vi.advanceTimersByTimeAsync(1000);
    await latest().answer();
    for (let beat = 0; beat < 4; beat += 1) {
      await vi.advanceTimersByTimeAsync(40_000);
      await latest().send(':\n\n');
    }
    expect(live.state.status).toBe('live');
    await vi.advanceTimersByTimeAsync(45_000);
    expect(live.state.status).toBe('lost');
  });

  it('breaks with the network, which sends nothing', async () => {
    const { live } = await begin();
    await latest().answer();
    await happens('offline');
    expect([live.state.status, latest().signal.aborted]).toEqual(['lost', true]);
  });

  it('waits as long as a relay that has too much to do asks for', async () => {
    await begin();
    await latest().answer(429, { code: 'rate_limited', error: 'Too many' }, { 'Retry-After': '30' });
    await vi.advanceTimersByTimeAsync(29_000);
    expect(streams).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2000);
    expect(streams).toHaveLength(2);
  });

  it('ends with the session, and asks no more', async () => {
    const { sessionHolder } = await import('../../../src/web/dashboard/api/session.ts');
    await begin();
    await latest().answer(401, { code: 'invalid_token', error: 'It has ended.' });
    expect([sessionHolder.get(), sessionHolder.ending]).toEqual([undefined, 'refused']);
    await vi.advanceTimersByTimeAsync(5 * MINUTE_MS);
    expect(streams).toHaveLength(1);
  });

  it('is closed on hidden pages, not for a glance elsewhere, and goes on where it was', async () => {
    const { live } = await begin();
    await latest().answer();
    await latest().send(eventOf(7));
    await look('hidden');
    await vi.advanceTimersByTimeAsync(10_000);
    await look('visible');
    await vi.advanceTimersByTimeAsync(20_000);
    expect([live.state.status, streams.length]).toEqual(['live', 1]);
    await latest().send(':\n\n');
    await look('hidden');
    await vi.advanceTimersByTimeAsync(20_000);
    expect([live.state.status, latest().signal.aborted]).toEqual(['paused', true]);
    // With any events of the network meanwhile.
    await happens('online');
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect(streams).toHaveLength(1);
    await look('visible');
    expect([streams.length, latest().lastEventId]).toEqual([2, '7']);
  });

  it('tries on where the first try after waking found no network yet', async () => {
    const { live } = await begin();
    await latest().answer();
    await happens('pagehide');
    expect(live.state.status).toBe('paused');
    await happens('pageshow', { persisted: true });
    expect(streams).toHaveLength(2);
    await latest().fail();
    expect(live.state.status).toBe('lost');
    await vi.advanceTimersByTimeAsync(1000);
    await latest().answer();
    expect(live.state.status).toBe('live');
  });

  it('goes on in one hidden tab of a user who wants to be notified, and in no other', async () => {
    const taken: (() => void)[] = [];
    const locks = {
      request: (_name: string, _options: object, use: (lock: object | null) => unknown) => {
        const held = use(taken.length === 0 ? {} : null);
        if (taken.length === 0) taken.push(() => held);
        return Promise.resolve(held);
      },
    };
    vi.stubGlobal('navigator', { locks });
    vi.stubGlobal('Notification', { permission: 'granted' });
    const first = await begin();
    await latest().answer();
    await look('hidden');
    await vi.advanceTimersByTimeAsync(20_000);
    expect(first.live.state.status).toBe('live');
    vi.resetModules();
    const second = await begin();
    await latest().answer();
    await look('visible');
    await look('hidden');
    await vi.advanceTimersByTimeAsync(20_000);
    expect(second.live.state.status).toBe('paused');
  });
});
