/**
 * A push service of our own on loopback, and the browsers that subscribe at it. It checks what RFC 8030 and RFC 8292
 * ask of a sender, and its browsers decrypt by RFC 8291, with code that shares nothing with the relay's.
 */
import { createDecipheriv, createECDH, createHmac, createPublicKey, type ECDH, randomBytes, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PushSubscription } from '../../src/home/web-push.ts';

export interface ReceivedPush {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface PushService {
  readonly origin: string;
  /** Every message, refused ones too. */
  readonly received: ReceivedPush[];
  /** What it answers to the next messages; 201 after those. */
  readonly script: { readonly status: number; readonly headers?: Readonly<Record<string, string>> }[];
  subscribe(): Browser;
  close(): Promise<void>;
}

export async function startPushService(): Promise<PushService> {
  const received: ReceivedPush[] = [];
  const script: PushService['script'] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) });
      answer(response, script.shift() ?? { status: 201 });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    received,
    script,
    subscribe: () => new Browser(`${origin}/push/${randomBytes(16).toString('base64url')}`),
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function answer(response: ServerResponse, { status, headers = {} }: PushService['script'][number]): void {
  response.writeHead(status, headers).end();
}

/** A browser with a subscription. */
export class Browser {
  readonly subscription: PushSubscription;
  readonly #keys: ECDH = createECDH('prime256v1');
  readonly #auth: Buffer;

  constructor(endpoint: string, fixed?: { readonly privateKey: Buffer; readonly auth: Buffer }) {
    if (fixed) this.#keys.setPrivateKey(fixed.privateKey);
    else this.#keys.generateKeys();
    this.#auth = fixed?.auth ?? randomBytes(16);
    const [p256dh, auth] = [this.#keys.getPublicKey('base64url'), this.#auth.toString('base64url')];
    this.subscription = { endpoint, p256dh, auth };
  }

  /** The messages for this browser, decrypted. */
  readAll({ received }: Pick<PushService, 'received'>): string[] {
    const { pathname } = new URL(this.subscription.endpoint);
    return received.filter(({ path }) => path === pathname).map(({ body }) => this.decrypt(body));
  }

  /** RFC 8291 §3.4 with RFC 8188 §2, by HMAC. */
  decrypt(body: Buffer): string {
    const salt = body.subarray(0, 16);
    if (body.readUInt32BE(16) !== 4_096) throw new Error('The record size is not 4,096');
    const idLength = body.readUInt8(20);
    const sender = body.subarray(21, 21 + idLength);
    const record = body.subarray(21 + idLength);
    if (body.length > 4_096) throw new Error('A push service may refuse more than 4,096 bytes');
    const info = [Buffer.from('WebPush: info\0'), this.#keys.getPublicKey(), sender, Buffer.of(1)];
    const secret = hmac(hmac(this.#auth, this.#keys.computeSecret(sender)), Buffer.concat(info));
    const base = hmac(salt, secret);
    const key = hmac(base, Buffer.from('Content-Encoding: aes128gcm\0\x01')).subarray(0, 16);
    const nonce = hmac(base, Buffer.from('Content-Encoding: nonce\0\x01')).subarray(0, 12);
    const decipher = createDecipheriv('aes-128-gcm', key, nonce);
    decipher.setAuthTag(record.subarray(-16));
    const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
    const end = plain.lastIndexOf(2);
    if (end === -1 || plain.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('No end of the last record');
    return plain.subarray(0, end).toString('utf8');
  }
}

/** The claims of the VAPID header (RFC 8292), whose signature is verified with the key that it names. */
export function readVapid(authorization: string | undefined): {
  readonly publicKey: string;
  readonly claims: { readonly aud: string; readonly exp: number; readonly sub: string };
} {
  const match = /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(authorization ?? '');
  if (!match) throw new Error('No VAPID header');
  const [, header = '', claims = '', signature = '', publicKey = ''] = match;
  const { alg } = parse(header) as { alg: string };
  if (alg !== 'ES256') throw new Error('Not signed with ES256');
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')];
  const key = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } });
  const signed = Buffer.from(`${header}.${claims}`);
  const given = Buffer.from(signature, 'base64url');
  if (!verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, given)) throw new Error('A wrong signature');
  return { publicKey, claims: parse(claims) as { aud: string; exp: number; sub: string } };
}

function parse(part: string): unknown {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
}

function hmac(key: Uint8Array, data: Uint8Array): Buffer {
  return createHmac('sha256', key).update(data).digest();
}
