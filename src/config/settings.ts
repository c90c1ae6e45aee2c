/**
 * The settings of the daemon, one row per setting: its name, its meaning and its parser. The name is the same
 * everywhere: `log_level` in the file, `--log-level` as a flag, `HEARTHD_LOG_LEVEL` in the environment.
 */
import { OUTGOING_SETTINGS } from './outgoing-settings.ts';
import type { Setting } from './setting.ts';
import {
  parseAddressRange,
  parseChoice,
  parseCount,
  parseDirectoryUrl,
  parseHistorySize,
  parseHostName,
  parseHostPort,
  parseInterface,
  parseListenAddress,
  parseOrigin,
  parsePath,
  parsePort,
  parseProgram,
  parseReadableFile,
} from './setting-words.ts';

export const DEFAULT_PORT = 5656;
export const DEFAULT_ACME_DIRECTORY = 'https://acme-v02.api.letsencrypt.org/directory';
/** Enough for decades of an ordinary home, and little on a current boot disk. */
export const DEFAULT_HISTORY_MAX_MB = 500;
/** decisions §10. */
export const DEFAULT_RUNS_PER_MINUTE = 10;
const MAX_RUNS_PER_MINUTE = 10_000;
/** decisions §10. */
export const DEFAULT_LATE_MINUTES = 5;
/** A day. */
const MAX_LATE_MINUTES = 1_440;
/** API §5.2: every refresh invalidates the old refresh token. */
export const DEFAULT_REFRESH_GRACE_SECONDS = 0;
/** A longer window helps the user of a stolen token more than a client that lost a response. */
const MAX_REFRESH_GRACE_SECONDS = 300;
const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
const LOG_FORMATS = ['pretty', 'json'] as const;
const SECOND_STEP_AUDIENCES = ['none', 'owners', 'admins', 'all'] as const;

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
    kind: 'number',
    placeholder: 'port',
    meaning: 'HTTP port; 0 picks a free one',
    fallback: String(DEFAULT_PORT),
    parse: parsePort,
  },
  {
    name: 'ws_port',
    list: false,
    kind: 'number',
    placeholder: 'port',
    meaning: 'port for WebSockets at any path; 0 picks a free one',
    fallback: 'the port after the HTTP port',
    parse: parsePort,
  },
  {
    name: 'https_port',
    list: false,
    kind: 'number',
    placeholder: 'port',
    meaning: 'port for https, once it is turned on; 0 picks a free one',
    fallback: 'the port two after the HTTP port',
    parse: parsePort,
  },
  {
    name: 'https_redirect',
    list: false,
    isLive: true,
    kind: 'switch',
    placeholder: 'true|false',
    meaning: 'whether requests over http are led to https, while the https port is open',
    fallback: 'false',
    parse: (word) => parseChoice(word, ['true', 'false']) === 'true',
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
    isLive: true,
    kind: 'switch',
    placeholder: 'true|false',
    meaning: 'whether clients on the network find the daemon by mDNS',
    fallback: 'true',
    parse: (word) => parseChoice(word, ['true', 'false']) === 'true',
  },
  {
    name: 'manual_device',
    list: true,
    isLive: true,
    placeholder: 'host:port',
    meaning: 'accessory that multicast does not reach',
    fallback: 'none',
    parse: parseHostPort,
  },
  {
    name: 'log_level',
    list: false,
    isLive: true,
    kind: 'choice',
    choices: LOG_LEVELS,
    placeholder: 'level',
    meaning: LOG_LEVELS.join(', '),
    fallback: 'info',
    parse: (word) => parseChoice(word, LOG_LEVELS),
  },
  {
    name: 'log_format',
    list: false,
    kind: 'choice',
    choices: LOG_FORMATS,
    placeholder: 'format',
    meaning: LOG_FORMATS.join(' or '),
    fallback: 'pretty on a terminal, else json',
    parse: (word) => parseChoice(word, LOG_FORMATS),
  },
  {
    name: 'history_max_mb',
    list: false,
    isLive: true,
    kind: 'number',
    placeholder: 'megabytes',
    meaning: 'size that recorded history may reach before its oldest samples go',
    fallback: String(DEFAULT_HISTORY_MAX_MB),
    parse: parseHistorySize,
  },
  {
    name: 'automation_runs_per_minute',
    list: false,
    isLive: true,
    kind: 'number',
    placeholder: 'number',
    meaning: 'how often an automation may run within a minute',
    fallback: String(DEFAULT_RUNS_PER_MINUTE),
    parse: (word) => parseCount(word, 1, MAX_RUNS_PER_MINUTE),
  },
  {
    name: 'automation_late_minutes',
    list: false,
    isLive: true,
    kind: 'number',
    placeholder: 'minutes',
    meaning: 'how late automations still do what came due while the daemon was down or the computer asleep',
    fallback: String(DEFAULT_LATE_MINUTES),
    parse: (word) => parseCount(word, 0, MAX_LATE_MINUTES),
  },
  {
    name: 'oauth_refresh_grace_seconds',
    list: false,
    isLive: true,
    kind: 'number',
    placeholder: 'seconds',
    meaning: 'how long an app that repeats a refresh gets the same answer again',
    fallback: `${DEFAULT_REFRESH_GRACE_SECONDS}: a refresh token works once`,
    parse: (word) => parseCount(word, 0, MAX_REFRESH_GRACE_SECONDS),
  },
  {
    name: 'second_step_required_for',
    list: false,
    isLive: true,
    kind: 'choice',
    choices: SECOND_STEP_AUDIENCES,
    placeholder: 'people',
    meaning: `who must have an authenticator app or a passkey: ${SECOND_STEP_AUDIENCES.join(', ')}`,
    fallback: 'none',
    parse: (word) => parseChoice(word, SECOND_STEP_AUDIENCES),
  },
  {
    name: 'public_url',
    list: false,
    isLive: true,
    placeholder: 'url',
    meaning: 'address under which a reverse proxy publishes the daemon',
    fallback: 'none',
    parse: parseOrigin,
  },
  {
    name: 'trusted_proxy',
    list: true,
    isLive: true,
    placeholder: 'address',
    meaning: 'proxy (address or CIDR range) whose X-Forwarded-Proto and X-Forwarded-For headers count',
    fallback: 'none',
    parse: parseAddressRange,
  },
  {
    name: 'allowed_host',
    list: true,
    isLive: true,
    placeholder: 'name',
    meaning: 'further Host name that requests may carry',
    fallback: 'own addresses, localhost, <hostname> and <hostname>.local',
    parse: parseHostName,
  },
  {
    name: 'allowed_origin',
    list: true,
    isLive: true,
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
    name: 'acme_directory',
    list: false,
    placeholder: 'url',
    meaning: 'directory of the authority that https over ACME asks',
    fallback: 'that of Let’s Encrypt',
    parse: parseDirectoryUrl,
  },
  {
    name: 'acme_dns_hook',
    list: false,
    placeholder: 'file',
    meaning: 'program that adds and removes the DNS record with which ACME proves a name',
    fallback: 'none',
    parse: parseProgram,
  },
  {
    name: 'acme_ca',
    list: false,
    placeholder: 'file',
    meaning: 'certificates (PEM) that the server of this directory is trusted by',
    fallback: 'those of the system',
    parse: parseReadableFile,
  },
  ...OUTGOING_SETTINGS,
];

export const flagOf = (name: string): string => `--${name.replaceAll('_', '-')}`;
export const VARIABLE_PREFIX = 'HEARTHD_';
export const variableOf = (name: string): string => `${VARIABLE_PREFIX}${name.toUpperCase()}`;
