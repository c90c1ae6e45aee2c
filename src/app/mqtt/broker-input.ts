/** Validates broker settings. Each error message states the expected format. */
import { X509Certificate } from 'node:crypto';
import { parseName } from '../../home/names.ts';
import { HearthError, messageOf } from '../../kernel/errors.ts';
import { type Broker, DEFAULT_DISCOVERY_PREFIX, DEFAULT_TOPIC_PREFIX, MQTT_PORT, MQTTS_PORT } from './broker.ts';

/** The settings that clients can set. */
export type BrokerSettings = Omit<Broker, 'id' | 'homeId' | 'createdAt' | 'isConfigured'>;

/**
 * Omitted fields stay unchanged, or get the default for a new broker; `null` removes `username`, `password` or `ca`.
 */
export type BrokerInput = { readonly [Field in keyof BrokerSettings]?: unknown };

const MAX_PORT = 65_535;
/** RFC 1035 §2.3.4, without the dot of the root. */
const MAX_HOST_LENGTH = 253;
/** Underscores occur in local DNS names and in container names. */
const HOST_NAME = /^(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))*$/;
/**
 * `127.1`, `0x7f000001`, `2130706433`: with such a last part, some resolvers treat the name as an address (WHATWG URL,
 * "ends in a number").
 */
const ENDS_IN_A_NUMBER = /(^|\.)(\d+|0x[0-9a-f]*)$/;
/** In bytes of UTF-8. A topic may have 65,535; home, room and accessory are appended, and many brokers allow less. */
const MAX_PREFIX_BYTES = 200;
/**
 * MQTT 3.1.1 §4.7: wildcards and reserved characters. Also blanks and control characters, which cannot be typed or
 * seen.
 */
const UNFIT_IN_PREFIX = /[+#$\s\p{C}]/u;
const MAX_USERNAME_LENGTH = 256;
const MAX_PASSWORD_LENGTH = 1024;
const CONTROL = /[\p{Cc}\p{Cs}]/u;
/** A chain with every CA of an operating system has 250 kB; a private CA has 2 kB. */
const MAX_CA_BYTES = 64 * 1024;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

const IPV4 = /^(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$/;
/** RFC 4291 §2.5.5.2 in its shortest form: the first two bytes of the IPv4 address, and the others. */
const IPV4_MAPPED = /^::ffff:([0-9a-f]{1,4}):[0-9a-f]{1,4}$/;
/** First octet of IPv4: excludes "this network", and multicast and above. */
const MIN_OCTET = 1;
const MAX_OCTET = 223;

/**
 * @param before the current settings that `input` changes; `undefined` for a new broker.
 * @throws `invalid_value` naming the field · `invalid_request` a new broker lacks its name or host
 */
export function parseBroker(input: BrokerInput, before?: BrokerSettings): BrokerSettings {
  const given = (field: keyof BrokerSettings): unknown => (input[field] === undefined ? before?.[field] : input[field]);
  for (const field of ['name', 'host'] as const) {
    if (given(field) === undefined) throw new HearthError('invalid_request', `Give the broker’s ${field}.`, { field });
  }
  const useTls = parseFlag(given('useTls') ?? false, 'useTls');
  const settings: BrokerSettings = {
    name: parseName(given('name'), 'Broker name'),
    host: parseHost(given('host')),
    port: parsePort(given('port') ?? (useTls ? MQTTS_PORT : MQTT_PORT)),
    username: parseText(given('username'), 'username', MAX_USERNAME_LENGTH),
    password: parseText(given('password'), 'password', MAX_PASSWORD_LENGTH),
    useTls,
    ca: parseCa(given('ca') === '' ? null : given('ca')),
    topicPrefix: parsePrefix(given('topicPrefix') ?? DEFAULT_TOPIC_PREFIX, 'topicPrefix'),
    haDiscovery: parseFlag(given('haDiscovery') ?? true, 'haDiscovery'),
    haDiscoveryPrefix: parsePrefix(given('haDiscoveryPrefix') ?? DEFAULT_DISCOVERY_PREFIX, 'haDiscoveryPrefix'),
    enabled: parseFlag(given('enabled') ?? true, 'enabled'),
  };
  // MQTT 3.1.1 §3.1.2.9: a password needs a user name.
  if (settings.password !== null && settings.username === null)
    throw invalid('username', 'it too: a password needs one');
  if (settings.ca !== null && !useTls) throw invalid('useTls', 'true: certificates are of use with TLS only');
  return settings;
}

/** A host name or an address, nothing else. @throws `invalid_value` */
export function parseHost(input: unknown): string {
  const text = typeof input === 'string' ? input.trim().toLowerCase() : '';
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
  return URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : undefined;
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
export function parseCa(input: unknown): string | null {
  if (input === null || input === undefined) return null;
  const wanted = 'certificates as PEM text, which begins with -----BEGIN CERTIFICATE-----';
  if (typeof input !== 'string') throw invalid('ca', wanted);
  if (Buffer.byteLength(input) > MAX_CA_BYTES) {
    throw invalid('ca', `at most ${MAX_CA_BYTES / 1024} KiB: the broker’s own authority is enough`);
  }
  if (input.includes('PRIVATE KEY-----')) throw invalid('ca', 'certificates only: there is a private key among them');
  const certificates = input.match(CERTIFICATE) ?? [];
  if (certificates.length === 0) throw invalid('ca', wanted);
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

function parsePort(input: unknown): number {
  if (typeof input === 'number' && Number.isInteger(input) && input >= 1 && input <= MAX_PORT) return input;
  throw invalid('port', `a whole number from 1 to ${MAX_PORT}`);
}

function parseFlag(input: unknown, field: string): boolean {
  if (typeof input === 'boolean') return input;
  throw invalid(field, 'true or false');
}

/** Unmodified text, including blanks, because it may be a password. Empty text is `null`. */
function parseText(input: unknown, field: string, longest: number): string | null {
  if (input === null || input === undefined || input === '') return null;
  if (typeof input === 'string' && [...input].length <= longest && !CONTROL.test(input)) return input;
  throw invalid(field, `text of at most ${longest} characters without control characters`);
}

function parsePrefix(input: unknown, field: string): string {
  const isText = typeof input === 'string' && input !== '';
  if (!isText || UNFIT_IN_PREFIX.test(input)) {
    throw invalid(field, 'text without blanks, +, #, $ and control characters, such as house/upstairs');
  }
  if (input.split('/').includes('')) throw invalid(field, 'levels with something between the slashes, and none around');
  if (Buffer.byteLength(input) > MAX_PREFIX_BYTES) throw invalid(field, `at most ${MAX_PREFIX_BYTES} bytes`);
  return input;
}

function invalid(field: string, wanted: string): HearthError {
  return new HearthError('invalid_value', `Invalid value for ${field}: give ${wanted}.`, { field });
}
