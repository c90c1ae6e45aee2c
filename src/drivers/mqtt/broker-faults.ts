/**
 * Maps a failure to connect to a broker to a sentence, by codes of Node, OpenSSL and MQTT. Error messages are never
 * repeated.
 */
import type { MqttClosed, MqttTarget } from '../../home/mqtt-connector.ts';

/** MQTT 3.1.1 §3.2.2.3, return codes of CONNACK; brokers of version 5 use 134 and 135 for the last two. */
const REFUSALS: ReadonlyMap<number, { readonly fault: MqttClosed['fault']; readonly reason: string }> = new Map([
  [1, { fault: 'protocol', reason: 'does not speak MQTT 3.1.1' }],
  [2, { fault: 'protocol', reason: 'refuses the client id' }],
  [3, { fault: 'network', reason: 'is not available now' }],
  [4, { fault: 'credentials', reason: 'refuses the user name or the password' }],
  [5, { fault: 'credentials', reason: 'does not let us in: check user name, password and its access rules' }],
]);

const CERTIFICATE = /CERT|ISSUER|SIGNATURE|ERR_TLS_/;
/** Certificate errors that another certificate authority would not fix. */
const WRONG_CERTIFICATES: ReadonlyMap<string, string> = new Map([
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'is for another name or address than the broker’s'],
  ['CERT_HAS_EXPIRED', 'has expired'],
  ['CERT_NOT_YET_VALID', 'is not valid yet: check the clock'],
]);
/** A plain response to a TLS handshake, or a TLS response to a plain connection. */
const NOT_TLS = /^(EPROTO|ERR_SSL_)/;

const NETWORK: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'refuses connections: no broker listens there'],
  ['ENOTFOUND', 'is unknown: its name can’t be resolved'],
  ['EAI_AGAIN', 'can’t be looked up: the name server does not answer'],
  ['EHOSTUNREACH', 'can’t be reached from here'],
  ['ENETUNREACH', 'can’t be reached from here'],
  ['ETIMEDOUT', 'does not answer'],
  ['ECONNRESET', 'broke the connection off'],
  ['EPIPE', 'broke the connection off'],
]);

/** For display: `The broker at 192.168.1.10:1883`. */
export function brokerAt({ host, port }: Pick<MqttTarget, 'host' | 'port'>): string {
  return `The broker at ${host.includes(':') ? `[${host}]` : host}:${port}`;
}

export function closedBy(target: MqttTarget, error: unknown): MqttClosed {
  const broker = brokerAt(target);
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (typeof code === 'number') {
    const { fault, reason } = REFUSALS.get(code) ?? { fault: 'protocol' as const, reason: `refuses us (code ${code})` };
    return { fault, message: `${broker} ${reason}.` };
  }
  const name = typeof code === 'string' ? code : innerCode(error);
  if (NOT_TLS.test(name)) return { fault: 'protocol', message: `${broker} does not speak TLS on this port (${name}).` };
  const wrong = WRONG_CERTIFICATES.get(name);
  if (wrong) return { fault: 'certificate', message: `${broker} shows a certificate that ${wrong}.` };
  if (CERTIFICATE.test(name)) {
    const advice = 'Give the authority’s certificate with the broker.';
    return { fault: 'certificate', message: `${broker} shows a certificate that is not trusted (${name}). ${advice}` };
  }
  const reason = NETWORK.get(name) ?? (name ? `can’t be reached (${name})` : 'closed the connection');
  return { fault: 'network', message: `${broker} ${reason}.` };
}

/** A name with several addresses fails with one error for each address. */
function innerCode(error: unknown): string {
  if (!(error instanceof AggregateError)) return '';
  const codes = error.errors.map((one: unknown) => (one as { code?: unknown } | null)?.code);
  return codes.find((one) => typeof one === 'string') ?? '';
}
