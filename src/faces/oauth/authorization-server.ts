/**
 * One authorization server for each origin under which we are reached, since each issues in its own name. All share one store, so
 * that an app signed in under the host name goes on under the address. The library is loaded when the first app asks.
 */
import type { Provider } from 'oidc-provider';
import { loadOnce } from '../../kernel/load-once.ts';
import { loadProvider, type ProviderParts } from './provider.ts';

/** Host name, addresses of two networks in both families, a public address; each costs some hundred kilobytes. */
const MOST = 8;

export class AuthorizationServers {
  readonly #parts: ProviderParts;
  readonly #servers = new Map<string, Provider>();
  readonly #load = loadOnce(loadProvider);

  constructor(parts: ProviderParts) {
    this.#parts = parts;
  }

  /** The one that issues as `origin`. */
  async at(origin: string): Promise<Provider> {
    const make = await this.#load();
    const server = this.#servers.get(origin) ?? make(origin, this.#parts);
    // The one asked longest ago makes room.
    this.#servers.delete(origin);
    this.#servers.set(origin, server);
    const [oldest] = this.#servers.keys();
    if (this.#servers.size > MOST && oldest !== undefined) this.#servers.delete(oldest);
    return server;
  }
}
