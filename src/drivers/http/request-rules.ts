/** What a request may say: an http or https address, headers that can't smuggle anything, and nothing that is the sender's own to say. */
import { type HttpRequest, HttpSendError } from '../../home/http-sender.ts';
import { VERSION } from '../../kernel/version.ts';

export interface CheckedRequest {
  readonly origin: string;
  /** Without brackets. */
  readonly hostname: string;
  readonly port: number;
  readonly isTls: boolean;
  /** With the query. */
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** RFC 9110 §5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
/** RFC 9110 §5.5, as octets: what Latin-1 can say, without control characters but the tab. */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** What only the sender knows, what would turn one request into two, and what belongs to a proxy, of which there is none. */
const SENDERS_OWN =
  /^(host|connection|keep-alive|transfer-encoding|content-length|te|trailer|upgrade|expect|proxy-.*)$/i;

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** @throws `HttpSendError` `invalid_url`, also for a method or a header that can't be */
export function checkRequest({ url: text, method, headers }: HttpRequest): CheckedRequest {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const defaultPort = DEFAULT_PORTS[url?.protocol ?? ''];
  if (!url || defaultPort === undefined || url.hostname === '') {
    throw new HttpSendError(
      'invalid_url',
      'The URL is not a whole http or https address, such as http://192.168.1.20/on',
    );
  }
  if (!TOKEN.test(method)) throw new HttpSendError('invalid_url', 'The method is not one of HTTP');
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

/** Names in lower case, so that one that is given takes the place of ours. */
function checkHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const checked = Object.entries(headers).map(([name, value]) => {
    if (!TOKEN.test(name))
      throw new HttpSendError('invalid_url', 'The name of a header has characters that none may have');
    if (SENDERS_OWN.test(name)) throw new HttpSendError('invalid_url', `The header ${name} can't be set: leave it out`);
    if (!FIELD_VALUE.test(value)) {
      throw new HttpSendError(
        'invalid_url',
        `The header ${name} has a line break or characters that no header may have`,
      );
    }
    return [name.toLowerCase(), value.trim()] as const;
  });
  return Object.fromEntries(checked);
}

/** `http://user:password@camera/` says it as browsers did (RFC 7617). */
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
