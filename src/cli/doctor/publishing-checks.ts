/**
 * Checks what publishing needs of this computer: IPv6 with routes to Thread devices, a firewall that does not forget
 * connections, Matter's port, a host name of its own, and not too many programs that answer multicast DNS. Home hubs
 * and border routers depend on it, not hearthd's own accessories: without a Matter publication nothing here is wrong.
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Publication } from '../../contract/publications.ts';
import { MATTER_PORT } from '../../home/matter-port.ts';
import type { ApiClient } from '../api-client.ts';
import { type Finding, ok, warn } from './finding.ts';

/** The longest prefix that Thread border routers announce, in bits. */
const THREAD_PREFIX_BITS = 64;
/** A controller's session is silent for this long, in seconds. */
const SESSION_SILENCE_S = 1_800;
const IPV6 = '/proc/sys/net/ipv6/conf';
const CONNTRACK = '/proc/sys/net/netfilter/nf_conntrack_udp_timeout_stream';

/** What the checks read from the computer. */
export interface Host {
  readonly hostname: string;
  /** @returns a file's text without the line's end; `undefined` if it can't be read */
  read(path: string): string | undefined;
  /** @returns the names in a folder; none if there is no such folder */
  list(path: string): readonly string[];
  exists(path: string): boolean;
}

interface Problem {
  readonly check: string;
  readonly message: string;
  readonly fix: string;
}

/** @param interfaces the names of the interfaces in use */
export async function checkPublishing(
  api: ApiClient | undefined,
  interfaces: readonly string[],
  host: Host = THIS_HOST,
): Promise<readonly Finding[]> {
  const ports = api ? await publishedOverMatter(api) : [];
  const isPortFree = ports.includes(MATTER_PORT) || (await isUdpPortFree(MATTER_PORT));
  const problems = [...checkIpv6(interfaces, host), ...checkConntrack(host), ...checkMatterPort(isPortFree)];
  return [...checkHostName(host), ...checkResponders(host), ...forMatter(problems, ports.length > 0)];
}

/** Without a Matter publication, the problems are only listed: they harm nothing yet. */
export function forMatter(problems: readonly Problem[], isPublished: boolean): readonly Finding[] {
  if (problems.length === 0) return [ok('matter', 'this computer has what Matter needs')];
  if (isPublished) return problems.map(({ check, message, fix }) => warn(check, message, fix));
  const messages = problems.map(({ message }) => message).join('; ');
  return [ok('matter', `nothing is published over Matter. Before you do: ${messages}`)];
}

export function checkIpv6(interfaces: readonly string[], host: Host): readonly Problem[] {
  const off = ['all', ...interfaces].filter((name) => host.read(`${IPV6}/${name}/disable_ipv6`) !== '0');
  if (off.length > 0) {
    const where = off.includes('all') ? 'this computer' : off.join(', ');
    const fix = off.map((name) => `net.ipv6.conf.${name}.disable_ipv6=0`).join(' ');
    return [{ check: 'ipv6', message: `IPv6 is off on ${where}`, fix: `sudo sysctl -w ${fix}` }];
  }
  // These programs read the routers' announcements themselves, and set the kernel's own reading off.
  if (host.exists('/run/NetworkManager') || host.list('/run/systemd/netif/links').length > 0) return [];
  return interfaces.flatMap((name) => checkRoutes(name, host));
}

/** Routers announce the routes to Thread devices (RFC 4191). */
function checkRoutes(name: string, host: Host): readonly Problem[] {
  const read = (key: string): number => Number(host.read(`${IPV6}/${name}/${key}`) ?? 0);
  const set = (key: string, value: number): string => `sudo sysctl -w net.ipv6.conf.${name}.${key}=${value}`;
  const accepts = read('accept_ra');
  if (accepts === 0 || (accepts === 1 && read('forwarding') === 1)) {
    const message = `${name} ignores what IPv6 routers announce, so Thread devices can’t be reached`;
    return [{ check: 'ipv6', message, fix: set('accept_ra', accepts === 0 ? 1 : 2) }];
  }
  if (read('accept_ra_rt_info_max_plen') >= THREAD_PREFIX_BITS) return [];
  const message = `${name} ignores the routes that Thread border routers announce`;
  return [{ check: 'ipv6', message, fix: set('accept_ra_rt_info_max_plen', THREAD_PREFIX_BITS) }];
}

export function checkConntrack(host: Host): readonly Problem[] {
  const seconds = host.read(CONNTRACK);
  if (seconds === undefined || Number(seconds) >= SESSION_SILENCE_S) return [];
  const message = `the firewall forgets a silent UDP connection after ${seconds} s`;
  const fix = `sudo sysctl -w net.netfilter.nf_conntrack_udp_timeout_stream=${SESSION_SILENCE_S}`;
  return [{ check: 'firewall', message, fix }];
}

export function checkMatterPort(isPortFree: boolean): readonly Problem[] {
  if (isPortFree) return [];
  const message = `another program uses UDP port ${MATTER_PORT}, and Alexa finds a bridge only there`;
  return [{ check: 'matter', message, fix: `Stop it (sudo ss -lunp 'sport = :${MATTER_PORT}').` }];
}

/** Others see the relay as `<host name>-hearthd.local`. */
export function checkHostName({ hostname: name }: Host): readonly Finding[] {
  const [label = ''] = name.split('.');
  const fix = 'sudo hostnamectl set-hostname hearth, or another name that no other computer has';
  if (label === '' || label === 'localhost') {
    return [warn('name', `the host name is ${label || 'empty'}, as on other computers`, fix)];
  }
  if (!/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i.test(label)) {
    return [warn('name', `the host name ${label} has characters that names on a network can’t have`, fix)];
  }
  return [ok('name', `the host name is ${name}`)];
}

/** Programs that own `<host name>.local`. Of two, one takes the other for another computer and renames this one. */
export function checkResponders(host: Host): readonly Finding[] {
  const hasAvahi = host.exists('/run/avahi-daemon/pid');
  const hasResolved = host.exists('/run/systemd/resolve') && resolvedAnswers(host);
  if (hasAvahi && hasResolved) {
    const fix = 'Set MulticastDNS=no in /etc/systemd/resolved.conf, then sudo systemctl restart systemd-resolved.';
    return [warn('mdns', 'both Avahi and systemd-resolved answer multicast DNS for this computer', fix)];
  }
  const name = hasAvahi ? 'Avahi' : 'systemd-resolved';
  return hasAvahi || hasResolved ? [ok('mdns', `${name} answers for the computer, hearthd for itself`)] : [];
}

/** Debian leaves it off, unless it is switched on here. The last setting counts. */
function resolvedAnswers(host: Host): boolean {
  const folder = '/etc/systemd/resolved.conf.d';
  const files = [
    '/etc/systemd/resolved.conf',
    ...[...host.list(folder)].sort().flatMap((name) => (name.endsWith('.conf') ? [`${folder}/${name}`] : [])),
  ];
  const values = files.flatMap((path) => [...(host.read(path) ?? '').matchAll(/^\s*MulticastDNS\s*=\s*(\S+)/gm)]);
  return /^(yes|true|on|1)$/i.test(values.at(-1)?.[1] ?? '');
}

/** @returns the ports of the Matter publications */
async function publishedOverMatter(api: ApiClient): Promise<readonly number[]> {
  try {
    const publications = await api.get<readonly Publication[]>('/rest/publications');
    return publications
      .filter(({ kind }) => kind === 'matter')
      .flatMap(({ bridges }) => bridges.map(({ port }) => port ?? 0));
  } catch {
    // The finding about the socket reports this.
    return [];
  }
}

export async function isUdpPortFree(port: number): Promise<boolean> {
  const socket = createSocket('udp4');
  try {
    const listening = once(socket, 'listening');
    socket.bind({ port, exclusive: true });
    await listening;
    return true;
  } catch {
    return false;
  } finally {
    socket.close();
  }
}

const THIS_HOST: Host = {
  hostname: hostname(),
  read(path) {
    try {
      return readFileSync(path, 'utf8').trim();
    } catch {
      return undefined;
    }
  },
  list(path) {
    try {
      return readdirSync(path);
    } catch {
      return [];
    }
  },
  exists: existsSync,
};
