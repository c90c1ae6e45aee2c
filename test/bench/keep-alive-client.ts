/**
 * The thinnest HTTP client that can be: one kept connection, one request at a time, bodies with Content-Length. A
 * general client costs more than what is measured with it.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');

export class KeepAliveClient {
  readonly #socket: Socket;
  readonly #head: string;
  #parts: Buffer[] = [];
  #received = 0;
  /** Where the answer ends; 0 until its head is read. */
  #end = 0;
  #resolve: ((body: Buffer) => void) | undefined;
  /** Of the last answer that had one. */
  #etag: string | undefined;

  private constructor(socket: Socket, url: URL, token: string) {
    this.#socket = socket;
    this.#head = `Host: ${url.host}\r\nAuthorization: Bearer ${token}\r\n`;
    socket.on('data', (bytes) => this.#take(bytes));
  }

  static async connect(base: string, token: string): Promise<KeepAliveClient> {
    const url = new URL(base);
    const socket = connect(Number(url.port), url.hostname);
    socket.setNoDelay(true);
    await once(socket, 'connect');
    return new KeepAliveClient(socket, url, token);
  }

  get(path: string): Promise<Buffer> {
    return this.#send(`GET ${path} HTTP/1.1\r\n${this.#head}\r\n`);
  }

  /** Asks for what has changed since the last answer: the body is empty if nothing has. */
  getChange(path: string): Promise<Buffer> {
    const condition = this.#etag === undefined ? '' : `If-None-Match: ${this.#etag}\r\n`;
    return this.#send(`GET ${path} HTTP/1.1\r\n${this.#head}${condition}\r\n`);
  }

  post(path: string, body: string): Promise<Buffer> {
    const type = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
    return this.#send(`POST ${path} HTTP/1.1\r\n${this.#head}${type}\r\n${body}`);
  }

  close(): void {
    this.#socket.destroy();
  }

  #send(request: string): Promise<Buffer> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#socket.write(request);
    });
  }

  #take(bytes: Buffer): void {
    this.#parts.push(bytes);
    this.#received += bytes.length;
    // A large body is joined once, at its end.
    if (this.#received < this.#end) return;
    const buffer = this.#parts.length === 1 ? bytes : Buffer.concat(this.#parts);
    this.#parts = [buffer];
    const head = buffer.indexOf(HEAD_END);
    if (head === -1) return;
    const text = buffer.toString('latin1', 0, head);
    const length = text.startsWith('HTTP/1.1 304 ') ? '0' : /content-length: (\d+)/i.exec(text)?.[1];
    if (length === undefined) throw new Error(`The benchmark client needs a Content-Length, and got ${text}`);
    const begin = head + HEAD_END.length;
    this.#end = begin + Number(length);
    if (this.#received < this.#end) return;
    const body = buffer.subarray(begin, this.#end);
    const rest = buffer.subarray(this.#end);
    this.#parts = rest.length > 0 ? [rest] : [];
    this.#received = rest.length;
    this.#end = 0;
    this.#etag = /^etag: (.+)$/im.exec(text)?.[1]?.trim() ?? this.#etag;
    const resolve = this.#resolve;
    this.#resolve = undefined;
    resolve?.(body);
  }
}
