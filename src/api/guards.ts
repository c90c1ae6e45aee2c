/**
 * Guards that apply to every caller. They reject a Host that is not the relay's own (DNS rebinding), a foreign Origin
 * (another site's page using a visitor's token or network), and bodies that are too large or not of the API's media
 * type. Rows 1–4 of the security checklist. Guards know nothing of tokens, homes or routes.
 */
import { BlockList, isIP, isIPv6 } from 'node:net';
import { HearthError } from '../kernel/errors.ts';
import { type ApiContext, type ApiMiddleware, type Check, type GuardedRequest, headerOf, middlewareOf } from './env.ts';
import { isLoopbackHost } from './lan-origin.ts';
import { answer } from './respond.ts';

export interface GuardOptions {
  // All functions are called at every request, since their values change.
  /** Names and addresses of this machine, in lower case. */
  readonly ownHosts: () => ReadonlySet<string>;
  /** Further host names that resolve to the relay. */
  readonly allowedHosts: readonly string[];
  /** Origins (`https://dash.example`) whose pages may use the API from a browser. */
  readonly allowedOrigins: readonly string[];
  /** The address under which a proxy publishes this relay. */
  readonly publicUrl: string | null;
  /** Addresses or networks (`10.0.0.0/8`) of proxies whose X-Forwarded-Proto and X-Forwarded-For are trusted. */
  readonly trustedProxies: readonly string[];
  /** The origin for other devices in the home, for links that are passed on; unknown if left out. */
  readonly lanOrigin?: (() => string | undefined) | undefined;
  /** All such origins, `lanOrigin` first. */
  readonly lanOrigins?: (() => readonly string[]) | undefined;
  /** The port of https that http leads to; 0 or left out if it does not. */
  readonly redirectPort?: (() => number) | undefined;
  /** An address that reaches the relay at least from this machine, for links requested over the Unix socket. */
  readonly ownUrl?: (() => string) | undefined;
}

/** No legitimate request is this large; a larger one is a mistake or an attack. */
export const MAX_BODY_BYTES = 1_048_576;

/** How long a browser may cache a preflight response, in seconds. */
const PREFLIGHT_MAX_AGE_S = 600;

const CORS_METHODS = 'GET, POST, PUT, PATCH, DELETE';
/**
 * The headers of existing clients (wire-facts §2.9), the one that resumes an event stream, and MCP's own (its
 * transport, "Protocol Version Header").
 */
const CORS_REQUEST_HEADERS = [
  'Authorization, Content-Type, If-None-Match, X-Client-Type, X-Client-Timestamp, X-Trace-Id, Last-Event-ID',
  'MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id',
].join(', ');
const CORS_EXPOSED_HEADERS = 'ETag, Retry-After, WWW-Authenticate, X-Request-Id';

/** @throws `forbidden_origin` the request's host is not one of the relay's names. Not checked on the Unix socket. */
export function checkHost(options: GuardOptions): Check {
  const configured = madeOf(
    () => [options.allowedHosts, options.publicUrl] as const,
    ([hosts, publicUrl]) =>
      new Set(
        [...hosts, ...(publicUrl ? [new URL(publicUrl).host] : [])].map(
          (host) => hostnameOf(host) ?? host.toLowerCase(),
        ),
      ),
  );
  const isOurs = (authority: string): boolean => {
    const name = hostnameOf(authority);
    return name !== null && (options.ownHosts().has(name) || configured().has(name));
  };
  return (c) => {
    if (c.env?.viaSocket) return;
    const authority = authorityOf(c);
    if (isOurs(authority)) return;
    throw new HearthError(
      'forbidden_origin',
      `This relay does not answer to the host name "${shorten(authority)}". If it is yours, allow it with --allowed-host (setting allowed_host).`,
    );
  };
}

export function guardHost(options: GuardOptions): ApiMiddleware {
  return middlewareOf(checkHost(options));
}

/** @returns a check of whether a request comes from no page, or from one of the relay's own. */
export function ownOrigin(options: GuardOptions): (c: GuardedRequest) => boolean {
  const originOf = requestOrigin(options);
  return (c) => {
    const origin = headerOf(c, 'origin');
    return origin === undefined || origin.toLowerCase() === originOf(c);
  };
}

/**
 * Allows the relay's own pages and those of configured origins, and answers their preflights. It never sends `*`,
 * credentials or Access-Control-Allow-Private-Network: no public site reaches into the home through a visitor's
 * browser.
 * @throws `forbidden_origin` a foreign origin (or `null`) that would change something or carries credentials
 */
export function guardOrigin(options: GuardOptions): ApiMiddleware {
  const allowed = allowedOrigins(options);
  const isOwn = ownOrigin(options);
  return (c, next) => {
    if (isOwn(c)) return next();
    const origin = headerOf(c, 'origin')?.toLowerCase() ?? '';
    const { method } = c.req;
    const preflight = method === 'OPTIONS' && headerOf(c, 'access-control-request-method') !== undefined;
    if (allowed().has(origin))
      return preflight ? Promise.resolve(answerPreflight(origin)) : answerAcross(c, origin, next);

    const reads = method === 'GET' || method === 'HEAD';
    const carriesCredentials = headerOf(c, 'authorization') !== undefined || headerOf(c, 'cookie') !== undefined;
    if (reads && !carriesCredentials) return next();
    throw foreignOrigin(origin);
  };
}

/** @returns a function that returns the origins whose pages may use the API, beside the relay's own, in lower case. */
export function allowedOrigins(options: GuardOptions): () => ReadonlySet<string> {
  return madeOf(
    () => [options.allowedOrigins, options.publicUrl] as const,
    ([configured, publicUrl]) => {
      const origins = configured.map((origin) => origin.toLowerCase().replace(/\/$/, ''));
      return new Set(publicUrl ? [...origins, new URL(publicUrl).origin] : origins);
    },
  );
}

export function foreignOrigin(origin: string): HearthError {
  return new HearthError(
    'forbidden_origin',
    `Pages of "${shorten(origin)}" may not use this relay. If the site is yours, allow it with --allowed-origin (setting allowed_origin).`,
  );
}

/** Of the announced length. @throws `payload_too_large` */
export function checkLength(maxBytes = MAX_BODY_BYTES): Check {
  return (c) => {
    if (Number(headerOf(c, 'content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
  };
}

/** @throws `payload_too_large` · `invalid_request` the body is incomplete */
export function guardBody(maxBytes = MAX_BODY_BYTES): ApiMiddleware {
  const check = checkLength(maxBytes);
  return (c, next) => {
    check(c);
    const length = headerOf(c, 'content-length');
    return length === undefined && hasBody(c) ? countBody(c, maxBytes).then(next) : next();
  };
}

/**
 * For the APIs that take JSON. It also rejects HTML forms of other sites: they can't send this type.
 * @throws `unsupported_media_type`
 */
export function guardJson(): ApiMiddleware {
  return (c, next) => {
    if (hasBody(c)) requireJson(c);
    return next();
  };
}

/** As `guardJson`, for a request whose length is announced. @throws `unsupported_media_type` */
export const checkJson: Check = (c) => {
  if (headerOf(c, 'content-length') !== '0') requireJson(c);
};

/**
 * @returns a function that returns scheme and host under which the client reached the relay, as a browser would write
 * them.
 */
export function requestOrigin(options: GuardOptions): (c: GuardedRequest) => string {
  const proxies = trustedProxies(options);
  const published = madeOf(
    () => [options.publicUrl] as const,
    ([publicUrl]) => (publicUrl ? new URL(publicUrl) : null),
  );
  return (c) => {
    const publicUrl = published();
    const authority = authorityOf(c).toLowerCase();
    if (publicUrl?.host === authority) return publicUrl.origin;
    const peer = c.env?.incoming?.socket.remoteAddress;
    const forwarded = peer !== undefined && isListed(proxies(), peer) ? c.req.header('x-forwarded-proto') : undefined;
    const scheme = forwarded === 'https' || c.req.url.startsWith('https:') ? 'https' : 'http';
    return `${scheme}://${authority}`;
  };
}

/** What monitors ask, and what leads a device to trusting the certificate. */
const HTTP_PATHS = /^\/(?:health|ready|trust(?:\/.*)?)\/?$/;

/**
 * @returns a function that returns the https address of a request over http, if http leads there (`https_redirect`).
 * Requests of this computer, over the Unix socket, or with https at a trusted proxy stay as they are.
 */
export function httpsAddress(options: GuardOptions): (c: GuardedRequest) => string | undefined {
  const originOf = requestOrigin(options);
  return (c) => {
    const port = options.redirectPort?.() ?? 0;
    const peer = c.env?.viaSocket ? undefined : c.env?.incoming?.socket.remoteAddress;
    if (port === 0 || peer === undefined || isLoopbackHost(peer.replace(/^::ffff:(?=\d+\.)/, ''))) return undefined;
    const origin = originOf(c);
    const target = new URL(c.req.url);
    if (origin.startsWith('https:') || HTTP_PATHS.test(target.pathname)) return undefined;
    const { hostname } = new URL(origin);
    return `https://${hostname}${port === 443 ? '' : `:${port}`}${target.pathname}${target.search}`;
  };
}

/** After the guard of the host, so that it leads to names of the relay only. */
export function redirectToHttps(options: GuardOptions): ApiMiddleware {
  const addressOf = httpsAddress(options);
  return (c, next) => {
    const location = addressOf(c);
    if (location === undefined) return next();
    // Not stored: browsers would go on after the setting is off.
    return Promise.resolve(answer(null, 308, { Location: location, 'Cache-Control': 'no-store' }));
  };
}

/**
 * Stores the client's address, for counting attempts: the peer, or behind trusted proxies the last address that is not
 * one of them.
 */
export function addressNoter(options: Pick<GuardOptions, 'trustedProxies'>): Check {
  const proxies = trustedProxies(options);
  return (c) => {
    const peer = c.env?.viaSocket ? undefined : c.env?.incoming?.socket.remoteAddress;
    // A look-up in a BlockList takes longer than the rest of a quick request, and most homes have no proxy.
    const isProxy = options.trustedProxies.length > 0 && peer !== undefined && isListed(proxies(), peer);
    if (peer !== undefined) c.set('address', isProxy ? forwardedFor(c, proxies(), peer) : peer);
  };
}

export function noteAddress(options: Pick<GuardOptions, 'trustedProxies'>): ApiMiddleware {
  return middlewareOf(addressNoter(options));
}

/** Each proxy appends the address that it received from. Entries before the first untrusted proxy are not reliable. */
function forwardedFor(c: GuardedRequest, proxies: BlockList, peer: string): string {
  const hops = (c.req.header('x-forwarded-for') ?? '').split(',').map((hop) => hop.trim());
  for (const hop of hops.reverse()) {
    if (isIP(hop) === 0) return peer;
    if (!isListed(proxies, hop)) return hop;
  }
  return peer;
}

/** The request's host and port. An absolute request target overrides Host (RFC 9112 §3.2.2). */
function authorityOf(c: GuardedRequest): string {
  const target = c.env?.incoming?.url;
  const host = headerOf(c, 'host');
  return host !== undefined && target?.startsWith('/') ? host : new URL(c.req.url).host;
}

/** `[::1]:5656` → `::1`, `Pi.Local.:5656` → `pi.local`; `null` if it is not an authority. */
function hostnameOf(authority: string): string | null {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:\s/@?#[\]\\]+))(?::\d{1,5})?$/i.exec(authority);
  const address = match?.[1] ?? (match ? undefined : authority);
  if (address !== undefined) return isIPv6(address) ? canonicalIPv6(address) : null;
  return match?.[2]?.toLowerCase().replace(/\.$/, '') ?? null;
}

function canonicalIPv6(address: string): string {
  return new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
}

function answerPreflight(origin: string): Response {
  return answer(null, 204, {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Methods': CORS_METHODS,
    'Access-Control-Allow-Headers': CORS_REQUEST_HEADERS,
    'Access-Control-Max-Age': String(PREFLIGHT_MAX_AGE_S),
    Vary: 'Origin',
  });
}

async function answerAcross(c: ApiContext, origin: string, next: () => Promise<void>): Promise<void> {
  await next();
  c.header('Access-Control-Allow-Origin', origin);
  c.header('Access-Control-Expose-Headers', CORS_EXPOSED_HEADERS);
  c.header('Vary', 'Origin', { append: true });
}

/** Some clients send "Content-Type: application/json" on a GET too: that alone does not mean a body. */
function hasBody(c: ApiContext): boolean {
  const { method } = c.req;
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return false;
  const length = headerOf(c, 'content-length');
  if (length !== undefined) return length !== '0';
  // Behind a socket the framing headers decide; without one only the request itself does.
  return c.env?.incoming ? headerOf(c, 'transfer-encoding') !== undefined : c.req.raw.body !== null;
}

function requireJson(c: GuardedRequest): void {
  const [type = '', ...parameters] = (headerOf(c, 'content-type') ?? '').toLowerCase().split(';');
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('charset='));
  const encoding = headerOf(c, 'content-encoding') ?? 'identity';
  if (type.trim() !== 'application/json' || (charset && !/^charset="?utf-8"?$/.test(charset))) {
    throw new HearthError(
      'unsupported_media_type',
      'Send the body as JSON in UTF-8, with the header "Content-Type: application/json".',
    );
  }
  if (encoding !== 'identity') {
    throw new HearthError('unsupported_media_type', 'Send the body uncompressed, without a Content-Encoding.');
  }
}

/** Reads a body of unknown length, up to the limit; the bytes read replace the body. */
async function countBody(c: ApiContext, maxBytes: number): Promise<void> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of c.req.raw.body ?? []) {
      size += chunk.byteLength;
      if (size > maxBytes) break;
      chunks.push(chunk);
    }
  } catch (cause) {
    throw new HearthError('invalid_request', 'The body ended before its end was announced.', {}, { cause });
  }
  if (size > maxBytes) throw tooLarge(maxBytes);
  c.req.raw = new Request(c.req.raw, { body: Buffer.concat(chunks) });
}

function tooLarge(maxBytes: number): HearthError {
  return new HearthError('payload_too_large', `A body may have ${maxBytes} bytes at most.`);
}

function trustedProxies(options: Pick<GuardOptions, 'trustedProxies'>): () => BlockList {
  return madeOf(
    () => [options.trustedProxies] as const,
    ([networks]) => blockListOf(networks),
  );
}

/**
 * Caches a value computed from settings, which change while the daemon runs. Computes it again when one of them
 * changes.
 */
function madeOf<T extends readonly unknown[], R>(read: () => T, make: (values: T) => R): () => R {
  let values = read();
  let made = make(values);
  return () => {
    const now = read();
    if (now.some((value, index) => value !== values[index])) {
      values = now;
      made = make(now);
    }
    return made;
  };
}

function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    list.addSubnet(address, prefix === undefined ? (family === 'ipv6' ? 128 : 32) : Number(prefix), family);
  }
  return list;
}

function isListed(list: BlockList, address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
  return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
}

/** Truncates hostile text in a message to what a person needs to recognise it. */
function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
