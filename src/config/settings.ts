/**
 * The settings of the daemon, one row a setting: its name, what it means and how a word becomes its value. The name is the
 * same everywhere: `log_level` in the file, `--log-level` as a flag, `HEARTHD_LOG_LEVEL` in the environment.
 */

import { accessSync, constants } from 'node:fs';
import { isIP } from 'node:net';
import { isAbsolute, resolve } from 'node:path';
import type { LogLevel } from '../kernel/logger.ts';
import { nearest } from '../kernel/nearest.ts';

/** What a value of each setting is once parsed. Those marked as lists in `SETTINGS` may be given several times. */
export interface SettingValues {
  data_dir: string;
  history_max_mb: number;
  host: readonly string[];
  port: number;
  ws_port: number;
  automation_runs_per_minute: number;
  automation_late_minutes: number;
  interface: readonly string[];
  advertise: boolean;
  manual_device: readonly string[];
  log_level: LogLevel;
  log_format: 'pretty' | 'json';
  public_url: string;
  trusted_proxy: readonly string[];
  allowed_host: readonly string[];
  allowed_origin: readonly string[];
  tls_cert: string;
  tls_key: string;
  webhooks_allow_loopback: boolean;
  webhooks_public_only: boolean;
  mqtt_url: string;
  mqtt_ca: string;
  ntfy_url: string;
  ntfy_token: string;
  smtp_url: string;
  email_from: string;
  email_to: readonly string[];
}

export type SettingName = keyof SettingValues;

export interface Setting {
  readonly name: SettingName;
  readonly list: boolean;
  /** Never shown, and no flag: other users of the computer see the flags of every process. */
  readonly isSecret?: true;
  /** It is on or off: the file may say so without quotes. */
  readonly isSwitch?: true;
  /** Stands for the value in `--help`. */
  readonly placeholder: string;
  /** One line of help. */
  readonly meaning: string;
  /** The default, as text for people. */
  readonly fallback: string;
  /**
   * @param folder what a relative path is relative to: the working directory, or the folder of the file it stands in.
   * @throws `BadValue`
   */
  parse(word: string, folder: string): string | number | boolean;
}

/** Why a word is no value of a setting, and what to write instead. `config.ts` adds whose word it is and where it stands. */
export class BadValue extends Error {
  /** Completes "port: '70000' from --port …". */
  readonly reason: string;
  readonly fix: string;

  constructor(reason: string, fix: string) {
    super(`${reason}. ${fix}`);
    this.reason = reason;
    this.fix = fix;
  }
}

export const DEFAULT_PORT = 5656;
/** Decades of an ordinary house, and little on any disk that one boots from today. */
export const DEFAULT_HISTORY_MAX_MB = 500;
/** decisions §10. */
export const DEFAULT_RUNS_PER_MINUTE = 10;
const MOST_RUNS_PER_MINUTE = 10_000;
/** decisions §10. */
export const DEFAULT_LATE_MINUTES = 5;
/** A day. */
const MOST_LATE_MINUTES = 1_440;
const SMALLEST_HISTORY_MB = 10;
const LARGEST_HISTORY_MB = 1_000_000;
export const HIGHEST_PORT = 65_535;
const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
const LOG_FORMATS = ['pretty', 'json'] as const;
/** Linux: IFNAMSIZ is 16 with the closing zero. */
const LONGEST_INTERFACE_NAME = 15;
/** As ntfy's server has it, after whatever path that lies under. */
const NTFY_TOPIC = /\/[-_A-Za-z0-9]{1,64}\/?$/;
/** Narrower than RFC 5321: nothing that means something else in a header or a list. */
const EMAIL_ADDRESS = /^[^\s@<>()[\]\\,;:"\p{C}]+@[^\s@<>()[\]\\,;:"\p{C}]+$/u;
/** RFC 5321 §4.5.3.1.3, less the angle brackets. */
const LONGEST_EMAIL_ADDRESS = 254;
const HOST_NAME = /^(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/i;

export const SETTINGS: readonly Setting[] = [
  {
    name: 'data_dir',
    list: false,
    placeholder: 'dir',
    meaning: 'where everything is kept',
    fallback: 'systemd’s STATE_DIRECTORY, else ~/.local/share/hearthd',
    parse: parsePath,
  },
  {
    name: 'port',
    list: false,
    placeholder: 'port',
    meaning: 'HTTP port; 0 picks a free one',
    fallback: String(DEFAULT_PORT),
    parse: parsePort,
  },
  {
    name: 'ws_port',
    list: false,
    placeholder: 'port',
    meaning: 'port for WebSockets at any path; 0 picks a free one',
    fallback: 'the port after the HTTP port',
    parse: parsePort,
  },
  {
    name: 'host',
    list: true,
    placeholder: 'address',
    meaning: 'address to listen on',
    fallback: 'every address of this computer',
    parse: parseListenAddress,
  },
  {
    name: 'interface',
    list: true,
    placeholder: 'name',
    meaning: 'network interface to look for accessories on',
    fallback: 'every interface',
    parse: parseInterface,
  },
  {
    name: 'advertise',
    list: false,
    isSwitch: true,
    placeholder: 'true|false',
    meaning: 'whether clients on the network find the daemon by mDNS',
    fallback: 'true',
    parse: (word) => parseChoice(word, ['true', 'false']) === 'true',
  },
  {
    name: 'manual_device',
    list: true,
    placeholder: 'host:port',
    meaning: 'accessory that multicast does not reach',
    fallback: 'none',
    parse: parseHostPort,
  },
  {
    name: 'log_level',
    list: false,
    placeholder: 'level',
    meaning: LOG_LEVELS.join(', '),
    fallback: 'info',
    parse: (word) => parseChoice(word, LOG_LEVELS),
  },
  {
    name: 'log_format',
    list: false,
    placeholder: 'format',
    meaning: LOG_FORMATS.join(' or '),
    fallback: 'pretty on a terminal, else json',
    parse: (word) => parseChoice(word, LOG_FORMATS),
  },
  {
    name: 'history_max_mb',
    list: false,
    placeholder: 'megabytes',
    meaning: 'size that recorded history may reach before its oldest samples go',
    fallback: String(DEFAULT_HISTORY_MAX_MB),
    parse: parseHistorySize,
  },
  {
    name: 'automation_runs_per_minute',
    list: false,
    placeholder: 'number',
    meaning: 'how often an automation may run within a minute',
    fallback: String(DEFAULT_RUNS_PER_MINUTE),
    parse: (word) => parseCount(word, 1, MOST_RUNS_PER_MINUTE),
  },
  {
    name: 'automation_late_minutes',
    list: false,
    placeholder: 'minutes',
    meaning: 'how late automations still do what came due while the daemon was down or the computer asleep',
    fallback: String(DEFAULT_LATE_MINUTES),
    parse: (word) => parseCount(word, 0, MOST_LATE_MINUTES),
  },
  {
    name: 'public_url',
    list: false,
    placeholder: 'url',
    meaning: 'address under which a reverse proxy publishes the daemon',
    fallback: 'none',
    parse: parseOrigin,
  },
  {
    name: 'trusted_proxy',
    list: true,
    placeholder: 'address',
    meaning: 'proxy (address or CIDR range) whose X-Forwarded-Proto and X-Forwarded-For headers count',
    fallback: 'none',
    parse: parseAddressRange,
  },
  {
    name: 'allowed_host',
    list: true,
    placeholder: 'name',
    meaning: 'further Host name that requests may carry',
    fallback: 'own addresses, localhost, <hostname> and <hostname>.local',
    parse: parseHostName,
  },
  {
    name: 'allowed_origin',
    list: true,
    placeholder: 'origin',
    meaning: 'further web page origin that may call the API',
    fallback: 'the daemon’s own',
    parse: parseOrigin,
  },
  {
    name: 'tls_cert',
    list: false,
    placeholder: 'file',
    meaning: 'TLS certificate chain (PEM); read again when it changes',
    fallback: 'no TLS',
    parse: parseReadableFile,
  },
  {
    name: 'tls_key',
    list: false,
    placeholder: 'file',
    meaning: 'TLS private key (PEM)',
    fallback: 'no TLS',
    parse: parseReadableFile,
  },
  {
    name: 'webhooks_allow_loopback',
    list: false,
    isSwitch: true,
    placeholder: 'true|false',
    meaning: 'whether requests of automations and webhooks may go to this computer itself',
    fallback: 'false',
    parse: (word) => parseChoice(word, ['true', 'false']) === 'true',
  },
  {
    name: 'webhooks_public_only',
    list: false,
    isSwitch: true,
    placeholder: 'true|false',
    meaning: 'whether requests of automations and webhooks may go to public addresses only, none of the home network',
    fallback: 'false',
    parse: (word) => parseChoice(word, ['true', 'false']) === 'true',
  },
  {
    name: 'mqtt_url',
    list: false,
    isSecret: true,
    placeholder: 'url',
    meaning: 'MQTT broker that every home is published on',
    fallback: 'none',
    parse: parseMqttUrl,
  },
  {
    name: 'mqtt_ca',
    list: false,
    placeholder: 'file',
    meaning: 'certificates (PEM) of the authority that this broker is trusted by',
    fallback: 'those of the system',
    parse: parseReadableFile,
  },
  {
    name: 'ntfy_url',
    list: false,
    isSecret: true,
    placeholder: 'url',
    meaning: 'ntfy topic that notifications are pushed through',
    fallback: 'no push',
    parse: parseTopicUrl,
  },
  {
    name: 'ntfy_token',
    list: false,
    isSecret: true,
    placeholder: 'token',
    meaning: 'access token of that topic',
    fallback: 'none',
    parse: parseNtfyToken,
  },
  {
    name: 'smtp_url',
    list: false,
    isSecret: true,
    placeholder: 'url',
    meaning: 'mail server, with user and password',
    fallback: 'no e-mail',
    parse: parseSmtpUrl,
  },
  {
    name: 'email_from',
    list: false,
    placeholder: 'address',
    meaning: 'e-mail address that notifications come from',
    fallback: 'no e-mail',
    parse: parseEmailAddress,
  },
  {
    name: 'email_to',
    list: true,
    placeholder: 'address',
    meaning: 'e-mail address that notifications go to',
    fallback: 'no e-mail',
    parse: parseEmailAddress,
  },
];

export const flagOf = (name: string): string => `--${name.replaceAll('_', '-')}`;
export const VARIABLE_PREFIX = 'HEARTHD_';
export const variableOf = (name: string): string => `${VARIABLE_PREFIX}${name.toUpperCase()}`;

function parsePath(word: string, folder: string): string {
  if (word.trim() === '') throw new BadValue('is empty', 'Give the path of a directory.');
  // A folder of that name would be made, and nobody would look for it there.
  if (/^~[^/]*(\/|$)/.test(word)) throw new BadValue('begins with ~, which only a shell knows', 'Give the whole path.');
  return isAbsolute(word) ? resolve(word) : resolve(folder, word);
}

function parseCount(word: string, least: number, most: number): number {
  const count = /^\d{1,9}$/.test(word) ? Number(word) : Number.NaN;
  if (count >= least && count <= most) return count;
  throw new BadValue('is not a number that it can be', `Give a whole number from ${least} to ${most}.`);
}

function parsePort(word: string): number {
  const port = /^\d{1,5}$/.test(word) ? Number(word) : Number.NaN;
  if (!(port <= HIGHEST_PORT)) {
    throw new BadValue('is not a port number', `Give a whole number from 0 to ${HIGHEST_PORT}; 0 picks a free port.`);
  }
  return port;
}

function parseHistorySize(word: string): number {
  const size = /^\d{1,7}$/.test(word) ? Number(word) : Number.NaN;
  if (!(size >= SMALLEST_HISTORY_MB && size <= LARGEST_HISTORY_MB)) {
    throw new BadValue(
      'is not a number of megabytes',
      `Give a whole number from ${SMALLEST_HISTORY_MB} to ${LARGEST_HISTORY_MB}.`,
    );
  }
  return size;
}

function parseListenAddress(word: string): string {
  const address = word.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) || HOST_NAME.test(address)) return address;
  if (/^(.*):\d+$/.test(word))
    throw new BadValue('has a port in it', 'Give the address alone, and the port as the port setting.');
  throw new BadValue(
    'is not an address',
    'Give an IP address of this computer, such as 127.0.0.1 or ::1; leave the setting out for every address.',
  );
}

function parseInterface(word: string): string {
  if (!/^[^\s/,]+$/.test(word) || word.length > LONGEST_INTERFACE_NAME) {
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

function parseHostPort(word: string): string {
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(word) ?? [];
  const address = host.replace(/^\[(.*)\]$/, '$1');
  const known = isIP(address) === 6 ? host.startsWith('[') : isIP(address) === 4 || HOST_NAME.test(address);
  if (!known || Number(port) < 1 || Number(port) > HIGHEST_PORT) {
    throw new BadValue('is not host:port', 'Write it like 192.168.1.20:51826, lamp.local:80 or [fe80::1]:80.');
  }
  return word;
}

function parseChoice<T extends string>(word: string, choices: readonly T[]): T {
  const choice = choices.find((candidate) => candidate === word.toLowerCase());
  if (choice) return choice;
  const meant = nearest(word, choices);
  throw new BadValue('is unknown', `${meant ? `Did you mean ${meant}? ` : ''}Give one of: ${choices.join(', ')}.`);
}

function parseOrigin(word: string): string {
  const url = URL.canParse(word) ? new URL(word) : undefined;
  const bare = url && url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password;
  if (!url || !bare || !['http:', 'https:'].includes(url.protocol)) {
    throw new BadValue(
      'is not a web address without a path',
      'Write it like https://home.example.org or http://192.168.1.10:8080.',
    );
  }
  return url.origin;
}

function parseAddressRange(word: string): string {
  const [address = '', prefix, ...rest] = word.split('/');
  const bits = isIP(address) === 4 ? 32 : 128;
  const prefixFits = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
  if (!isIP(address) || !prefixFits || rest.length > 0) {
    throw new BadValue('is not an address or range', 'Write it like 127.0.0.1, 10.0.0.0/8 or fd00::/8.');
  }
  return word;
}

function parseHostName(word: string): string {
  const name = word.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  if (!isIP(name) && !HOST_NAME.test(name)) {
    throw new BadValue('is not a host name', 'Give the name alone, without scheme, port or path: home.example.org.');
  }
  return name;
}

function parseReadableFile(word: string, folder: string): string {
  const path = parsePath(word, folder);
  try {
    accessSync(path, constants.R_OK);
  } catch {
    throw new BadValue(`can't be read (${path})`, 'Give the path of a PEM file that this user may read.');
  }
  return path;
}

function parseTopicUrl(word: string): string {
  const url = URL.canParse(word) ? new URL(word) : undefined;
  const bare = url && !url.search && !url.hash && !url.username && !url.password;
  if (!bare || !['http:', 'https:'].includes(url.protocol) || !NTFY_TOPIC.test(url.pathname)) {
    throw new BadValue(
      'is not the address of an ntfy topic',
      'Write it like https://ntfy.sh/topic or http://192.168.1.10:8080/topic; a token goes into ntfy_token.',
    );
  }
  return url.href;
}

function parseNtfyToken(word: string): string {
  if (/^[\x21-\x7e]{1,256}$/.test(word)) return word;
  throw new BadValue('is not a token', 'Give an access token as ntfy makes them, such as tk_….');
}

function parseSmtpUrl(word: string): string {
  const url = URL.canParse(word) ? new URL(word) : undefined;
  const host = url?.hostname.replace(/^\[(.*)\]$/, '$1') ?? '';
  const bare = url && ['', '/'].includes(url.pathname) && !url.search && !url.hash;
  const complete = url && (url.username === '') === (url.password === '') && isPercentEncoded(word);
  if (!bare || !complete || !['smtp:', 'smtps:'].includes(url.protocol) || !(isIP(host) || HOST_NAME.test(host))) {
    throw new BadValue(
      'is not the address of a mail server',
      'Write it like smtps://user:password@mail.example.org:465 or smtp://user:password@mail.example.org:587, with %40 for an @ in it.',
    );
  }
  return url.href;
}

function parseMqttUrl(word: string): string {
  const url = URL.canParse(word) ? new URL(word) : undefined;
  const host = url?.hostname.replace(/^\[(.*)\]$/, '$1') ?? '';
  const bare = url && ['', '/'].includes(url.pathname) && !url.search && !url.hash && url.port !== '0';
  // MQTT 3.1.1 §3.1.2.9: a password needs a user name.
  const complete = url && (url.username !== '' || url.password === '') && isPercentEncoded(word);
  if (!bare || !complete || !['mqtt:', 'mqtts:'].includes(url.protocol) || !(isIP(host) || HOST_NAME.test(host))) {
    throw new BadValue(
      'is not the address of an MQTT broker',
      'Write it like mqtt://user:password@192.168.1.10:1883 or mqtts://broker.example.org, with %40 for an @ in it.',
    );
  }
  return url.href;
}

function isPercentEncoded(word: string): boolean {
  try {
    decodeURIComponent(word);
    return true;
  } catch {
    return false;
  }
}

function parseEmailAddress(word: string): string {
  const address = word.trim();
  if (EMAIL_ADDRESS.test(address) && address.length <= LONGEST_EMAIL_ADDRESS) return address;
  throw new BadValue('is not an e-mail address', 'Give the address alone, such as anna@example.org.');
}
