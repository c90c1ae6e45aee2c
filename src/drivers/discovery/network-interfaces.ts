/** Chooses the machine's interface addresses to send and listen on. */
import { readFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import type { NetworkInterfaceInfo } from 'node:os';

export type NetworkInterfaces = NodeJS.Dict<NetworkInterfaceInfo[]>;

/** One IPv4 address of a chosen interface, for one multicast socket. */
export interface InterfaceAddress {
  readonly name: string;
  readonly address: string;
  readonly loopback: boolean;
  /** Every address of the interface, IPv4 and IPv6, this one first. */
  readonly addresses: readonly string[];
  /** Changes when the interface is replaced, even by one with the same name and address. */
  readonly identity: string;
  /** Whether a sender is on this interface's own network (RFC 6762 §11). */
  readonly isOnLink: (sender: string) => boolean;
}

/** `IFF_MULTICAST` of <linux/if.h>: tunnels lack it. */
const MULTICAST_FLAG = 0x1000;

/**
 * @param names the interfaces to use; empty means all non-loopback interfaces with multicast
 * @param canMulticast checks an interface that `names` does not list
 */
export function chooseInterfaces(
  interfaces: NetworkInterfaces,
  names: readonly string[],
  canMulticast: (name: string) => boolean = hasMulticastFlag,
): readonly InterfaceAddress[] {
  return Object.entries(interfaces).flatMap(([name, infos = []]) => {
    const device = deviceOf(name);
    const ipv4 = infos.filter(({ family }) => family === 'IPv4');
    const wanted =
      names.length > 0
        ? names.includes(name) || names.includes(device)
        : ipv4.some(({ internal }) => !internal) && canMulticast(device);
    if (!wanted) return [];
    return ipv4.map((info) => ({
      // For an alias, the name of its device, which a zone needs.
      name: device,
      address: info.address,
      loopback: info.internal,
      addresses: addressesOf(interfaces, device, info.address),
      identity: `${name} ${info.cidr ?? info.address} ${info.mac}`,
      isOnLink: onLink(info),
    }));
  });
}

/** Linux has the flag in sysfs. Without it, joining the group is the test. */
function hasMulticastFlag(name: string): boolean {
  try {
    return (Number(readFileSync(`/sys/class/net/${name}/flags`, 'utf8')) & MULTICAST_FLAG) !== 0;
  } catch {
    return true;
  }
}

function addressesOf(interfaces: NetworkInterfaces, device: string, first: string): readonly string[] {
  const all = Object.entries(interfaces)
    .filter(([name]) => deviceOf(name) === device)
    .flatMap(([, infos = []]) => infos.map(({ address }) => address));
  return [...new Set([first, ...all])];
}

/** An alias (`eth0:1`) is an address of its device. */
function deviceOf(name: string): string {
  return name.replace(/:.*$/, '');
}

function onLink({ address, netmask }: NetworkInterfaceInfo): (sender: string) => boolean {
  const mask = ipv4Number(netmask);
  const network = ipv4Number(address) & mask;
  return (sender) => isIPv4(sender) && (ipv4Number(sender) & mask) === network;
}

function ipv4Number(address: string): number {
  return address.split('.').reduce((number, byte) => (number << 8) | Number(byte), 0);
}
