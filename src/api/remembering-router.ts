import type { Result, Router } from 'hono/router';
import { TrieRouter } from 'hono/router/trie-router';

/**
 * Caches the routes of paths. Hono's own fast router rejects a table in which a fixed name stands
 * beside a parameter (`/rest/discovered/refresh` and `/rest/discovered/:deviceId/identify`), and its other router costs
 * as much as the rest of a cached response. Paths without parameters are bounded by the routes, others in number and
 * length, so that no client fills the memory.
 */
/** More than the accessories of a large home. */
const MAX_OTHER_PATHS = 1_000;
/** A route with two UUIDs is shorter. */
const MAX_OTHER_LENGTH = 128;

export class RememberingRouter<T> implements Router<T> {
  readonly name = 'RememberingRouter';
  readonly #router = new TrieRouter<T>();
  readonly #fixedPaths = new Set<string>();
  /** By method, then by path. */
  readonly #matches: ReadonlyMap<string, Map<string, Result<T>>> = new Map(
    METHODS.map((method) => [method, new Map()]),
  );

  /** The same for paths that are no route's own: ids are in them. */
  readonly #others: ReadonlyMap<string, Map<string, Result<T>>> = new Map(METHODS.map((method) => [method, new Map()]));
  #hasMatched = false;

  add(method: string, path: string, handler: T): void {
    this.#router.add(method, path, handler);
    if (!/[:*]/.test(path)) this.#fixedPaths.add(path);
    if (!this.#hasMatched) return;
    for (const matches of [...this.#matches.values(), ...this.#others.values()]) matches.clear();
    this.#hasMatched = false;
  }

  match(method: string, path: string): Result<T> {
    const matches = this.#matches.get(method);
    const others = this.#others.get(method);
    const remembered = matches?.get(path) ?? others?.get(path);
    if (remembered) return remembered;
    const result = this.#router.match(method, path);
    this.#hasMatched = true;
    if (this.#fixedPaths.has(path)) matches?.set(path, result);
    else if (others && path.length <= MAX_OTHER_LENGTH) {
      if (others.size >= MAX_OTHER_PATHS) others.clear();
      others.set(path, result);
    }
    return result;
  }
}

/** The methods of routes: clients may send any method, so the keys must be limited. */
const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const;
