/**
 * The settings of the daemon, one row per setting: its name, its meaning and its parser. The name is the same
 * everywhere: `log_level` in the file, `--log-level` as a flag, `HEARTHD_LOG_LEVEL` in the environment.
 */
import type { LogLevel } from '../kernel/logger.ts';
import {
  parseAddressRange,
  parseChoice,
  parseCount,
  parseEmailAddress,
  parseHistorySize,
  parseHostName,
  parseHostPort,
  parseInterface,
  parseListenAddress,
  parseMqttUrl,
  parseNtfyToken,
  parseOrigin,
  parsePath,
  parsePort,
  parseReadableFile,
  parseSmtpUrl,
  parseTopicUrl,
} from './setting-words.ts';

/** The type of each setting after parsing. Settings marked as lists in `SETTINGS` may be given several times. */
export interface SettingValues {
  data_dir: string;
  history_max_mb: number;
  host: readonly string[];
  port: number;
  ws_port: number;
  automation_runs_per_minute: number;
  automation_late_minutes: number;
  oauth_refresh_grace_seconds: number;
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
  /** Never shown, and without a flag: other users of the computer see the flags of every process. */
  readonly isSecret?: true;
  /** The type of its words; text if omitted. The file may contain numbers and switches without quotes. */
  readonly kind?: 'number' | 'switch' | 'choice';
  /** All valid words of a choice. */
  readonly choices?: readonly string[];
  /** Whether it can change at run time with immediate effect; all others apply at the next start. */
  readonly isLive?: true;
  /** The placeholder for the value in `--help`. */
  readonly placeholder: string;
  /** One line of help. */
  readonly meaning: string;
  /** The default, as readable text. */
  readonly fallback: string;
  /**
   * @param folder the base of a relative path: the working directory, or the folder of the configuration file.
   * @throws `BadValue`
   */
  parse(word: string, folder: string): string | number | boolean;
}

export const DEFAULT_PORT = 5656;
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
    name: 'webhooks_allow_loopback',
    list: false,
    isLive: true,
    kind: 'switch',
    placeholder: 'true|false',
    meaning: 'whether requests of automations and webhooks may go to this computer itself',
    fallback: 'false',
    parse: (word) => parseChoice(word, ['true', 'false']) === 'true',
  },
  {
    name: 'webhooks_public_only',
    list: false,
    isLive: true,
    kind: 'switch',
    placeholder: 'true|false',
    meaning: 'whether requests of automations and webhooks may go to public addresses only, none of the home network',
    fallback: 'false',
    parse: (word) => parseChoice(word, ['true', 'false']) === 'true',
  },
  {
    name: 'mqtt_url',
    list: false,
    isLive: true,
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
    isLive: true,
    isSecret: true,
    placeholder: 'url',
    meaning: 'ntfy topic that notifications are pushed through',
    fallback: 'no push',
    parse: parseTopicUrl,
  },
  {
    name: 'ntfy_token',
    list: false,
    isLive: true,
    isSecret: true,
    placeholder: 'token',
    meaning: 'access token of that topic',
    fallback: 'none',
    parse: parseNtfyToken,
  },
  {
    name: 'smtp_url',
    list: false,
    isLive: true,
    isSecret: true,
    placeholder: 'url',
    meaning: 'mail server, with user and password',
    fallback: 'no e-mail',
    parse: parseSmtpUrl,
  },
  {
    name: 'email_from',
    list: false,
    isLive: true,
    placeholder: 'address',
    meaning: 'e-mail address that notifications come from',
    fallback: 'no e-mail',
    parse: parseEmailAddress,
  },
  {
    name: 'email_to',
    list: true,
    isLive: true,
    placeholder: 'address',
    meaning: 'e-mail address that notifications go to',
    fallback: 'no e-mail',
    parse: parseEmailAddress,
  },
];

export const flagOf = (name: string): string => `--${name.replaceAll('_', '-')}`;
export const VARIABLE_PREFIX = 'HEARTHD_';
export const variableOf = (name: string): string => `${VARIABLE_PREFIX}${name.toUpperCase()}`;
