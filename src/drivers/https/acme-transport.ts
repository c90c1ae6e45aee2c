/** Signed requests to an ACME server (RFC 8555 §6): JWS with ES256, a nonce for each, repeated when it was too old. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { request as httpsRequest } from 'node:https';
import { HearthError } from '../../kernel/errors.ts';
import { parseUrl } from '../../kernel/parse-url.ts';
import { VERSION } from '../../kernel/version.ts';

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 1_000_000;
const MAX_ATTEMPTS = 4;
const BAD_NONCE = 'urn:ietf:params:acme:error:badNonce';

export interface AcmeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** An empty object if the body is no JSON object. */
  readonly body: Readonly<Record<string, unknown>>;
}

interface TransportOptions {
  /** PEM: whom to trust in place of the system's authorities. */
  readonly ca: string | undefined;
  readonly accountKey: string;
  readonly signal: AbortSignal | undefined;
}

export class AcmeTransport {
  readonly #options: TransportOptions;
  readonly #key: KeyObject;
  readonly #jwk: { readonly crv: string; readonly kty: string; readonly x: string; readonly y: string };
  #newNonce = '';
  #nonce: string | undefined;
  /** The URL of our account, once it is known. */
  #kid: string | undefined;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#key = createPrivateKey(options.accountKey);
    const { crv = '', kty = '', x = '', y = '' } = createPublicKey(this.#key).export({ format: 'jwk' });
    this.#jwk = { crv, kty, x, y };
  }

  /** RFC 8555 §8.1, §8.4: what the record in the DNS has to contain. */
  recordFor(token: string): string {
    // RFC 7638: the members in the order of their names.
    const thumbprint = sha256(JSON.stringify(this.#jwk));
    return sha256(`${token}.${thumbprint}`);
  }

  async directory(url: string): Promise<AcmeAnswer['body']> {
    const { body } = await this.#send('GET', url);
    this.#newNonce = textIn(body, 'newNonce');
    return body;
  }

  useAccount(kid: string): void {
    this.#kid = kid;
  }

  /** @param payload `undefined`: a POST that reads. @throws `conflict` with what the server answered */
  async post(url: string, payload?: object): Promise<AcmeAnswer> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#send('POST', url, await this.#signed(url, payload));
      if (answer.status < 400) return answer;
      const { type, detail } = answer.body;
      if (type === BAD_NONCE && attempt < MAX_ATTEMPTS) continue;
      throw refusal(`The authority refused: ${clean(detail ?? type ?? `status ${answer.status}`)}`);
    }
  }

  async #signed(url: string, payload: object | undefined): Promise<string> {
    const nonce = this.#nonce ?? (await this.#freshNonce());
    // Each works once.
    this.#nonce = undefined;
    const identity = this.#kid === undefined ? { jwk: this.#jwk } : { kid: this.#kid };
    const head = encoded(JSON.stringify({ alg: 'ES256', nonce, url, ...identity }));
    const body = payload === undefined ? '' : encoded(JSON.stringify(payload));
    const key = { key: this.#key, dsaEncoding: 'ieee-p1363' as const };
    const signature = sign('sha256', Buffer.from(`${head}.${body}`), key).toString('base64url');
    return JSON.stringify({ protected: head, payload: body, signature });
  }

  async #freshNonce(): Promise<string> {
    await this.#send('HEAD', this.#newNonce);
    if (this.#nonce === undefined) throw refusal('The authority gave no nonce: its directory may be wrong.');
    return this.#nonce;
  }

  /** No redirect is followed. */
  #send(method: string, url: string, body?: string): Promise<AcmeAnswer> {
    const target = parseUrl(url);
    if (target?.protocol !== 'https:')
      return Promise.reject(refusal('The authority named an address that is not https: its directory may be wrong.'));
    const { ca, signal } = this.#options;
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void =>
        reject(refusal(`The authority at ${target.host} can't be reached: ${clean(error.message)}`));
      const request = httpsRequest(url, {
        method,
        timeout: TIMEOUT_MS,
        headers: {
          'User-Agent': `hearthd/${VERSION}`,
          ...(body !== undefined && { 'Content-Type': 'application/jose+json' }),
        },
        ...(ca !== undefined && { ca }),
        ...(signal && { signal }),
      });
      request.on('timeout', () => request.destroy(new Error('no answer in time')));
      request.on('error', fail);
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          chunks.push(chunk);
          if (bytes > MAX_BYTES) request.destroy(new Error('its answer is too long'));
        });
        response.on('error', fail);
        response.on('end', () => {
          const { statusCode: status = 0, headers } = response;
          const nonce = headers['replay-nonce'];
          if (typeof nonce === 'string') this.#nonce = nonce;
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status, headers, text, body: objectIn(text) });
        });
      });
      request.end(body);
    });
  }
}

export function textIn(body: AcmeAnswer['body'], name: string): string {
  const value = body[name];
  return typeof value === 'string' ? value : '';
}

export function refusal(sentence: string): HearthError {
  return new HearthError('conflict', sentence);
}

/** What a server wrote, for a line of text. */
export function clean(text: unknown): string {
  return String(text)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, 300);
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const encoded = (text: string): string => Buffer.from(text).toString('base64url');
const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');
