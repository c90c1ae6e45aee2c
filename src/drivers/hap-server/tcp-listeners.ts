/** The listening sockets of one server: one port on every host. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

export interface TcpListenersDeps {
  /** Addresses and names; empty means every address. */
  readonly hosts: readonly string[];
  readonly onConnection: (socket: Socket) => void;
}

/** A port that is free on the first host may be taken on the next. */
const MAX_ATTEMPTS = 5;

export class TcpListeners {
  readonly #deps: TcpListenersDeps;
  #servers: Server[] = [];

  constructor(deps: TcpListenersDeps) {
    this.#deps = deps;
  }

  /**
   * @param preferred the port to take if it is free; `undefined` for any
   * @returns the port
   * @throws `Error` if a host is no address of this machine, or no port can be had
   */
  async open(preferred: number | undefined): Promise<number> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#openAll(attempt === 1 ? (preferred ?? 0) : 0);
      } catch (error) {
        await this.close();
        const { code } = error as NodeJS.ErrnoException;
        if ((code !== 'EADDRINUSE' && code !== 'EACCES') || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  async close(): Promise<void> {
    const servers = this.#servers.splice(0);
    await Promise.all(
      servers.map(async (server) => {
        if (!server.listening) return;
        const closed = once(server, 'close');
        server.close();
        await closed;
      }),
    );
  }

  async #openAll(wanted: number): Promise<number> {
    const { hosts, onConnection } = this.#deps;
    let port = wanted;
    for (const host of hosts.length > 0 ? hosts : [undefined]) {
      const server = createServer({ noDelay: true }, onConnection);
      this.#servers.push(server);
      server.listen({ host, port, ipv6Only: hosts.length > 1 });
      await once(server, 'listening');
      // A connection that can't be accepted, for example without file descriptors, must not end the process.
      server.on('error', () => {});
      port = (server.address() as AddressInfo).port;
    }
    return port;
  }
}
