/** The `host:port` of a manual entry. */
import { isIPv4, isIPv6 } from 'node:net';
import { HearthError } from '../../kernel/errors.ts';
import { isUsable } from './addresses.ts';

export interface ManualHost {
  /** The normalized entry: lower case, IPv6 in brackets. */
  readonly text: string;
  /** IP address or host name. */
  readonly host: string;
  readonly port: number;
}

const FORM = /^(?:\[(?<ipv6>[^\]]+)\]|(?<host>[^:[\]]+)):(?<port>\d{1,5})$/;
/** RFC 1123 §2.1, plus the underscore that many devices use. */
const HOST_LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
const MAX_HOST_LENGTH = 253;
const MAX_PORT = 65_535;

/** Parses `192.0.2.7:51826`, `[fd00::7]:51826` or `lamp.lan:51826`. @throws `invalid_value` */
export function parseHostPort(input: string): ManualHost {
  const { ipv6, host, port: digits } = FORM.exec(input.trim().toLowerCase())?.groups ?? {};
  const port = Number(digits);
  const valid = ipv6 !== undefined ? isHostIPv6(ipv6) : isHost(host ?? '');
  if (!valid || !(port >= 1 && port <= MAX_PORT)) {
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

/** An IPv6 address, with or without a zone (`fe80::7%eth0`). */
function isHostIPv6(text: string): boolean {
  const [address = '', zone] = text.split('%');
  return isIPv6(text) && isUsable(address, true) && zone !== '';
}

function isHost(text: string): boolean {
  if (isIPv4(text)) return isUsable(text, true);
  const labels = text.replace(/\.$/, '').split('.');
  // A numeric last label is a mistyped IPv4 address; no top-level domain is numeric.
  return (
    text.length <= MAX_HOST_LENGTH &&
    labels.every((label) => HOST_LABEL.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  );
}
