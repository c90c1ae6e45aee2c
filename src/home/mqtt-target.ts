/** Parses where an MQTT broker is and whom to trust there. Each error message states the expected format. */
import { X509Certificate } from 'node:crypto';
import { HearthError, messageOf } from '../kernel/errors.ts';
import { parseUrl } from '../kernel/parse-url.ts';

/** RFC 1035 §2.3.4, without the dot of the root. */
const MAX_HOST_LENGTH = 253;
/** Underscores occur in local DNS names and in container names. */
const HOST_NAME = /^(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))*$/;
/**
 * `127.1`, `0x7f000001`, `2130706433`: with such a last part, some resolvers treat the name as an address (WHATWG URL,
 * "ends in a number").
 */
const ENDS_IN_A_NUMBER = /(^|\.)(\d+|0x[0-9a-f]*)$/;
/** A chain with every CA of an operating system has 250 kB; a private CA has 2 kB. */
const MAX_CA_BYTES = 64 * 1024;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

const IPV4 = /^(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$/;
/** RFC 4291 §2.5.5.2 in its shortest form: the first two bytes of the IPv4 address, and the others. */
const IPV4_MAPPED = /^::ffff:([0-9a-f]{1,4}):[0-9a-f]{1,4}$/;
/** First octet of IPv4: excludes "this network", and multicast and above. */
const MIN_OCTET = 1;
const MAX_OCTET = 223;

/** A host name or an address, nothing else. @throws `invalid_value` */
export function parseHost(input: string): string {
  const text = input.trim().toLowerCase();
  if (/^[a-z][a-z0-9+.-]*:\/\//.test(text))
    throw invalid('host', 'it without a scheme: broker.local, and useTls for TLS');
  if (text.includes('@')) throw invalid('host', 'it without credentials, which go into username and password');
  if (/[/?#\\]/.test(text)) throw invalid('host', 'it without a path: broker.local');
  const address = text.replace(/^\[(.*)\]$/, '$1');
  const isAddress = IPV4.test(address) || (address.includes(':') && ipv6Of(address) !== undefined);
  if (!isAddress && /^[^:]*:\d+$|\]:\d+$/.test(text)) throw invalid('host', 'it without a port, which goes into port');
  if (!isAddress && (!HOST_NAME.test(text) || text.length > MAX_HOST_LENGTH || ENDS_IN_A_NUMBER.test(text))) {
    throw invalid('host', 'a name or an address such as broker.local or 192.168.1.10');
  }
  if (isAddress && isNowhere(address)) throw invalid('host', 'the address of one computer');
  return address;
}

/** The shortest form; `undefined` if it is not IPv6. */
function ipv6Of(address: string): string | undefined {
  const url = `http://[${address.replace(/%[a-z0-9._-]{1,15}$/, '')}]/`;
  return parseUrl(url)?.hostname.slice(1, -1);
}

/** An address that is not unicast: unspecified or multicast. */
function isNowhere(address: string): boolean {
  const six = address.includes(':') ? ipv6Of(address) : undefined;
  const [, mapped] = IPV4_MAPPED.exec(six ?? '') ?? [];
  if (six !== undefined && mapped === undefined) return six === '::' || six.startsWith('ff');
  const octet = mapped === undefined ? Number(address.split('.')[0]) : Number.parseInt(mapped, 16) >> 8;
  return octet < MIN_OCTET || octet > MAX_OCTET;
}

/** @throws `invalid_value` */
export function parseCa(input: string): string {
  if (Buffer.byteLength(input) > MAX_CA_BYTES) {
    throw invalid('ca', `at most ${MAX_CA_BYTES / 1024} KiB: the broker’s own authority is enough`);
  }
  if (input.includes('PRIVATE KEY-----')) throw invalid('ca', 'certificates only: there is a private key among them');
  const certificates = input.match(CERTIFICATE) ?? [];
  if (certificates.length === 0) {
    throw invalid('ca', 'certificates as PEM text, which begins with -----BEGIN CERTIFICATE-----');
  }
  for (const certificate of certificates) requireSound(certificate);
  return `${certificates.join('\n')}\n`;
}

function requireSound(certificate: string): void {
  try {
    new X509Certificate(certificate);
  } catch (error) {
    throw invalid('ca', `certificates that can be read (${messageOf(error)})`);
  }
}

function invalid(field: string, wanted: string): HearthError {
  return new HearthError('invalid_value', `Invalid value for ${field}: give ${wanted}.`, { field });
}
