/**
 * A TCP proxy on loopback, standing between controller and accessory as the network does: passes, swallows, or is down.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export class TcpProxy {
  /** Bytes are taken and go nowhere, as on a cable that was pulled: neither end learns it. */
  swallow = false;
  readonly #target: () => number;
  readonly #host: string;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;

  private constructor(target: () => number, host: string) {
    this.#target = target;
    this.#host = host;
  }

  /** @param target the port of 127.0.0.1 it leads to, read for each connection. */
  static async start(target: () => number, host = '127.0.0.1', port = 0): Promise<TcpProxy> {
    const proxy = new TcpProxy(target, host);
    await proxy.#listen(port);
    return proxy;
  }

  get port(): number {
    return this.#port;
  }

  get connections(): number {
    return this.#sockets.size / 2;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server?.close();
    if (this.#server) await once(this.#server, 'close');
    this.#server = undefined;
  }

  async #listen(port: number): Promise<void> {
    const server = createServer((near) => this.#join(near, connect(this.#target(), '127.0.0.1')));
    server.listen(port, this.#host);
    await once(server, 'listening');
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  #join(near: Socket, far: Socket): void {
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from);
      from.on('data', (bytes) => {
        if (!this.swallow) to.write(bytes);
      });
      from.on('error', () => {});
      from.on('close', () => {
        this.#sockets.delete(from);
        if (!this.swallow) to.destroy();
      });
    }
  }
}
