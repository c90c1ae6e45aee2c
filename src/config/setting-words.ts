/**
 * Parses a word from the file, a flag or the environment to the value of a setting, or explains why it is invalid. Each
 * function handles one kind of value; `settings.ts` assigns them to settings.
 */
import { accessSync, constants } from 'node:fs';
import { isIP } from 'node:net';
import { isAbsolute, resolve } from 'node:path';
import { nearest } from '../kernel/nearest.ts';
import { parseUrl } from '../kernel/parse-url.ts';

/**
 * Why a word is not a valid value of a setting, and what to write instead. `config.ts` adds its source and position.
 */
export class BadValue extends Error {
  /** The end of "port: '70000' from --port …". */
  readonly reason: string;
  readonly fix: string;

  constructor(reason: string, fix: string) {
    super(`${reason}. ${fix}`);
    this.reason = reason;
    this.fix = fix;
  }
}

const MIN_HISTORY_MB = 10;
const MAX_HISTORY_MB = 1_000_000;
export const MAX_PORT = 65_535;
/** Linux: IFNAMSIZ is 16 including the closing zero. */
const MAX_INTERFACE_NAME_LENGTH = 15;
/** As ntfy's server defines it, after any path. */
const NTFY_TOPIC = /\/[-_A-Za-z0-9]{1,64}\/?$/;
/** Narrower than RFC 5321: excludes characters with a special meaning in a header or a list. */
const EMAIL_ADDRESS = /^[^\s@<>()[\]\\,;:"\p{C}]+@[^\s@<>()[\]\\,;:"\p{C}]+$/u;
/** RFC 5321 §4.5.3.1.3, without the angle brackets. */
const MAX_EMAIL_ADDRESS_LENGTH = 254;
const HOST_NAME = /^(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/i;

export function parsePath(word: string, folder: string): string {
  if (word.trim() === '') throw new BadValue('is empty', 'Give the path of a directory.');
  // Otherwise the program would create a folder with that name, where the user would not look.
  if (/^~[^/]*(\/|$)/.test(word)) throw new BadValue('begins with ~, which only a shell knows', 'Give the whole path.');
  return isAbsolute(word) ? resolve(word) : resolve(folder, word);
}

export function parseCount(word: string, least: number, most: number): number {
  const count = /^\d{1,9}$/.test(word) ? Number(word) : Number.NaN;
  if (count >= least && count <= most) return count;
  throw new BadValue('is not a number that it can be', `Give a whole number from ${least} to ${most}.`);
}

export function parsePort(word: string): number {
  const port = /^\d{1,5}$/.test(word) ? Number(word) : Number.NaN;
  if (!(port <= MAX_PORT)) {
    throw new BadValue('is not a port number', `Give a whole number from 0 to ${MAX_PORT}; 0 picks a free port.`);
  }
  return port;
}

export function parseHistorySize(word: string): number {
  const size = /^\d{1,7}$/.test(word) ? Number(word) : Number.NaN;
  if (!(size >= MIN_HISTORY_MB && size <= MAX_HISTORY_MB)) {
    throw new BadValue(
      'is not a number of megabytes',
      `Give a whole number from ${MIN_HISTORY_MB} to ${MAX_HISTORY_MB}.`,
    );
  }
  return size;
}

export function parseListenAddress(word: string): string {
  const address = word.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) || HOST_NAME.test(address)) return address;
  if (/^(.*):\d+$/.test(word))
    throw new BadValue('has a port in it', 'Give the address alone, and the port as the port setting.');
  throw new BadValue(
    'is not an address',
    'Give an IP address of this computer, such as 127.0.0.1 or ::1; leave the setting out for every address.',
  );
}

export function parseInterface(word: string): string {
  if (!/^[^\s/,]+$/.test(word) || word.length > MAX_INTERFACE_NAME_LENGTH) {
    throw new BadValue('is not an interface name', 'Give a name as `ip link` shows it, such as eth0 or wlan0.');
  }
  if (isIP(word)) {
    throw new BadValue(
      'is an address, not an interface',
      'Give the interface’s name as `ip link` shows it, such as eth0.',
    );
  }
  return word;
}

export function parseHostPort(word: string): string {
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(word) ?? [];
  const address = host.replace(/^\[(.*)\]$/, '$1');
  const known = isIP(address) === 6 ? host.startsWith('[') : isIP(address) === 4 || HOST_NAME.test(address);
  if (!known || Number(port) < 1 || Number(port) > MAX_PORT) {
    throw new BadValue('is not host:port', 'Write it like 192.168.1.20:51826, lamp.local:80 or [fe80::1]:80.');
  }
  return word;
}

export function parseChoice<T extends string>(word: string, choices: readonly T[]): T {
  const choice = choices.find((candidate) => candidate === word.toLowerCase());
  if (choice) return choice;
  const meant = nearest(word, choices);
  throw new BadValue('is unknown', `${meant ? `Did you mean ${meant}? ` : ''}Give one of: ${choices.join(', ')}.`);
}

export function parseOrigin(word: string): string {
  const url = parseUrl(word);
  const bare = url && url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password;
  if (!url || !bare || !['http:', 'https:'].includes(url.protocol)) {
    throw new BadValue(
      'is not a web address without a path',
      'Write it like https://home.example.org or http://192.168.1.10:8080.',
    );
  }
  return url.origin;
}

export function parseDirectoryUrl(word: string): string {
  const url = parseUrl(word);
  if (url?.protocol !== 'https:' || url.username || url.password || url.hash) {
    throw new BadValue(
      'is not an https address',
      'Write it like https://acme-v02.api.letsencrypt.org/directory; without user and password.',
    );
  }
  return url.href;
}

export function parseAddressRange(word: string): string {
  const [address = '', prefix, ...rest] = word.split('/');
  const bits = isIP(address) === 4 ? 32 : 128;
  const prefixFits = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
  if (!isIP(address) || !prefixFits || rest.length > 0) {
    throw new BadValue('is not an address or range', 'Write it like 127.0.0.1, 10.0.0.0/8 or fd00::/8.');
  }
  return word;
}

export function parseHostName(word: string): string {
  const name = word.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  if (!isIP(name) && !HOST_NAME.test(name)) {
    throw new BadValue('is not a host name', 'Give the name alone, without scheme, port or path: home.example.org.');
  }
  return name;
}

export function parseReadableFile(word: string, folder: string): string {
  const path = parsePath(word, folder);
  try {
    accessSync(path, constants.R_OK);
  } catch {
    throw new BadValue(`can't be read (${path})`, 'Give the path of a PEM file that this user may read.');
  }
  return path;
}

export function parseProgram(word: string, folder: string): string {
  const path = parsePath(word, folder);
  try {
    accessSync(path, constants.X_OK);
  } catch {
    throw new BadValue(`can't be run (${path})`, 'Give the path of a program that this user may run.');
  }
  return path;
}

export function parseTopicUrl(word: string): string {
  const url = parseUrl(word);
  const bare = url && !url.search && !url.hash && !url.username && !url.password;
  if (!bare || !['http:', 'https:'].includes(url.protocol) || !NTFY_TOPIC.test(url.pathname)) {
    throw new BadValue(
      'is not the address of an ntfy topic',
      'Write it like https://ntfy.sh/topic or http://192.168.1.10:8080/topic; a token goes into ntfy_token.',
    );
  }
  return url.href;
}

export function parseNtfyToken(word: string): string {
  if (/^[\x21-\x7e]{1,256}$/.test(word)) return word;
  throw new BadValue('is not a token', 'Give an access token as ntfy makes them, such as tk_….');
}

export function parseSmtpUrl(word: string): string {
  const url = serverUrl(word, ['smtp:', 'smtps:']);
  if (url && (url.username === '') === (url.password === '')) return url.href;
  throw new BadValue(
    'is not the address of a mail server',
    'Write it like smtps://user:password@mail.example.org:465 or smtp://user:password@mail.example.org:587, with %40 for an @ in it.',
  );
}

export function parseMqttUrl(word: string): string {
  const url = serverUrl(word, ['mqtt:', 'mqtts:']);
  // MQTT 3.1.1 §3.1.2.9: a password requires a user name.
  if (url && url.port !== '0' && (url.username !== '' || url.password === '')) return url.href;
  throw new BadValue(
    'is not the address of an MQTT broker',
    'Write it like mqtt://user:password@192.168.1.10:1883 or mqtts://broker.example.org, with %40 for an @ in it.',
  );
}

/** A server's address with nothing after its port; user name and password, if any, must be decodable. */
function serverUrl(word: string, protocols: readonly string[]): URL | undefined {
  const url = parseUrl(word);
  const host = url?.hostname.replace(/^\[(.*)\]$/, '$1') ?? '';
  const bare = url && ['', '/'].includes(url.pathname) && !url.search && !url.hash;
  if (!bare || !protocols.includes(url.protocol) || !isPercentEncoded(word)) return undefined;
  return isIP(host) || HOST_NAME.test(host) ? url : undefined;
}

function isPercentEncoded(word: string): boolean {
  try {
    decodeURIComponent(word);
    return true;
  } catch {
    return false;
  }
}

export function parseEmailAddress(word: string): string {
  const address = word.trim();
  if (EMAIL_ADDRESS.test(address) && address.length <= MAX_EMAIL_ADDRESS_LENGTH) return address;
  throw new BadValue('is not an e-mail address', 'Give the address alone, such as anna@example.org.');
}
