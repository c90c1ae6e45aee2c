/** On which addresses the server takes connections, after its `host` setting: others must not be told to anybody. */
import { lookup } from 'node:dns/promises';
import { isIP, isIPv4 } from 'node:net';

/**
 * @param hosts addresses and names; empty means every address.
 * @returns whether an address, in canonical text, is listened on. Names are looked up as listening does.
 */
export async function listeningTest(hosts: readonly string[]): Promise<(address: string) => boolean> {
  if (hosts.length === 0) return () => true;
  const found = await Promise.all(hosts.map(addressOf));
  const addresses = new Set(found.map(canonical));
  // Alone, `::` takes IPv4 as well; beside others it does not.
  const allIpv4 = addresses.has('0.0.0.0') || (addresses.has('::') && hosts.length === 1);
  const allIpv6 = addresses.has('::');
  return (address) => (isIPv4(address) ? allIpv4 : allIpv6) || addresses.has(canonical(address));
}

async function addressOf(host: string): Promise<string> {
  if (isIP(host) !== 0) return host;
  // The server listens there, so that the name had an address a moment ago.
  return lookup(host).then(
    ({ address }) => address,
    () => '',
  );
}

/** One spelling of each address. */
function canonical(address: string): string {
  return address.includes(':') && !address.includes('%')
    ? new URL(`http://[${address}]/`).hostname.slice(1, -1)
    : address;
}
