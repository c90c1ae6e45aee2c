/** The `host:port` of a manual entry. */
import { isIPv4, isIPv6 } from 'node:net';
import { HearthError } from '../../kernel/errors.ts';
import { isUsable } from './addresses.ts';

export interface HostPort {
  /** The entry in its one spelling: lower case, IPv6 in brackets. */
  readonly text: string;
  /** IP address or host name. */
  readonly host: string;
  readonly port: number;
}

const FORM = /^(?:\[(?<ipv6>[^\]]+)\]|(?<host>[^:[\]]+)):(?<port>\d{1,5})$/;
/** RFC 1123 §2.1, with the underscore that many devices use all the same. */
const HOST_LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
const LONGEST_HOST = 253;
const HIGHEST_PORT = 65_535;

/** Reads `192.0.2.7:51826`, `[fd00::7]:51826` or `lamp.lan:51826`. @throws `invalid_value` */
export function parseHostPort(input: string): HostPort {
  const { ipv6, host, port: digits } = FORM.exec(input.trim().toLowerCase())?.groups ?? {};
  const port = Number(digits);
  const valid = ipv6 !== undefined ? isHostIPv6(ipv6) : isHost(host ?? '');
  if (!valid || !(port >= 1 && port <= HIGHEST_PORT)) {
    throw new HearthError(
      'invalid_value',
      `Invalid address '${input}': give host:port, as in 192.0.2.7:51826, [fd00::7]:51826 or lamp.lan:51826`,
      { reason: 'bad_host_port' },
    );
  }
  const address = { host: (ipv6 ?? host) as string, port };
  return { ...address, text: hostPortText(address) };
}

export function hostPortText({ host, port }: { readonly host: string; readonly port: number }): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}

/** The address, with a zone or without (`fe80::7%eth0`). */
function isHostIPv6(text: string): boolean {
  const [address = '', zone] = text.split('%');
  return isIPv6(text) && isUsable(address, true) && zone !== '';
}

function isHost(text: string): boolean {
  if (isIPv4(text)) return isUsable(text, true);
  const labels = text.replace(/\.$/, '').split('.');
  // A last label of digits is a mistyped IPv4 address; no top-level domain is one.
  return (
    text.length <= LONGEST_HOST && labels.every((label) => HOST_LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '')
  );
}
