/** A controller of a few lines that shows what came over the wire, and when, without judging it. */
import { diffieHellman, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import {
  deriveKey,
  ed25519FromSeed,
  labelNonce,
  open,
  rawPublicKey,
  seal,
  signWith,
  x25519PublicKey,
} from '../support/accessories/hap-crypto.ts';
import type { ControllerKeys } from '../support/accessories/identity.ts';
import { FrameCoder } from '../support/accessories/raw-wire.ts';
import { decodeTlv, encodeTlv, TLV } from '../support/accessories/tlv.ts';

export class RawClient {
  readonly socket: Socket;
  /** Everything received so far, decrypted. */
  text = '';
  /** Encrypted bytes so far. */
  bytes = 0;
  closed = false;
  /** The first frame that did not verify. */
  fault: unknown;
  #coder: FrameCoder | undefined;
  #plain: Buffer = Buffer.alloc(0);

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('error', () => {});
    socket.on('close', () => {
      this.closed = true;
    });
    socket.on('data', (bytes: Buffer) => this.#take(bytes));
  }

  /** Connects, no more. */
  static async connect(port: number): Promise<RawClient> {
    const client = new RawClient(connect(port, '127.0.0.1'));
    await once(client.socket, 'connect');
    return client;
  }

  /** Connects and verifies. */
  static async open(port: number, controller: ControllerKeys): Promise<RawClient> {
    const client = await RawClient.connect(port);
    const { privateKey, publicKey } = generateKeyPairSync('x25519');
    const own = rawPublicKey(publicKey);
    const answer = await client.#post([
      [TLV.state, 1],
      [TLV.publicKey, own],
    ]);
    const theirs = answer.get(TLV.publicKey) ?? Buffer.alloc(0);
    const shared = diffieHellman({ privateKey, publicKey: x25519PublicKey(theirs) });
    const key = deriveKey(shared, 'Pair-Verify-Encrypt-Salt', 'Pair-Verify-Encrypt-Info');
    open(key, labelNonce('PV-Msg02'), answer.get(TLV.encryptedData) ?? Buffer.alloc(0));
    const id = Buffer.from(controller.id);
    const signature = signWith(ed25519FromSeed(controller.seed).secretKey, own, id, theirs);
    const proof = encodeTlv([
      [TLV.identifier, id],
      [TLV.signature, signature],
    ]);
    const last = await client.#post([
      [TLV.state, 3],
      [TLV.encryptedData, seal(key, labelNonce('PV-Msg03'), proof)],
    ]);
    if (last.has(TLV.error)) throw new Error(`pair-verify failed: ${last.get(TLV.error)?.[0]}`);
    client.clear();
    client.#coder = new FrameCoder(
      deriveKey(shared, 'Control-Salt', 'Control-Read-Encryption-Key'),
      deriveKey(shared, 'Control-Salt', 'Control-Write-Encryption-Key'),
    );
    return client;
  }

  send(method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body = ''): void {
    const length = body ? `Content-Length: ${Buffer.byteLength(body)}\r\n` : '';
    this.sendText(`${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${length}\r\n${body}`);
  }

  sendText(text: string): void {
    const bytes = Buffer.from(text);
    this.socket.write(this.#coder?.encrypt(bytes) ?? bytes);
  }

  /** Forgets what came so far. */
  clear(): void {
    this.text = '';
    this.bytes = 0;
  }

  close(): void {
    this.socket.destroy();
  }

  #take(bytes: Buffer): void {
    if (!this.#coder) {
      this.#plain = Buffer.concat([this.#plain, bytes]);
      this.text += bytes.toString('latin1');
      return;
    }
    this.bytes += bytes.length;
    try {
      this.text += Buffer.concat(this.#coder.decrypt(bytes)).toString();
    } catch (error) {
      this.fault = error;
      this.close();
    }
  }

  /** The answers here are small enough to come in one piece. */
  async #post(items: Parameters<typeof encodeTlv>[0]): Promise<Map<number, Buffer>> {
    const body = encodeTlv(items);
    this.#plain = Buffer.alloc(0);
    const head = `POST /pair-verify HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/pairing+tlv8\r\n`;
    this.socket.write(Buffer.concat([Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n`), body]));
    await once(this.socket, 'data');
    const end = this.#plain.indexOf('\r\n\r\n') + 4;
    const isChunked = /^transfer-encoding: chunked/im.test(this.#plain.toString('latin1', 0, end));
    const answer = this.#plain.subarray(end);
    return decodeTlv(isChunked ? onlyChunk(answer) : answer);
  }
}

function onlyChunk(body: Buffer): Buffer {
  const start = body.indexOf('\r\n') + 2;
  return body.subarray(start, start + Number.parseInt(body.toString('latin1'), 16));
}
