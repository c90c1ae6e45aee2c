/** Takes webhooks on loopback, and can be away. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

export class Receiver {
  readonly port: number;
  readonly #take: (body: string) => void;
  #server: Server | undefined;

  /** @param port one that stays free while it is away */
  constructor(port: number, take: (body: string) => void) {
    this.port = port;
    this.#take = take;
  }

  async start(): Promise<void> {
    const server = createServer((request, answer) => this.#receive(request, answer));
    server.listen(this.port, '127.0.0.1');
    await once(server, 'listening');
    this.#server = server;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  }

  #receive(request: IncomingMessage, answer: ServerResponse): void {
    const parts: Buffer[] = [];
    // A daemon that is killed in the middle of its request.
    request.on('error', () => {});
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      this.#take(Buffer.concat(parts).toString());
      answer.writeHead(204).end();
    });
  }
}
