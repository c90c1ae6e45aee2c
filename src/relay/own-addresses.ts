/**
 * Where the relay can be reached. Operations and guards ask for it at run time; the server and the advertiser, which
 * know it, are built after them.
 */
import type { HttpServer } from '../api/server.ts';
import type { Advertiser } from '../drivers/discovery/advertiser.ts';

type Server = Pick<
  HttpServer,
  'url' | 'port' | 'wsPort' | 'securePort' | 'openSecure' | 'replaceSecure' | 'closeSecure'
>;

export class OwnAddresses {
  #server: Server | undefined;
  #advertiser: Pick<Advertiser, 'hostName'> | undefined;

  /** The relay is complete. */
  bind(server: Server, advertiser: Pick<Advertiser, 'hostName'>): void {
    this.#server = server;
    this.#advertiser = advertiser;
  }

  /** The name that it advertises over mDNS. */
  get hostName(): string | undefined {
    return this.#advertiser?.hostName;
  }

  /** @throws `Error` before the relay is complete */
  get server(): Server {
    if (!this.#server) throw new Error('The server has not been built');
    return this.#server;
  }

  readonly ports = (): readonly number[] => [this.server.port, this.server.wsPort, this.server.securePort];
}
