/**
 * Rendered responses of GET /rest/state and of the lists. A response stays valid while the home's version does not
 * change, so that polling clients cost no more than serving a file; only the time in `_meta` changes, once a second.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { presentSecond } from '../present/time.ts';
import { PROTECTIVE_HEADERS } from '../respond.ts';

type Headers = Readonly<Record<string, string>>;

const compress = promisify(gzip);

/** Forms × filters × sets of visible homes that are requested repeatedly; further ones are rendered each time. */
const MAX_ENTRIES = 16;

export interface Rendered {
  /** The response's JSON; an object if it has a message. */
  readonly json: string;
  /** `_meta.message`; absent if the form has no `_meta`. */
  readonly message?: string;
  /** It changes without a new version, by the clock: it is not kept. */
  readonly expires?: boolean;
}

/** One response, valid as long as its version. */
export class CachedState {
  /** Weak: it covers neither the time in `_meta` nor the compression. */
  readonly etag: string;
  /**
   * For the plain response, the compressed one, and one without a body; created once, since creating them takes
   * measurable time.
   */
  readonly headers: { readonly plain: Headers; readonly gzipped: Headers; readonly empty: Headers };
  readonly #head: Buffer<ArrayBuffer>;
  readonly #message: string | undefined;
  #second = Number.NaN;
  #body: Buffer<ArrayBuffer>;
  #gzipped: Promise<Uint8Array<ArrayBuffer>> | undefined;

  constructor({ json, message }: Rendered) {
    this.#body = Buffer.from(json);
    // All but the closing brace, before which `_meta` is inserted.
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

  /** @param now the time of the request, in milliseconds: the response is still valid then. */
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
    // A new buffer: the old one may still be in use by a response.
    this.#body = Buffer.concat([this.#head, Buffer.from(`,"_meta":${meta}}`)]);
    this.#gzipped = undefined;
  }
}

export class StateCache {
  /** Least recently used first. */
  readonly #entries = new Map<string, { readonly version: number; readonly state: CachedState }>();
  readonly #maxEntries: number;
  #latest: string | undefined;

  constructor(maxEntries = MAX_ENTRIES) {
    this.#maxEntries = maxEntries;
  }

  /** @param version of everything that can appear in the response: equal versions mean equal responses. */
  get(key: string, version: number, render: () => Rendered): CachedState {
    let entry = this.#entries.get(key);
    if (entry?.version === version && key === this.#latest) return entry.state;
    if (entry?.version !== version) {
      const rendered = render();
      entry = { version, state: new CachedState(rendered) };
      if (rendered.expires) {
        this.#entries.delete(key);
        return entry.state;
      }
    }
    // Moved to the end: now it is the most recently used one.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    this.#latest = key;
    if (this.#entries.size > this.#maxEntries) this.#dropOldest();
    return entry.state;
  }

  #dropOldest(): void {
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}
