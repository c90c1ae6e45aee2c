/**
 * Rendered answers of GET /rest/state. An answer stays as it is while the home's version does, so that polling clients cost
 * no more than serving a file; only the time in `_meta` moves on, once a second.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { PROTECTIVE_HEADERS } from '../respond.ts';
import { presentSecond } from './present-time.ts';

type Headers = Readonly<Record<string, string>>;

const compress = promisify(gzip);

/** Forms × filters × sets of visible homes that are asked for again and again; more are rendered each time. */
const MAX_ENTRIES = 16;

export interface Rendered {
  /** The answer's JSON, an object. */
  readonly json: string;
  /** What `_meta.message` says; left out where the form has no `_meta`. */
  readonly message?: string;
}

/** One answer. What it says holds for as long as its version does. */
export class CachedState {
  /** Weak: the time in `_meta` is no part of it, and neither is the compression. */
  readonly etag: string;
  /** Of the answer as it is, of the compressed one, and of one without a body; made once, since making them shows. */
  readonly headers: { readonly plain: Headers; readonly gzipped: Headers; readonly empty: Headers };
  readonly #head: Buffer<ArrayBuffer>;
  readonly #message: string | undefined;
  #second = Number.NaN;
  #body: Buffer<ArrayBuffer>;
  #gzipped: Promise<Uint8Array<ArrayBuffer>> | undefined;

  constructor({ json, message }: Rendered) {
    this.#body = Buffer.from(json);
    // All but the closing brace, which `_meta` goes in front of.
    this.#head = this.#body.subarray(0, -1);
    this.#message = message;
    const hash = createHash('sha256')
      .update(this.#body)
      .update(message ?? '');
    this.etag = `W/"${hash.digest('base64url').slice(0, 27)}"`;
    const empty = { ...PROTECTIVE_HEADERS, ETag: this.etag, Vary: 'Accept-Encoding' };
    const plain = { ...empty, 'Content-Type': 'application/json' };
    this.headers = { plain, gzipped: { ...plain, 'Content-Encoding': 'gzip' }, empty };
  }

  /** @param now when it is asked for, in milliseconds: until now the state is what this answer says. */
  body(now: number): Uint8Array<ArrayBuffer> {
    this.#refresh(now);
    return this.#body;
  }

  gzipped(now: number): Promise<Uint8Array<ArrayBuffer>> {
    this.#refresh(now);
    this.#gzipped ??= compress(this.#body);
    return this.#gzipped;
  }

  #refresh(now: number): void {
    const second = Math.floor(now / 1000);
    if (this.#message === undefined || second === this.#second) return;
    const meta = JSON.stringify({ fetched_at: presentSecond(now), message: this.#message });
    this.#second = second;
    // A new buffer: the old one may be on its way to somebody.
    this.#body = Buffer.concat([this.#head, Buffer.from(`,"_meta":${meta}}`)]);
    this.#gzipped = undefined;
  }
}

export class StateCache {
  /** Least recently used first. */
  readonly #entries = new Map<string, { readonly version: number; readonly state: CachedState }>();
  #latest: string | undefined;

  /** @param version of everything that can show in the answer: equal versions mean equal answers. */
  get(key: string, version: number, render: () => Rendered): CachedState {
    let entry = this.#entries.get(key);
    if (entry?.version === version && key === this.#latest) return entry.state;
    if (entry?.version !== version) entry = { version, state: new CachedState(render()) };
    // To the end: it is the most recently used one now.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    this.#latest = key;
    if (this.#entries.size > MAX_ENTRIES) this.#dropOldest();
    return entry.state;
  }

  #dropOldest(): void {
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}
