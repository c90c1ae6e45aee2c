/** What the relay's own authority may sign for, and what this computer's certificate should be valid for. */

import type { Permitted } from '../../home/certificates.ts';
import { isHostName } from '../../kernel/host-name.ts';
import { canonicalHost, isAddress, networkTest } from '../../kernel/ip-addresses.ts';

/** Domains that have no owner on the internet: mDNS, RFC 8375, ICANN's `internal`, and what many routers use. */
const PRIVATE_DOMAINS = ['local', 'home.arpa', 'internal', 'lan', 'localhost'];
/** RFC 1918, 6598 (tailnets), 3927, 4193, 4291, and loopback. */
const PRIVATE_NETWORKS = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '169.254.0.0/16',
  '127.0.0.0/8',
  'fc00::/7',
  'fe80::/10',
  '::1/128',
];

/** For a new authority: everything private, and the names that are wanted now. */
export function permittedFor(names: readonly string[]): Permitted {
  const hostNames = names.filter((name) => !isAddress(name) && isHostName(name));
  const others = hostNames.filter((name) => !PRIVATE_DOMAINS.some((domain) => isWithin(name, domain)));
  return { domains: [...PRIVATE_DOMAINS, ...new Set(others)], networks: PRIVATE_NETWORKS };
}

export interface WantedNames {
  /** The name that works on most devices first. */
  readonly names: readonly string[];
  /** Configured names that the authority may not sign for. */
  readonly leftOut: readonly string[];
}

/**
 * @param parts.hosts names and addresses of this computer. Public addresses among them are left out silently.
 * @param parts.configured names that people configured.
 */
export function wantedNames(
  parts: { readonly hosts: Iterable<string>; readonly configured: readonly string[] },
  permitted: Permitted,
): WantedNames {
  const may = permits(permitted);
  const configured = parts.configured.map(canonicalHost);
  const all = [...new Set([...[...parts.hosts].map(canonicalHost), ...configured])].filter(
    (name) => isAddress(name) || isHostName(name),
  );
  const names = all.filter(may).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  return { names, leftOut: configured.filter((name) => !may(name)) };
}

function permits({ domains, networks }: Permitted): (name: string) => boolean {
  const isInNetwork = networkTest(networks);
  return (name) => {
    if (isAddress(name)) return isInNetwork(name);
    return domains.some((domain) => isWithin(name, domain));
  };
}

function isWithin(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`);
}

/** `.local` names work on every device at home, then come other names, then addresses, and `localhost` last. */
function rank(name: string): number {
  if (name === 'localhost' || name === '::1' || name.startsWith('127.')) return 3;
  if (isAddress(name)) return 2;
  return name.endsWith('.local') ? 0 : 1;
}
