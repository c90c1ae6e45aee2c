/** Where other devices in the house reach the relay: links are opened on a telephone, where `localhost` is the telephone. */
import { isIP, isIPv4 } from 'node:net';

const LOOPBACK = /^(localhost|127\.|\[?::1\]?$)/i;
const LINK_LOCAL = /^169\.254\./;
/** In the order of how likely a house uses them. Containers and virtual machines are mostly given 172.16.0.0/12. */
const PRIVATE = [/^192\.168\./, /^10\./, /^172\.(1[6-9]|2\d|3[01])\./];

export function isLoopbackHost(host: string): boolean {
  return LOOPBACK.test(host);
}

/**
 * @param parts.ownHosts names and addresses of this machine.
 * @param parts.url an address that reaches the relay from this machine; `localhost` where it listens on every address.
 * @returns a function that gives scheme, host and port; `undefined` where nothing but this machine reaches it.
 */
export function lanOrigin(parts: {
  readonly ownHosts: () => ReadonlySet<string>;
  readonly url: () => string;
}): () => string | undefined {
  return () => {
    const url = new URL(parts.url());
    if (url.hostname !== 'localhost') return isLoopbackHost(url.hostname) ? undefined : url.origin;
    const host = lanHost(parts.ownHosts());
    return host === undefined ? undefined : `${url.protocol}//${host}:${url.port || defaultPort(url.protocol)}`;
  };
}

/** An IPv4 address, which every device takes, the private ones first; else the name that mDNS announces. */
function lanHost(hosts: ReadonlySet<string>): string | undefined {
  const addresses = [...hosts].filter((host) => isIPv4(host) && !isLoopbackHost(host) && !LINK_LOCAL.test(host));
  const rank = (address: string): number => {
    const at = PRIVATE.findIndex((range) => range.test(address));
    return at < 0 ? PRIVATE.length : at;
  };
  const [best] = addresses.sort((a, b) => rank(a) - rank(b));
  return best ?? [...hosts].find((host) => host.endsWith('.local') && isIP(host) === 0);
}

function defaultPort(protocol: string): string {
  return protocol === 'https:' ? '443' : '80';
}
