/** Checks a request: an http or https URL, headers without injection, and no header that the sender sets itself. */
import { faultOfHeaderName, faultOfHeaderValue, type HttpRequest, HttpSendError } from '../../home/http-sender.ts';
import { shorten } from '../../home/vocabulary/values.ts';
import { parseUrl } from '../../kernel/parse-url.ts';
import { VERSION } from '../../kernel/version.ts';

export interface CheckedRequest {
  readonly origin: string;
  /** Without brackets. */
  readonly hostname: string;
  readonly port: number;
  readonly isTls: boolean;
  /** Includes the query. */
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
}

const METHOD = /^[a-z]{1,32}$/i;

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** @throws `HttpSendError` `invalid_url`, also for an invalid method or header */
export function checkRequest({ url: text, method, headers }: HttpRequest): CheckedRequest {
  const url = parseUrl(text);
  const defaultPort = DEFAULT_PORTS[url?.protocol ?? ''];
  if (!url || defaultPort === undefined || url.hostname === '') {
    throw new HttpSendError(
      'invalid_url',
      'The URL is not a whole http or https address, such as http://192.168.1.20/on',
    );
  }
  if (!METHOD.test(method)) throw new HttpSendError('invalid_url', 'The method is not one of HTTP');
  return {
    origin: url.origin,
    hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? defaultPort : Number(url.port),
    isTls: url.protocol === 'https:',
    path: url.pathname + url.search,
    method: method.toUpperCase(),
    headers: { 'user-agent': `hearthd/${VERSION}`, accept: '*/*', ...credentialsOf(url), ...checkHeaders(headers) },
  };
}

/** Names are in lower case, so that a configured header replaces the default one. */
function checkHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const checked = Object.entries(headers).map(([name, value]) => {
    const fault = faultOfHeaderName(name) ?? faultOfHeaderValue(value);
    if (fault !== null) throw new HttpSendError('invalid_url', `The header ${shorten(name)} ${fault}`);
    return [name.toLowerCase(), value.trim()] as const;
  });
  return Object.fromEntries(checked);
}

/** `http://user:password@camera/` becomes a Basic `Authorization` header, as in browsers (RFC 7617). */
function credentialsOf({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {};
  const credentials = `${decode(username)}:${decode(password)}`;
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
