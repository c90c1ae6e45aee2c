/**
 * Decides which addresses user-configured requests may go to (decisions §9): the local network and the internet, but no
 * service that is meant for this computer only. The check uses the address that is connected to, not the form it was
 * written in.
 */
import ipaddr from 'ipaddr.js';

export interface TargetPolicy {
  /** Permits loopback, and the daemon itself. */
  readonly allowLoopback: boolean;
  /** Blocks the local network: only public addresses are left, and loopback if `allowLoopback` is set. */
  readonly publicOnly?: boolean | undefined;
  /** The addresses of this computer's interfaces. */
  readonly ownAddresses: () => Iterable<string>;
  /** The ports that the daemon listens on. */
  readonly ownPorts: () => readonly number[];
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Cloud metadata services, beside the link-local 169.254.169.254. No home uses these addresses. */
const METADATA: readonly string[] = ['fd00:ec2::254', 'fd20:ce::254', '100.100.100.200'];

/** Range names of `ipaddr.js`, with the names that an error message uses. */
const REFUSED_RANGES: Readonly<Record<string, string>> = {
  unspecified: 'the unspecified address',
  linkLocal: 'a link-local address',
  multicast: 'a multicast address',
  broadcast: 'the broadcast address',
  reserved: 'a reserved address',
  discard: 'an address that discards everything',
  deprecatedSiteLocal: 'a site-local address',
  segmentRouting: 'a segment routing address',
  benchmarking: 'a reserved address',
  deprecatedOrchid: 'a reserved address',
  orchid2: 'a reserved address',
  droneRemoteIdProtocolEntityTags: 'a reserved address',
};

/**
 * IPv6 addresses without an `ipaddr.js` range are unassigned outside this prefix (RFC 4291 §2.4), except those that
 * embed an IPv4 address.
 */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** The range of public addresses. */
const PUBLIC_RANGE = 'unicast';

/**
 * IPv6 prefixes that embed an IPv4 address to which a gateway or the system forwards. The last bytes hold it unless
 * `at` is given.
 */
const CARRIERS: readonly {
  readonly prefix: string;
  readonly bits: number;
  readonly at?: number;
  readonly inverted?: true;
}[] = [
  { prefix: '::ffff:0:0', bits: 96 }, // IPv4-mapped, RFC 4291 §2.5.5.2
  { prefix: '::', bits: 96 }, // IPv4-compatible, RFC 4291 §2.5.5.1
  { prefix: '::ffff:0:0:0', bits: 96 }, // IPv4-translated, RFC 2765
  { prefix: '64:ff9b::', bits: 96 }, // NAT64, RFC 6052
  { prefix: '64:ff9b:1::', bits: 48 }, // local NAT64, RFC 8215
  { prefix: '2002::', bits: 16, at: 2 }, // 6to4, RFC 3056
  { prefix: '2001::', bits: 32, inverted: true }, // Teredo, RFC 4380
];
/** ISATAP interface ids (RFC 5214 §6.1), without and with the bit for globally unique addresses. */
const ISATAP: readonly string[] = ['00005efe', '02005efe'];

/** @returns why the target is refused, to complete "`lamp.local` is …"; `null` if it is allowed */
export function refusalOf(text: string, port: number, policy: TargetPolicy): string | null {
  if (!ipaddr.isValid(text)) return 'no IP address';
  const address = ipaddr.parse(text.replace(/%.*$/, ''));
  const range = rangeRefusal(address, policy);
  if (range !== null || policy.allowLoopback || !policy.ownPorts().includes(port)) return range;
  const own = new Set([...policy.ownAddresses()].map(canonical));
  return meanings(address).some((one) => own.has(canonical(one.toString()))) ? 'hearthd itself' : null;
}

/**
 * The same for the host of a URL: an address, or a name that is always this computer (RFC 6761 §6.3). Any other name is
 * checked when it is resolved for the connection. @returns as `refusalOf`
 */
export function refusalOfHost(hostname: string, port: number, policy: TargetPolicy): string | null {
  const isLocalhost = /(^|\.)localhost\.?$/i.test(hostname);
  if (isLocalhost) return refusalOf('127.0.0.1', port, policy);
  return ipaddr.isValid(hostname) ? refusalOf(hostname, port, policy) : null;
}

function rangeRefusal(address: Address, policy: TargetPolicy): string | null {
  for (const one of meanings(address)) {
    if (METADATA.includes(one.toString())) return 'an address of cloud metadata';
    const range = one.range();
    if (range === 'loopback' && !policy.allowLoopback) return 'an address of this computer itself (loopback)';
    const refused = Object.hasOwn(REFUSED_RANGES, range) ? REFUSED_RANGES[range] : undefined;
    if (refused !== undefined) return refused;
    if (range === PUBLIC_RANGE && isUnassigned(one)) return 'a reserved address';
  }
  return policy.publicOnly ? networkRefusal(address) : null;
}

function isUnassigned(address: Address): boolean {
  if (address instanceof ipaddr.IPv4 || address.match(...GLOBAL_UNICAST)) return false;
  return carriedBy(address) === undefined;
}

/** Checks the effective address: an address that embeds an IPv4 address also has the range of that one. */
function networkRefusal(address: Address): string | null {
  const range = meanings(address).at(-1)?.range();
  return range === PUBLIC_RANGE || range === 'loopback' ? null : 'no public address';
}

/** The address and the IPv4 address that it embeds. An unspecified or loopback IPv6 address embeds nothing. */
function meanings(address: Address): readonly Address[] {
  if (address instanceof ipaddr.IPv4) return [address];
  const text = address.toString();
  if (text === '::' || text === '::1') return [address];
  const carried = carriedBy(address);
  return carried ? [address, carried] : [address];
}

function carriedBy(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const bytes = address.toByteArray();
  const carrier = CARRIERS.find(({ prefix, bits }) => address.match(ipaddr.IPv6.parse(prefix), bits));
  if (carrier) {
    const { at = 12, inverted } = carrier;
    return new ipaddr.IPv4(bytes.slice(at, at + 4).map((byte) => (inverted ? byte ^ 0xff : byte)));
  }
  const interfaceId = Buffer.from(bytes.slice(8, 12)).toString('hex');
  return ISATAP.includes(interfaceId) ? new ipaddr.IPv4(bytes.slice(12)) : undefined;
}

function canonical(text: string): string {
  return ipaddr.isValid(text) ? ipaddr.process(text.replace(/%.*$/, '')).toString() : text;
}
