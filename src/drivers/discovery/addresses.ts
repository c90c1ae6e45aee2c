/** IP addresses of an accessory server: which of them can be meant, and which to try first. */
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** One address as a record told it. */
export interface HeardAddress {
  readonly address: string;
  /** Name of our interface over which the record came. */
  readonly interfaceName: string;
  /** Whether that is the loopback interface. */
  readonly loopback: boolean;
  /** Who sent the record. */
  readonly sender: string;
  /** When this address appeared, by any one clock: a newer address outranks an older one. */
  readonly since: number;
}

const LOOPBACK = blockList(['127.0.0.0', 8, 'ipv4'], ['::1', 128, 'ipv6']);
/** Unspecified, multicast and broadcast: nothing to connect to. */
const UNUSABLE = blockList(
  ['0.0.0.0', 8, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['::', 128, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
);
/** IPv4 dressed as IPv6. A `BlockList` takes the two for the same, so this is told by the text. */
const MAPPED = /^::ffff:/i;
const LINK_LOCAL = blockList(['169.254.0.0', 16, 'ipv4'], ['fe80::', 10, 'ipv6']);

/** Whether a host on another machine may own this address; loopback counts only on the loopback interface. */
export function isUsable(address: string, onLoopback: boolean): boolean {
  if ((!isIPv4(address) && !isIPv6(address)) || MAPPED.test(address)) return false;
  return !isIn(UNUSABLE, address) && (onLoopback || !isIn(LOOPBACK, address));
}

/**
 * The usable addresses, the likeliest to work first: IPv4, global and unique-local IPv6, then link-local, IPv6 with its zone.
 * Among equals the one its owner spoke from comes first, then the newest: after a DHCP move both may be known for a while.
 */
export function rankAddresses(heard: readonly HeardAddress[]): readonly string[] {
  const ranked = heard
    .filter(({ address, loopback }) => isUsable(address, loopback))
    .map((entry) => ({ text: withZone(entry), rank: rankOf(entry), since: entry.since }))
    .sort((a, b) => a.rank - b.rank || b.since - a.since || (a.text < b.text ? -1 : 1));
  return [...new Set(ranked.map(({ text }) => text))];
}

function rankOf({ address, sender }: HeardAddress): number {
  const family = isIPv4(address) ? 0 : 2;
  const reach = isIn(LINK_LOCAL, address) ? 4 : 0;
  return family + reach + (address === sender ? 0 : 1);
}

function withZone({ address, interfaceName }: HeardAddress): string {
  return isIPv6(address) && isIn(LINK_LOCAL, address) ? `${address}%${interfaceName}` : address;
}

function isIn(list: BlockList, address: string): boolean {
  return list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

function blockList(...subnets: readonly (readonly [string, number, 'ipv4' | 'ipv6'])[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix, family] of subnets) list.addSubnet(network, prefix, family);
  return list;
}
