import { hostname, networkInterfaces } from 'node:os';
import type { Clock } from '../kernel/clock.ts';

/** Addresses change with DHCP and cables; asking the kernel at each request would be wasteful. */
const REFRESH_MS = 5_000;

/**
 * @param advertised the name under which the relay itself is advertised, if it is.
 * @returns a function that returns the names and addresses of this machine, in lower case.
 */
export function machineHosts(
  clock: Clock,
  advertised: () => string | undefined = () => undefined,
): () => ReadonlySet<string> {
  let hosts: ReadonlySet<string> = new Set();
  let validUntil = Number.NEGATIVE_INFINITY;
  return () => {
    if (clock.monotonic() >= validUntil) {
      const name = advertised();
      hosts = new Set([...ownNames(), ...ownAddresses(), ...(name === undefined ? [] : [name.toLowerCase()])]);
      validUntil = clock.monotonic() + REFRESH_MS;
    }
    return hosts;
  };
}

function ownNames(): readonly string[] {
  const full = hostname().toLowerCase();
  const [first = full] = full.split('.');
  return ['localhost', full, first, `${first}.local`];
}

function ownAddresses(): readonly string[] {
  try {
    return Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address));
  } catch {
    // A sandbox without AF_NETLINK: only loopback is certain.
    return ['127.0.0.1', '::1'];
  }
}
