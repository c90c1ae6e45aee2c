/** Who is signed in, over a browser's two storages, and the stream of events in pieces of any size. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

class FakeStorage {
  readonly kept = new Map<string, string>();
  getItem(key: string): string | null {
    return this.kept.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.kept.set(key, value);
  }
  removeItem(key: string): void {
    this.kept.delete(key);
  }
}

let lasting: FakeStorage;
let ofTab: FakeStorage;

beforeEach(() => {
  lasting = new FakeStorage();
  ofTab = new FakeStorage();
  vi.stubGlobal('localStorage', lasting);
  vi.stubGlobal('sessionStorage', ofTab);
  vi.stubGlobal('addEventListener', () => {});
  vi.resetModules();
});

afterEach(() => vi.unstubAllGlobals());

const load = () => import('../../../src/web/dashboard/api/session.ts');

describe('a session', () => {
  it.each([
    [true, 1, 0],
    [false, 0, 1],
  ])('that is kept on the device: %s, is in one storage only, and found again', async (kept, inLasting, inTab) => {
    const { sessionHolder } = await load();
    sessionHolder.begin({ token: 'first', expiresAt: null, kept: !kept });
    sessionHolder.begin({ token: 'second', expiresAt: '2030-01-01T00:00:00Z', kept });
    expect([lasting.kept.size, ofTab.kept.size]).toEqual([inLasting, inTab]);
    vi.resetModules();
    const again = await load();
    expect(again.sessionHolder.get()).toMatchObject({ token: 'second', expiresAt: '2030-01-01T00:00:00Z', kept });
  });

  it('stays the same through a renewal, and is another one after a sign-in', async () => {
    const { sessionHolder } = await load();
    sessionHolder.begin({ token: 'a'.repeat(40), expiresAt: null, kept: true });
    const before = sessionHolder.get();
    sessionHolder.renew('b'.repeat(40), '2030-01-01T00:00:00Z');
    expect(sessionHolder.get()).toEqual({ ...before, token: 'b'.repeat(40), expiresAt: '2030-01-01T00:00:00Z' });
    sessionHolder.begin({ token: 'c'.repeat(40), expiresAt: null, kept: true });
    expect(sessionHolder.get()?.id).not.toBe(before?.id);
  });

  it('is never gone in between for other tabs, and no former one is left where the storage is full', async () => {
    const { sessionHolder } = await load();
    sessionHolder.begin({ token: 'a'.repeat(40), expiresAt: null, kept: true });
    const removed = vi.spyOn(lasting, 'removeItem');
    sessionHolder.renew('b'.repeat(40), null);
    expect(removed).not.toHaveBeenCalled();
    vi.spyOn(lasting, 'setItem').mockImplementation(() => {
      throw new Error('QuotaExceededError');
    });
    sessionHolder.renew('c'.repeat(40), null);
    expect([sessionHolder.get()?.token, lasting.kept.size]).toEqual(['c'.repeat(40), 0]);
  });

  it('shows why it is over, and leaves nothing behind', async () => {
    const { sessionHolder } = await load();
    const received: unknown[] = [];
    sessionHolder.subscribe(() => received.push(sessionHolder.get()?.token));
    sessionHolder.begin({ token: 'token', expiresAt: null, kept: true });
    sessionHolder.end('refused');
    expect([sessionHolder.ending, sessionHolder.get(), lasting.kept.size]).toEqual(['refused', undefined, 0]);
    sessionHolder.renew('late', null);
    expect(sessionHolder.get()).toBeUndefined();
    expect(received).toEqual(['token', undefined]);
  });

  it.each(['{', '7', '{"token":7}', ''])('is none where %j is kept', async (text) => {
    lasting.setItem('hearthd.session', text);
    expect((await load()).sessionHolder.get()).toBeUndefined();
  });

  it('is renewed once a day of its seven has passed, where it is kept on the device', async () => {
    const { isDue } = await import('../../../src/web/dashboard/api/session-renewal.ts');
    const now = Date.parse('2030-01-10T00:00:00Z');
    const due = (expiresAt: string | null, kept = true) => isDue({ kept, expiresAt }, now);
    expect(due('2030-01-12T00:00:00Z')).toBe(true);
    expect(due('2030-01-15T23:00:00Z')).toBe(true);
    expect(due('2030-01-16T01:00:00Z')).toBe(false);
    expect(due('2030-01-12T00:00:00Z', false)).toBe(false);
    expect(due('2030-01-09T00:00:00Z')).toBe(false);
    expect(due(null)).toBe(false);
  });
});

it('events are read from pieces that end anywhere, heartbeats are none, and an id alone is kept', async () => {
  const { EventParser } = await import('../../../src/web/dashboard/api/event-stream.ts');
  const events: unknown[] = [];
  const parser = new EventParser((event) => events.push(event));
  const data = '{"timestamp":"2030-01-01T00:00:00Z","data":{"value":true}}';
  const text = `retry: 3000\nid: 1\n\n: still here\n\nid: 2\nevent: state.changed\ndata: ${data}\n\n`;
  for (const character of text) parser.feed(character);
  expect(events).toEqual([
    { id: '1', type: '', timestamp: '', data: {} },
    { id: '2', type: 'state.changed', timestamp: '2030-01-01T00:00:00Z', data: { value: true } },
  ]);
});
