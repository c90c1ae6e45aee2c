/**
 * The records that an advertiser publishes over mDNS, and those of the relay: pure. `advertiser.ts` finds free names
 * and decides when to send.
 *
 * The relay's host name is our own, `<hostname>-hearthd.local`. `<hostname>.local` belongs to the machine's responder
 * (Avahi, systemd-resolved, mDNSResponder). If two programs disagree about its addresses for a moment, one of them
 * renames the machine.
 */
import { isIPv4 } from 'node:net';
import { isUsable } from './addresses.ts';
import type { DnsRecord } from './dns-message.ts';
import { MAX_LABEL_BYTES, nameOf } from './dns-name.ts';

/** What an advertiser publishes. */
export interface AdvertisedService {
  /** For log lines: `relay`. */
  readonly what: string;
  /**
   * @param attempt 1 for the preferred name; each higher number gives an alternative, as Bonjour does: `nas (2)`
   * @param hostAttempt the same for the host name
   */
  names(attempt: number, hostAttempt: number): AdvertisedNames;
  /** @param addresses at which clients on this interface reach us, the likeliest first */
  records(names: AdvertisedNames, addresses: readonly string[]): DnsRecord[];
}

export interface AdvertisedRelay {
  /** The machine's host name, from the operating system. */
  readonly hostname: string;
  readonly port: number;
  /** 0: no separate port. */
  readonly wsPort: number;
  readonly hasTls: boolean;
  /** Eight hex digits. */
  readonly instanceId: string;
  readonly version: string;
}

/** The names of a service, with `local`. */
export interface AdvertisedNames {
  /** The name that clients display. */
  readonly instance: string;
  /** One for each service type. */
  readonly instances: readonly string[];
  readonly host: string;
}

/** decisions §1: our own service type, and the one that existing clients browse for. */
export const SERVICE_TYPES = ['_hearthd._tcp.local', '_homecast._tcp.local'] as const;
/** RFC 6763 §9. */
export const TYPE_ENUMERATION = '_services._dns-sd._udp.local';
/** RFC 6762 §10: the TTL of records that depend on the host's address; other records have a longer one. */
const HOST_TTL_SECONDS = 120;
const OTHER_TTL_SECONDS = 4_500;
/** Keeps the message in one packet; no home has more addresses on one interface. */
const MAX_ADDRESSES = 8;
/** RFC 6763 §6.1: the limit of one string. */
const MAX_STRING_BYTES = 255;
const LINK_LOCAL_IPV6 = /^fe[89ab][0-9a-f]:/i;
const LINK_LOCAL_IPV4 = /^169\.254\./;

/** The relay as clients browse for it. */
export function advertisedRelay(relay: AdvertisedRelay): AdvertisedService {
  return {
    what: 'relay',
    names: (attempt, hostAttempt) => namesOf(relay.hostname, attempt, hostAttempt),
    records: (names, addresses) =>
      serviceRecords(
        { types: SERVICE_TYPES, port: relay.port, strings: txtOf(relay, names.instance) },
        names,
        addresses,
      ),
  };
}

function namesOf(hostname: string, attempt: number, hostAttempt: number): AdvertisedNames {
  const [first = ''] = displayName(hostname).split('.');
  const plain = first.replace(/[^A-Za-z0-9-]+/g, '-').replace(/^-+|-+$/g, '') || 'relay';
  const host = cut(plain, hostAttempt === 1 ? '-hearthd' : `-hearthd-${hostAttempt}`);
  return { ...instanceNames(displayName(hostname), SERVICE_TYPES, attempt), host: `${host}.local` };
}

/** The names of an instance for each service type. */
export function instanceNames(
  name: string,
  types: readonly string[],
  attempt: number,
): Pick<AdvertisedNames, 'instance' | 'instances'> {
  const instance = attempt === 1 ? cut(name, '') : cut(name, ` (${attempt})`);
  const label = nameOf([Buffer.from(instance)]);
  return { instance, instances: types.map((type) => `${label}.${type}`) };
}

export interface ServiceDescription {
  /** With `local`; the names have one instance for each. */
  readonly types: readonly string[];
  readonly port: number;
  /** The TXT record. */
  readonly strings: readonly Buffer[];
}

export function serviceRecords(
  { types, port, strings }: ServiceDescription,
  names: AdvertisedNames,
  addresses: readonly string[],
): DnsRecord[] {
  if (addresses.length === 0) return [];
  const shared = { ttlSeconds: OTHER_TTL_SECONDS, flush: false };
  const host = { ttlSeconds: HOST_TTL_SECONDS, flush: true };
  return [
    ...types.map((type, at): DnsRecord => ({ ...shared, type: 'PTR', name: type, target: instanceAt(names, at) })),
    ...types.map((target): DnsRecord => ({ ...shared, type: 'PTR', name: TYPE_ENUMERATION, target })),
    ...names.instances.flatMap((name): DnsRecord[] => [
      { ...host, type: 'SRV', name, target: names.host, port },
      { type: 'TXT', name, ttlSeconds: OTHER_TTL_SECONDS, flush: true, strings },
    ]),
    ...addresses.map(
      (address): DnsRecord => ({ ...host, type: isIPv4(address) ? 'A' : 'AAAA', name: names.host, address }),
    ),
  ];
}

/**
 * The addresses to advertise on an interface: those that the server listens on. A link-local IPv4 address is used only
 * if there is no other. A link-local IPv6 address is never used: a record can't hold its zone, and without the zone a
 * client can't connect.
 * @param listensOn whether the server accepts connections there
 */
export function addressesToAdvertise(
  addresses: readonly string[],
  loopback: boolean,
  listensOn: (address: string) => boolean,
): readonly string[] {
  const usable = addresses.filter(
    (address) => isUsable(address, loopback) && !LINK_LOCAL_IPV6.test(address) && listensOn(address),
  );
  const [v4, v6] = [usable.filter(isIPv4), usable.filter((address) => !isIPv4(address))];
  const routable = v4.filter((address) => !LINK_LOCAL_IPV4.test(address));
  return [...(routable.length > 0 ? routable : v4).slice(0, MAX_ADDRESSES), ...v6.slice(0, MAX_ADDRESSES)];
}

/**
 * wire-facts §15. `dn`, the full name, is present only if the instance label truncates it. `tls=1` is our own key:
 * clients must use TLS.
 */
function txtOf(
  { hostname, instanceId, version, wsPort, hasTls }: AdvertisedRelay,
  instance: string,
): readonly Buffer[] {
  const name = displayName(hostname);
  const pairs = [
    'v=1',
    `id=${instanceId}`,
    'md=community',
    `vs=${version}`,
    'au=1',
    ...(wsPort > 0 ? [`ws=${wsPort}`] : []),
    ...(instance.startsWith(name) ? [] : [`dn=${name}`]),
    ...(hasTls ? ['tls=1'] : []),
  ];
  return txtStrings(pairs);
}

/** The strings of a TXT record; what is too long is cut. */
export function txtStrings(pairs: readonly string[]): readonly Buffer[] {
  return pairs.map((pair) => Buffer.from(cutBytes(pair, MAX_STRING_BYTES)));
}

/** The host name without `.local`. */
function displayName(hostname: string): string {
  return hostname.replace(/\.local\.?$/i, '').replace(/\p{Cc}/gu, '') || 'hearthd';
}

function instanceAt(names: AdvertisedNames, at: number): string {
  return names.instances[at] as string;
}

/** Makes one label: a name that is too long is truncated before the suffix. */
function cut(name: string, suffix: string): string {
  return cutBytes(name, MAX_LABEL_BYTES - Buffer.byteLength(suffix)) + suffix;
}

/** Truncates to whole characters. */
function cutBytes(text: string, bytes: number): string {
  let result = '';
  for (const character of text) {
    if (Buffer.byteLength(result + character) > bytes) break;
    result += character;
  }
  return result;
}
