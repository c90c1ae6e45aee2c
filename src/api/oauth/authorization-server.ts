/**
 * One authorization server for each origin of the relay, since each issues in its own name. All share one store, so
 * that an app signed in under the host name continues under the address. The first app's request loads the library.
 */
import type { Provider } from 'oidc-provider';
import { loadOnce } from '../../kernel/load-once.ts';
import { loadProvider, type ProviderDeps } from './provider.ts';

/** Host name, addresses of two networks in both families, a public address; each costs some hundred kilobytes. */
const MAX_SERVERS = 8;

export class AuthorizationServers {
  readonly #deps: ProviderDeps;
  readonly #servers = new Map<string, Provider>();
  readonly #load = loadOnce(loadProvider);

  constructor(deps: ProviderDeps) {
    this.#deps = deps;
  }

  /** The server with the issuer `origin`. */
  async at(origin: string): Promise<Provider> {
    const make = await this.#load();
    const server = this.#servers.get(origin) ?? make(origin, this.#deps);
    // The least recently used one is evicted.
    this.#servers.delete(origin);
    this.#servers.set(origin, server);
    const [oldest] = this.#servers.keys();
    if (this.#servers.size > MAX_SERVERS && oldest !== undefined) this.#servers.delete(oldest);
    return server;
  }
}
