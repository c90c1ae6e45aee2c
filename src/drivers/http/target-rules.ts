/**
 * Which addresses requests that people configured may go to (decisions §9): those of the network and of the world, but not what is
 * only meant for this computer itself. Judged on the address that is connected to, whatever it was written like.
 */
import ipaddr from 'ipaddr.js';

export interface TargetPolicy {
  /** Opens loopback, and the daemon itself. */
  readonly allowLoopback: boolean;
  /** Closes the network of the house: only addresses of the whole world are left, and loopback where that is opened. */
  readonly publicOnly?: boolean | undefined;
  /** The addresses of this computer's interfaces. */
  readonly ownAddresses: () => Iterable<string>;
  /** The ports on which the daemon listens. */
  readonly ownPorts: () => readonly number[];
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Where clouds tell a computer its own secrets, beside 169.254.169.254, which is link-local. No house has anything there. */
const METADATA: readonly string[] = ['fd00:ec2::254', 'fd20:ce::254', '100.100.100.200'];

/** What `ipaddr.js` calls ranges, and what a refusal calls them. */
const REFUSED_RANGES: Readonly<Record<string, string>> = {
  unspecified: 'the unspecified address',
  linkLocal: 'a link-local address',
  multicast: 'a multicast address',
  broadcast: 'the broadcast address',
  reserved: 'a reserved address',
  discard: 'an address that discards everything',
};

/** The range of what everybody in the world can reach. */
const PUBLIC_RANGE = 'unicast';

/** Where an IPv6 address carries an IPv4 one that a gateway or the system itself would go on to: its last bytes, or as said. */
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
/** ISATAP's interface ids, RFC 5214 §6.1, with and without the bit for globally unique addresses. */
const ISATAP: readonly string[] = ['00005efe', '02005efe'];

/** @returns why nothing may be sent there, to complete "`lamp.local` is …"; `null` where it may. */
export function refusalOf(text: string, port: number, policy: TargetPolicy): string | null {
  if (!ipaddr.isValid(text)) return 'no IP address';
  const address = ipaddr.parse(text.replace(/%.*$/, ''));
  const range = rangeRefusal(address, policy);
  if (range !== null || policy.allowLoopback || !policy.ownPorts().includes(port)) return range;
  const own = new Set([...policy.ownAddresses()].map(canonical));
  return meanings(address).some((one) => own.has(canonical(one.toString()))) ? 'hearthd itself' : null;
}

/**
 * The same of a host as it stands in a URL: an address, or a name that is always this computer itself (RFC 6761 §6.3). What any other
 * name means is known when it is connected to. @returns as `refusalOf`
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
  }
  return policy.publicOnly ? networkRefusal(address) : null;
}

/** Judged by what the address comes to in the end: what carries another one has a range of its own. */
function networkRefusal(address: Address): string | null {
  const range = meanings(address).at(-1)?.range();
  return range === PUBLIC_RANGE || range === 'loopback' ? null : 'no public address';
}

/** The address, and the IPv4 one that it carries. An unspecified or loopback IPv6 address is itself and carries nothing. */
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
