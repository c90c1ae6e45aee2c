import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { StateCache } from '../../../src/api/rest/state-cache.ts';

const NOON = Date.UTC(2026, 0, 15, 12);

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString();
}

describe('the cache of rendered states', () => {
  it('renders once a version', () => {
    const cache = new StateCache();
    let rendered = 0;
    const get = (version: number) =>
      cache.get('all', version, () => ({ json: JSON.stringify({ rendered: ++rendered }), message: 'm' }));
    expect(get(1)).toBe(get(1));
    expect(rendered).toBe(1);
    expect(get(2)).not.toBe(get(1));
    expect(rendered).toBe(3);
  });

  it('gives the second in which it was asked, in a buffer of its own', () => {
    const state = new StateCache().get('all', 1, () => ({ json: '{"a":"ä"}', message: 'Found "1"' }));
    const first = state.body(NOON);
    expect(state.body(NOON + 999)).toBe(first);
    const second = state.body(NOON + 1000);
    expect(JSON.parse(text(first))).toEqual({
      a: 'ä',
      _meta: { fetched_at: '2026-01-15T12:00:00+00:00', message: 'Found "1"' },
    });
    expect(JSON.parse(text(second))._meta.fetched_at).toBe('2026-01-15T12:00:01+00:00');
    expect(JSON.parse(text(first))._meta.fetched_at).toBe('2026-01-15T12:00:00+00:00');
  });

  it('has an ETag of the content, not of the time', () => {
    const cache = new StateCache();
    const state = cache.get('all', 1, () => ({ json: '{"a":1}', message: 'm' }));
    const before = state.etag;
    state.body(NOON);
    const same = cache.get('all', 2, () => ({ json: '{"a":1}', message: 'm' }));
    const other = cache.get('all', 3, () => ({ json: '{"a":2}', message: 'm' }));
    expect(same.etag).toBe(before);
    expect(other.etag).not.toBe(before);
  });

  it('leaves a form without _meta as it is', () => {
    const state = new StateCache().get('names', 1, () => ({ json: '{"homes":[]}' }));
    expect(text(state.body(NOON))).toBe('{"homes":[]}');
  });

  it('compresses once a second, and what the second contains', async () => {
    const state = new StateCache().get('all', 1, () => ({ json: '{"a":1}', message: 'm' }));
    const first = state.gzipped(NOON);
    expect(state.gzipped(NOON + 1)).toBe(first);
    expect(gunzipSync(await first).toString()).toBe(text(state.body(NOON)));
    expect(gunzipSync(await state.gzipped(NOON + 5000)).toString()).toContain('12:00:05');
  });

  it('forgets what was asked for longest ago, so that no client fills the memory', () => {
    const cache = new StateCache();
    let rendered = 0;
    const get = (key: string) => cache.get(key, 1, () => ({ json: `{"n":${++rendered}}` }));
    const kept = get('kept');
    for (let index = 0; index < 100; index++) {
      get(`filter ${index}`);
      expect(get('kept')).toBe(kept);
    }
    get('filter 0');
    expect(rendered).toBe(102);
  });
});
