/** IP addresses as text. */
import { BlockList, isIP, isIPv6 } from 'node:net';

export function isAddress(text: string): boolean {
  return isIP(text) !== 0;
}

/** The host of a URL: addresses of IPv6 are in brackets there. */
export function urlHost(name: string): string {
  return isIPv6(name) ? `[${name}]` : name;
}

/** Lower case, and addresses of IPv6 in the one form of URLs, without a zone. */
export function canonicalHost(name: string): string {
  const plain = name.replace(/%.*$/, '').toLowerCase();
  return isIPv6(plain) ? new URL(`http://[${plain}]`).hostname.slice(1, -1) : plain;
}

/** @param networks such as `10.0.0.0/8`. @returns a test of whether one of them has the address */
export function networkTest(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    list.addSubnet(address, Number(prefix), isIPv6(address) ? 'ipv6' : 'ipv4');
  }
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
