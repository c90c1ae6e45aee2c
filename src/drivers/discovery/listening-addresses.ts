/** Resolves the `host` setting to the addresses that the server listens on: no other address may be advertised. */
import { lookup } from 'node:dns/promises';
import { isIP, isIPv4 } from 'node:net';

/**
 * @param hosts addresses and names; empty means every address
 * @returns a test whether the server listens on an address, in canonical text. Names are resolved in the same way as
 * for listening.
 */
export async function listeningTest(hosts: readonly string[]): Promise<(address: string) => boolean> {
  if (hosts.length === 0) return () => true;
  const found = await Promise.all(hosts.map(addressOf));
  const addresses = new Set(found.map(canonical));
  // A lone `::` accepts IPv4 as well; together with other addresses it does not.
  const allIpv4 = addresses.has('0.0.0.0') || (addresses.has('::') && hosts.length === 1);
  const allIpv6 = addresses.has('::');
  return (address) => (isIPv4(address) ? allIpv4 : allIpv6) || addresses.has(canonical(address));
}

async function addressOf(host: string): Promise<string> {
  if (isIP(host) !== 0) return host;
  // The server already listens there, so the name had an address a moment ago.
  return lookup(host).then(
    ({ address }) => address,
    () => '',
  );
}

/** The canonical spelling of an address. */
function canonical(address: string): string {
  return address.includes(':') && !address.includes('%')
    ? new URL(`http://[${address}]/`).hostname.slice(1, -1)
    : address;
}
