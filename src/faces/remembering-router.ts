import type { Result, Router } from 'hono/router';
import { TrieRouter } from 'hono/router/trie-router';

/**
 * Remembers what the paths without parameters lead to. Hono's own fast router refuses a table in which a fixed name stands
 * beside a parameter (`/rest/discovered/refresh` and `/rest/discovered/:deviceId/identify`), and walking its other one costs
 * as much as the rest of a cached answer. Bounded by the routes: no path that is not one of them is remembered.
 */
export class RememberingRouter<T> implements Router<T> {
  readonly name = 'RememberingRouter';
  readonly #router = new TrieRouter<T>();
  readonly #fixedPaths = new Set<string>();
  /** By method, then by path. */
  readonly #matches: ReadonlyMap<string, Map<string, Result<T>>> = new Map(
    METHODS.map((method) => [method, new Map()]),
  );

  add(method: string, path: string, handler: T): void {
    this.#router.add(method, path, handler);
    if (!/[:*]/.test(path)) this.#fixedPaths.add(path);
    for (const matches of this.#matches.values()) matches.clear();
  }

  match(method: string, path: string): Result<T> {
    const matches = this.#matches.get(method);
    const remembered = matches?.get(path);
    if (remembered) return remembered;
    const result = this.#router.match(method, path);
    if (this.#fixedPaths.has(path)) matches?.set(path, result);
    return result;
  }
}

/** Those that routes have: methods come from outside, and there is no end of them. */
const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const;
