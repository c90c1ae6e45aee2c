/**
 * What we say about ourselves over mDNS, as records: pure. Which names are free, and who is told when, is for `advertiser.ts`.
 *
 * The host has a name of our own, `<hostname>-hearthd.local`. `<hostname>.local` belongs to the machine's responder (Avahi,
 * systemd-resolved, mDNSResponder): as soon as two programs disagree about its addresses for a moment, one of them renames the machine.
 */
import { isIPv4 } from 'node:net';
import { isUsable } from './addresses.ts';
import type { DnsRecord } from './dns-message.ts';
import { LONGEST_LABEL_BYTES, nameOf } from './dns-name.ts';

export interface AdvertisedRelay {
  /** Name of the machine, as the operating system has it. */
  readonly hostname: string;
  readonly port: number;
  /** 0: none of its own. */
  readonly wsPort: number;
  readonly hasTls: boolean;
  /** Eight hex digits. */
  readonly instanceId: string;
  readonly version: string;
}

/** The names that a relay goes by, `local` included. */
export interface AdvertisedNames {
  /** What people see in lists. */
  readonly instance: string;
  /** Of each service type. */
  readonly instances: readonly string[];
  readonly host: string;
}

/** decisions §1: our own type, and the one that existing clients look for. */
export const SERVICE_TYPES = ['_hearthd._tcp.local', '_homecast._tcp.local'] as const;
/** RFC 6763 §9. */
export const TYPE_ENUMERATION = '_services._dns-sd._udp.local';
/** RFC 6762 §10: what depends on the host's address, and everything else. */
const HOST_TTL_SECONDS = 120;
const OTHER_TTL_SECONDS = 4_500;
/** Keeps the whole in one packet; more addresses of one interface than this are no house's. */
const MOST_ADDRESSES = 8;
/** RFC 6763 §6.1: one string. */
const LONGEST_STRING_BYTES = 255;
const LINK_LOCAL_IPV6 = /^fe[89ab][0-9a-f]:/i;
const LINK_LOCAL_IPV4 = /^169\.254\./;

/**
 * @param attempt 1 for the names as they should be; each further number gives others, as Bonjour does: `nas (2)`.
 * @param hostAttempt the same for the host's name.
 */
export function namesOf(hostname: string, attempt: number, hostAttempt: number): AdvertisedNames {
  const name = displayName(hostname);
  const instance = attempt === 1 ? cut(name, '') : cut(name, ` (${attempt})`);
  const [first = ''] = name.split('.');
  const plain = first.replace(/[^A-Za-z0-9-]+/g, '-').replace(/^-+|-+$/g, '') || 'relay';
  const host = cut(plain, hostAttempt === 1 ? '-hearthd' : `-hearthd-${hostAttempt}`);
  const label = nameOf([Buffer.from(instance)]);
  return { instance, instances: SERVICE_TYPES.map((type) => `${label}.${type}`), host: `${host}.local` };
}

/** @param addresses those at which whoever asks on this interface reaches us, the likeliest first. */
export function recordsOf(relay: AdvertisedRelay, names: AdvertisedNames, addresses: readonly string[]): DnsRecord[] {
  if (addresses.length === 0) return [];
  const strings = txtOf(relay, names.instance);
  const shared = { ttlSeconds: OTHER_TTL_SECONDS, flush: false };
  const host = { ttlSeconds: HOST_TTL_SECONDS, flush: true };
  return [
    ...SERVICE_TYPES.map(
      (type, at): DnsRecord => ({ ...shared, type: 'PTR', name: type, target: instanceAt(names, at) }),
    ),
    ...SERVICE_TYPES.map((target): DnsRecord => ({ ...shared, type: 'PTR', name: TYPE_ENUMERATION, target })),
    ...names.instances.flatMap((name): DnsRecord[] => [
      { ...host, type: 'SRV', name, target: names.host, port: relay.port },
      { type: 'TXT', name, ttlSeconds: OTHER_TTL_SECONDS, flush: true, strings },
    ]),
    ...addresses.map(
      (address): DnsRecord => ({ ...host, type: isIPv4(address) ? 'A' : 'AAAA', name: names.host, address }),
    ),
  ];
}

/**
 * Which of an interface's addresses to tell there: those on which we listen. Link-local ones are told only where there is no other
 * (IPv4), or never (IPv6: without a zone, which no record holds, nobody can connect to them).
 * @param listensOn whether the server takes connections there.
 */
export function addressesToTell(
  addresses: readonly string[],
  loopback: boolean,
  listensOn: (address: string) => boolean,
): readonly string[] {
  const usable = addresses.filter(
    (address) => isUsable(address, loopback) && !LINK_LOCAL_IPV6.test(address) && listensOn(address),
  );
  const [v4, v6] = [usable.filter(isIPv4), usable.filter((address) => !isIPv4(address))];
  const routable = v4.filter((address) => !LINK_LOCAL_IPV4.test(address));
  return [...(routable.length > 0 ? routable : v4).slice(0, MOST_ADDRESSES), ...v6.slice(0, MOST_ADDRESSES)];
}

/**
 * wire-facts §15. `dn`, the whole name, only where the instance could not hold it. `tls=1`, which is ours, tells clients to speak TLS.
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
  return pairs.map((pair) => Buffer.from(cutBytes(pair, LONGEST_STRING_BYTES)));
}

/** The name without `.local`, as people know the machine. */
function displayName(hostname: string): string {
  return hostname.replace(/\.local\.?$/i, '').replace(/\p{Cc}/gu, '') || 'hearthd';
}

function instanceAt(names: AdvertisedNames, at: number): string {
  return names.instances[at] as string;
}

/** One label: what does not fit goes from the end of the name, not of the suffix. */
function cut(name: string, suffix: string): string {
  return cutBytes(name, LONGEST_LABEL_BYTES - Buffer.byteLength(suffix)) + suffix;
}

/** Whole characters only. */
function cutBytes(text: string, bytes: number): string {
  let result = '';
  for (const character of text) {
    if (Buffer.byteLength(result + character) > bytes) break;
    result += character;
  }
  return result;
}
