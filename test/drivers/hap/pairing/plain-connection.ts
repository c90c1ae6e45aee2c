/**
 * The plainest connection that pairing can run on: one request, one whole reply, over a raw socket. It trusts its peer,
 * so it is good for tests of what is sent and answered; how the daemon reads the network is tested with its own
 * transport.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { PairingConnection } from '../../../../src/drivers/hap/pairing/pairing-connection.ts';
import type { SessionKeys, TlvExchange } from '../../../../src/drivers/hap/wire/exchange.ts';
import { PATIENCE_MS } from '../../../support/patience.ts';

const TAG_BYTES = 16;

export async function connectPlainly(port: number): Promise<PairingConnection> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  await once(socket, 'connect');
  const wire = new Wire(socket);
  const exchange: TlvExchange = (path, body) => wire.post(path, body);
  return { exchange, secure: (keys) => wire.secure(keys), close: () => socket.destroy() };
}

class Wire {
  readonly #socket: Socket;
  #keys: SessionKeys | undefined;
  #sent = 0;
  #received = 0;
  #raw = Buffer.alloc(0);
  #text = Buffer.alloc(0);
  #waiting: { resolve: (body: Buffer) => void; reject: (error: Error) => void } | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('error', (error) => this.#waiting?.reject(error));
    socket.on('close', () => this.#waiting?.reject(new Error('the connection closed')));
    socket.on('data', (chunk) => this.#read(chunk));
  }

  secure(keys: SessionKeys): void {
    this.#keys = keys;
  }

  post(path: string, body: Buffer): Promise<Buffer> {
    const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/pairing+tlv8\r\nContent-Length: ${body.length}\r\n\r\n`;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('no answer in time')), PATIENCE_MS);
      const settled = <T>(settle: (value: T) => void) => {
        return (value: T): void => {
          clearTimeout(timer);
          this.#waiting = undefined;
          settle(value);
        };
      };
      this.#waiting = { resolve: settled(resolve), reject: settled(reject) };
      if (this.#socket.destroyed) this.#waiting.reject(new Error('the connection closed'));
      else this.#socket.write(this.#frame(Buffer.concat([Buffer.from(head), body])));
    });
  }

  #frame(plaintext: Buffer): Buffer {
    if (!this.#keys) return plaintext;
    const length = Buffer.alloc(2);
    length.writeUInt16LE(plaintext.length);
    const cipher = createCipheriv('chacha20-poly1305', this.#keys.write, nonce(this.#sent++), {
      authTagLength: TAG_BYTES,
    });
    cipher.setAAD(length, { plaintextLength: plaintext.length });
    return Buffer.concat([length, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
  }

  #read(chunk: Buffer): void {
    if (!this.#keys) {
      this.#text = Buffer.concat([this.#text, chunk]);
    } else {
      this.#raw = Buffer.concat([this.#raw, chunk]);
      for (let frame = this.#takeFrame(); frame; frame = this.#takeFrame()) {
        this.#text = Buffer.concat([this.#text, frame]);
      }
    }
    this.#takeReply();
  }

  #takeFrame(): Buffer | undefined {
    if (!this.#keys || this.#raw.length < 2) return undefined;
    const length = this.#raw.readUInt16LE(0);
    const end = 2 + length + TAG_BYTES;
    if (this.#raw.length < end) return undefined;
    const decipher = createDecipheriv('chacha20-poly1305', this.#keys.read, nonce(this.#received++), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(this.#raw.subarray(0, 2), { plaintextLength: length });
    decipher.setAuthTag(this.#raw.subarray(2 + length, end));
    const plaintext = Buffer.concat([decipher.update(this.#raw.subarray(2, 2 + length)), decipher.final()]);
    this.#raw = this.#raw.subarray(end);
    return plaintext;
  }

  #takeReply(): void {
    const headEnd = this.#text.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const head = this.#text.subarray(0, headEnd).toString('latin1');
    const body = /transfer-encoding: *chunked/i.test(head)
      ? takeChunks(this.#text.subarray(headEnd + 4))
      : takeLength(this.#text.subarray(headEnd + 4), Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0));
    if (!body) return;
    this.#text = Buffer.alloc(0);
    const status = Number(head.split(' ')[1]);
    if (status === 200) this.#waiting?.resolve(body);
    else this.#waiting?.reject(new Error(`HTTP status ${status}`));
  }
}

function takeLength(rest: Buffer, length: number): Buffer | undefined {
  return rest.length < length ? undefined : rest.subarray(0, length);
}

function takeChunks(rest: Buffer): Buffer | undefined {
  const chunks: Buffer[] = [];
  let position = 0;
  for (;;) {
    const lineEnd = rest.indexOf('\r\n', position);
    if (lineEnd < 0) return undefined;
    const length = Number.parseInt(rest.subarray(position, lineEnd).toString('latin1'), 16);
    const end = lineEnd + 2 + length + 2;
    if (rest.length < end) return undefined;
    if (length === 0) return Buffer.concat(chunks);
    chunks.push(rest.subarray(lineEnd + 2, lineEnd + 2 + length));
    position = end;
  }
}

function nonce(counter: number): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32LE(counter, 4);
  return bytes;
}
