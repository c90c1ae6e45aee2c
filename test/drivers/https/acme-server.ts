/**
 * An authority that speaks ACME (RFC 8555) on loopback, as far as a client needs it, and strict: it checks each
 * signature, takes a nonce once, and compares the URL in each request with its own. A name is proven by a record that
 * the test has in its place of the DNS.
 */
import { execFile } from 'node:child_process';
import { createHash, createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer, type Server } from 'node:https';
import { promisify } from 'node:util';
import { certificateMaker } from '../../../src/drivers/https/certificate-maker.ts';
import type { TempDirectory } from '../../support/temp-directory.ts';

const run = promisify(execFile);
const DAY_MS = 86_400_000;

interface Signed {
  readonly head: {
    readonly alg: string;
    readonly nonce: string;
    readonly url: string;
    readonly jwk?: JsonWebKey;
    readonly kid?: string;
  };
  readonly payload: unknown;
}

interface Order {
  readonly name: string;
  status: string;
  authorization: 'pending' | 'valid' | 'invalid';
  certificate?: string;
}

export class AcmeServer {
  /** PEM: whom its clients trust. */
  readonly ca: string;
  /** How many requests it refuses as if their nonce were too old. */
  badNonces = 0;
  needsExternalAccount = false;
  /** In place of the name that was ordered, what it wants to be proven. */
  askedFor: unknown;
  /** The records in the DNS, by name. */
  records: () => ReadonlyMap<string, string> = () => new Map();
  readonly accounts = new Map<string, JsonWebKey>();
  /** What went wrong with a request that no client may send. */
  readonly faults: string[] = [];
  readonly #directory: TempDirectory;
  readonly #server: Server;
  readonly #authority;
  readonly #nonces = new Set<string>();
  readonly #orders: Order[] = [];
  #count = 0;

  private constructor(directory: TempDirectory) {
    this.#directory = directory;
    const validity = { notBefore: Date.now() - DAY_MS, notAfter: Date.now() + 400 * DAY_MS };
    const permitted = { domains: ['localhost', 'example.org'], networks: ['127.0.0.0/8'] };
    this.#authority = certificateMaker.makeAuthority({ commonName: 'ACME', permitted, ...validity });
    this.ca = this.#authority.certificate;
    const own = certificateMaker.makeServer(this.#authority, { names: ['127.0.0.1'], ...validity });
    this.#server = createServer({ cert: own.certificate, key: own.key }, (request, response) => {
      void this.#answer(request).then(({ status = 200, headers = {}, body = '' }) => {
        const nonce = `nonce-${this.#count++}`;
        this.#nonces.add(nonce);
        response.writeHead(status, { 'Replay-Nonce': nonce, 'Content-Type': 'application/json', ...headers });
        response.end(typeof body === 'string' ? body : JSON.stringify(body));
      });
    });
  }

  static async start(directory: TempDirectory): Promise<AcmeServer> {
    const server = new AcmeServer(directory);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  stop(): Promise<unknown> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(resolve));
  }

  get url(): string {
    const address = this.#server.address();
    return `https://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  }

  async #answer(
    request: IncomingMessage,
  ): Promise<{ status?: number; headers?: Record<string, string>; body?: unknown }> {
    const { method, url: path = '' } = request;
    const at = (name: string): string => `${this.url}/${name}`;
    if (path === '/directory') {
      const meta = { externalAccountRequired: this.needsExternalAccount };
      return { body: { newNonce: at('nonce'), newAccount: at('account'), newOrder: at('order'), meta } };
    }
    if (path === '/nonce' && method === 'HEAD') return {};
    const text = await bodyOf(request);
    const signed = this.#read(request, text);
    if (typeof signed === 'string') return this.#refuse(signed);
    if (this.badNonces > 0) {
      this.badNonces -= 1;
      return { status: 400, body: { type: 'urn:ietf:params:acme:error:badNonce', detail: 'too old' } };
    }
    return this.#act(path, signed);
  }

  #refuse(fault: string) {
    this.faults.push(fault);
    return { status: 400, body: { type: 'urn:ietf:params:acme:error:malformed', detail: fault } };
  }

  /** @returns what is wrong, as text */
  #read(request: IncomingMessage, text: string): Signed | string {
    if (request.method !== 'POST') return 'not a POST';
    if (request.headers['content-type'] !== 'application/jose+json') return 'wrong type';
    const { protected: head64, payload: payload64, signature } = JSON.parse(text);
    const head: Signed['head'] = JSON.parse(Buffer.from(head64, 'base64url').toString());
    if (head.alg !== 'ES256') return 'wrong algorithm';
    if (!this.#nonces.delete(head.nonce)) return 'unknown nonce';
    if (head.url !== `${this.url}${request.url}`) return 'wrong url';
    if ((head.jwk === undefined) === (head.kid === undefined)) return 'jwk or kid';
    if ((request.url === '/account') !== (head.jwk !== undefined)) return 'a jwk for new accounts only';
    const jwk = head.jwk ?? this.accounts.get(head.kid ?? '');
    if (!jwk) return 'unknown account';
    const key = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' as const };
    const isSigned = verify('sha256', Buffer.from(`${head64}.${payload64}`), key, Buffer.from(signature, 'base64url'));
    if (!isSigned) return 'wrong signature';
    return { head, payload: payload64 === '' ? undefined : JSON.parse(Buffer.from(payload64, 'base64url').toString()) };
  }

  async #act(path: string, { head, payload }: Signed) {
    const [, kind, id = '0'] = path.split('/');
    const order = this.#orders[Number(id)];
    // biome-ignore lint/suspicious/noExplicitAny: the requests of the client under test
    const given = payload as any;
    if (kind === 'account') return this.#account(head.jwk ?? {}, given);
    if (kind === 'order' && payload !== undefined && path === '/order') {
      const [identifier] = given.identifiers;
      this.#orders.push({ name: identifier.value, status: 'pending', authorization: 'pending' });
      return this.#order(this.#orders.length - 1, 201);
    }
    if (!order) return this.#refuse(`nothing at ${path}`);
    if (kind === 'order') return this.#order(Number(id));
    if (kind === 'authorization') return this.#authorization(order, id);
    if (kind === 'challenge') {
      const value = this.records().get(`_acme-challenge.${order.name}`);
      order.authorization = value === this.#recordFor(head.kid ?? '', `token-${id}`) ? 'valid' : 'invalid';
      return { body: {} };
    }
    if (kind === 'finalize') {
      if (order.authorization !== 'valid') return this.#refuse('not proven');
      order.certificate = await this.#sign(given.csr, order.name);
      order.status = 'valid';
      return this.#order(Number(id));
    }
    return { headers: { 'Content-Type': 'application/pem-certificate-chain' }, body: order.certificate };
  }

  #account(jwk: JsonWebKey, { termsOfServiceAgreed }: { readonly termsOfServiceAgreed?: boolean }) {
    if (termsOfServiceAgreed !== true) return this.#refuse('terms');
    const known = [...this.accounts].find(([, { x }]) => x === jwk.x)?.[0];
    const kid = known ?? `${this.url}/account/${this.accounts.size}`;
    this.accounts.set(kid, jwk);
    return { status: known ? 200 : 201, headers: { Location: kid }, body: { status: 'valid' } };
  }

  #order(id: number, status = 200) {
    const order = this.#orders[id];
    const of = (kind: string): string => `${this.url}/${kind}/${id}`;
    const urls = { authorizations: [of('authorization')], finalize: of('finalize'), certificate: of('certificate') };
    return { status, headers: { Location: of('order') }, body: { status: order?.status, ...urls } };
  }

  #authorization({ name, authorization }: Order, id: string) {
    const error = authorization === 'invalid' ? { error: { detail: `No such record for ${name}` } } : {};
    const dns = { type: 'dns-01', url: `${this.url}/challenge/${id}`, token: `token-${id}`, ...error };
    const challenges = [{ type: 'http-01', url: 'x', token: 'x' }, dns];
    return { body: { status: authorization, identifier: { type: 'dns', value: this.askedFor ?? name }, challenges } };
  }

  /** RFC 8555 §8.4, RFC 7638. */
  #recordFor(kid: string, token: string): string {
    const { crv, kty, x, y } = this.accounts.get(kid) ?? {};
    const hash = (text: string): string => createHash('sha256').update(text).digest('base64url');
    return hash(`${token}.${hash(JSON.stringify({ crv, kty, x, y }))}`);
  }

  /** OpenSSL reads the request, and refuses one that is not signed by its key. */
  async #sign(csr: string, name: string): Promise<string> {
    const file = (suffix: string): string => this.#directory.file(`acme-${this.#orders.length}.${suffix}`);
    writeFileSync(file('der'), Buffer.from(csr, 'base64url'));
    writeFileSync(file('ca'), this.#authority.certificate);
    writeFileSync(file('key'), this.#authority.key);
    const { stdout } = await run('openssl', [
      'req',
      '-inform',
      'der',
      '-in',
      file('der'),
      '-verify',
      '-noout',
      '-text',
    ]);
    if (!stdout.includes(`DNS:${name}`)) throw new Error('The request lacks the name');
    const input = ['-req', '-inform', 'der', '-in', file('der'), '-CA', file('ca'), '-CAkey', file('key')];
    const signing = ['x509', ...input, '-days', '90', '-copy_extensions', 'copyall'];
    const signed = await run('openssl', signing);
    return `${signed.stdout}${this.#authority.certificate}`;
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
