/** IP addresses of an accessory server: which are usable, and which to try first. */

/** One address as received in a record. */
export interface ReceivedAddress {
  readonly address: string;
  /** Name of our interface that received the record. */
  readonly interfaceName: string;
  /** Whether that is the loopback interface. */
  readonly loopback: boolean;
  /** The sender of the record. */
  readonly sender: string;
  /** When this address appeared. All values come from the same clock; a newer address outranks an older one. */
  readonly since: number;
}

// Patterns over canonical text (RFC 5952). Node's `BlockList` takes 0.1 ms per lookup, so that a flood of packets would
// stall the relay.
const LOOPBACK = /^127\.|^::1$/;
/** Unspecified, multicast, broadcast and IPv4-mapped addresses: nothing to connect to. */
const UNUSABLE = /^0\.|^(22[4-9]|2[3-5]\d)\.|^::$|^ff[0-9a-f]{2}:|^::ffff:/i;
const LINK_LOCAL = /^169\.254\.|^fe[89ab][0-9a-f]:/i;

/** Addresses that no host of the internet has: RFC 1918, 6598, 3927, 4193, 4291. */
const LOCAL =
  /^10\.|^172\.(1[6-9]|2\d|3[01])\.|^192\.168\.|^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|^f[cd][0-9a-f]{2}:/i;

/** Whether the address can only be in the local network. */
export function isLocal(address: string): boolean {
  return LOCAL.test(address) || LOOPBACK.test(address) || LINK_LOCAL.test(address);
}

/** Whether an accessory server may own this address; a loopback address counts only on the loopback interface. */
export function isUsable(address: string, onLoopback: boolean): boolean {
  return !UNUSABLE.test(address) && (onLoopback || !LOOPBACK.test(address));
}

/**
 * The usable addresses, the likeliest to work first: IPv4, global and unique-local IPv6, then link-local IPv6 with its
 * zone. Among equals, the sender's own address comes first, then the newest: after a DHCP change both may be known for
 * a while.
 */
export function rankAddresses(received: readonly ReceivedAddress[]): readonly string[] {
  const ranked = received
    .filter(({ address, loopback }) => isUsable(address, loopback))
    .map((entry) => ({ text: withZone(entry), rank: rankOf(entry), since: entry.since }))
    .sort((a, b) => a.rank - b.rank || b.since - a.since || (a.text < b.text ? -1 : 1));
  return [...new Set(ranked.map(({ text }) => text))];
}

function rankOf({ address, sender }: ReceivedAddress): number {
  const family = address.includes(':') ? 2 : 0;
  const reach = LINK_LOCAL.test(address) ? 4 : 0;
  return family + reach + (address === sender ? 0 : 1);
}

function withZone({ address, interfaceName }: ReceivedAddress): string {
  return address.includes(':') && LINK_LOCAL.test(address) ? `${address}%${interfaceName}` : address;
}
