/** The relay's origin for other devices in the home: people open links on a phone, where `localhost` is the phone. */
import { isIP, isIPv4 } from 'node:net';

const LOOPBACK = /^(localhost|127\.|\[?::1\]?$)/i;
const LINK_LOCAL = /^169\.254\./;
/** Ordered by how likely a home uses them. Containers and virtual machines mostly have addresses in 172.16.0.0/12. */
const PRIVATE = [/^192\.168\./, /^10\./, /^172\.(1[6-9]|2\d|3[01])\./];

export function isLoopbackHost(host: string): boolean {
  return LOOPBACK.test(host);
}

/**
 * @param parts.ownHosts names and addresses of this machine.
 * @param parts.url an address that reaches the relay from this machine; `localhost` if it listens on every address.
 * @returns a function that returns scheme, host and port of each address, the most likely first; none if only this
 * machine reaches it.
 */
export function lanOrigins(parts: {
  readonly ownHosts: () => ReadonlySet<string>;
  readonly url: () => string;
}): () => readonly string[] {
  return () => {
    const url = new URL(parts.url());
    if (url.hostname !== 'localhost') return isLoopbackHost(url.hostname) ? [] : [url.origin];
    const port = url.port || defaultPort(url.protocol);
    return lanHosts(parts.ownHosts()).map((host) => `${url.protocol}//${host}:${port}`);
  };
}

/** The IPv4 addresses, which every device supports, private ones first; else the mDNS name. */
function lanHosts(hosts: ReadonlySet<string>): readonly string[] {
  const addresses = [...hosts].filter((host) => isIPv4(host) && !isLoopbackHost(host) && !LINK_LOCAL.test(host));
  const rank = (address: string): number => {
    const at = PRIVATE.findIndex((range) => range.test(address));
    return at < 0 ? PRIVATE.length : at;
  };
  if (addresses.length > 0) return addresses.sort((a, b) => rank(a) - rank(b));
  return [...hosts].filter((host) => host.endsWith('.local') && isIP(host) === 0).slice(0, 1);
}

function defaultPort(protocol: string): string {
  return protocol === 'https:' ? '443' : '80';
}
