/**
 * The configuration. Precedence: flags, environment variables, the optional TOML file, settings stored at run time,
 * defaults. The result is one typed, validated value; no other code reads flags, environment or file. `live-config.ts`
 * handles the settings that change at run time.
 */

import type { LogLevel } from '../kernel/logger.ts';
import { processVariables, readEnvironment, type Variables } from './env.ts';
import {
  DEFAULT_ACME_DIRECTORY,
  DEFAULT_HISTORY_MAX_MB,
  DEFAULT_LATE_MINUTES,
  DEFAULT_PORT,
  DEFAULT_REFRESH_GRACE_SECONDS,
  DEFAULT_RUNS_PER_MINUTE,
  flagOf,
} from './settings.ts';
import {
  ConfigError,
  type ConfigFlags,
  type ConfiguredEmail,
  type ConfiguredMqtt,
  type ConfiguredNtfy,
  SettingsReader,
} from './settings-reader.ts';

export interface Config {
  /** Absolute. */
  readonly dataDir: string;
  /** Addresses to listen on; empty = every address. */
  readonly host: readonly string[];
  /** 0 = any free port. */
  readonly port: number;
  /** The port that accepts WebSockets at any path; 0 = any free port. */
  readonly wsPort: number;
  /** The port for https while that is turned on; 0 = any free port. */
  readonly httpsPort: number;
  /** Whether http leads to https. */
  readonly httpsRedirect: boolean;
  /** Interfaces for discovery and publishing; empty = all. */
  readonly interfaces: readonly string[];
  /** Whether the relay is advertised over mDNS. */
  readonly advertise: boolean;
  /** The maximum disk space of recorded history, in megabytes (10^6 bytes). */
  readonly historyMaxMb: number;
  readonly automationRunsPerMinute: number;
  /** How late automations still run after downtime of the daemon or sleep of the computer, in minutes. */
  readonly automationLateMinutes: number;
  /** How long a repeated OAuth refresh gets the same response; 0 = a refresh token works once. */
  readonly oauthRefreshGraceSeconds: number;
  /** Which accounts must have a second step. */
  readonly secondStepRequiredFor: 'none' | 'owners' | 'admins' | 'all';
  /** `host:port` of accessories that multicast does not reach. */
  readonly manualDevices: readonly string[];
  readonly logLevel: LogLevel;
  readonly logFormat: 'pretty' | 'json';
  /** An origin without trailing slash. */
  readonly publicUrl: string | null;
  /** Addresses and CIDR ranges. */
  readonly trustedProxies: readonly string[];
  /** Host names in lower case, without port. */
  readonly allowedHosts: readonly string[];
  /** Origins without trailing slash. */
  readonly allowedOrigins: readonly string[];
  /** Absolute paths of PEM files. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
  /** Whether requests of automations and webhooks may go to this computer itself (decisions §9). */
  readonly webhooksAllowLoopback: boolean;
  /** Whether they may only go to public addresses. */
  readonly webhooksPublicOnly: boolean;
  /** Whether the npm registry is asked for a newer version. */
  readonly updateCheck: boolean;
  /** Where certificates come from over ACME; `hook` and `ca` are absolute paths. */
  readonly acme: { readonly directory: string; readonly hook: string | null; readonly ca: string | null };
  readonly mqtt: ConfiguredMqtt | null;
  readonly ntfy: ConfiguredNtfy | null;
  readonly email: ConfiguredEmail | null;
  /** The source of each setting, for `LiveConfig`. Missing in a configuration built by hand. */
  readonly givenSettings?: SettingsReader;
}

/** The state directory of the systemd unit: client commands use it if the user has no data directory. */
export const SYSTEM_DATA_DIR = '/var/lib/hearthd';

/**
 * @param isTerminal whether stdout is a terminal: logs are pretty there and JSON elsewhere, unless set.
 * @throws `ConfigError`
 */
export function loadConfig(
  flags: ConfigFlags = {},
  variables: Variables = processVariables(),
  isTerminal: boolean = process.stdout.isTTY ?? false,
): Config {
  const reader = new SettingsReader(flags, readEnvironment(variables));
  reader.refuseMistypedVariables();
  reader.openFile();
  return { ...readConfig(reader, isTerminal), givenSettings: reader };
}

/** Builds one value from a reader's settings. @throws `ConfigError` */
export function readConfig(reader: SettingsReader, isTerminal = false): Config {
  const cert = reader.value('tls_cert');
  const key = reader.value('tls_key');
  if ((cert === undefined) !== (key === undefined) && !reader.isGiven(cert === undefined ? 'tls_cert' : 'tls_key')) {
    const [given, missing] =
      cert === undefined ? (['tls_key', 'tls_cert'] as const) : (['tls_cert', 'tls_key'] as const);
    reader.problems.push(`${missing}: not set, but ${given} is. TLS needs both: set ${flagOf(missing)} as well.`);
  }
  const config: Config = {
    dataDir: reader.dataDir(),
    host: reader.value('host') ?? [],
    port: reader.value('port') ?? DEFAULT_PORT,
    wsPort: reader.wsPort(),
    httpsPort: reader.httpsPort(),
    httpsRedirect: reader.value('https_redirect') ?? false,
    interfaces: reader.value('interface') ?? [],
    advertise: reader.value('advertise') ?? true,
    manualDevices: reader.value('manual_device') ?? [],
    historyMaxMb: reader.value('history_max_mb') ?? DEFAULT_HISTORY_MAX_MB,
    automationRunsPerMinute: reader.value('automation_runs_per_minute') ?? DEFAULT_RUNS_PER_MINUTE,
    automationLateMinutes: reader.value('automation_late_minutes') ?? DEFAULT_LATE_MINUTES,
    oauthRefreshGraceSeconds: reader.value('oauth_refresh_grace_seconds') ?? DEFAULT_REFRESH_GRACE_SECONDS,
    secondStepRequiredFor: reader.value('second_step_required_for') ?? 'none',
    logLevel: reader.value('log_level') ?? 'info',
    logFormat: reader.value('log_format') ?? (isTerminal ? 'pretty' : 'json'),
    publicUrl: reader.value('public_url') ?? null,
    trustedProxies: reader.value('trusted_proxy') ?? [],
    allowedHosts: reader.value('allowed_host') ?? [],
    allowedOrigins: reader.value('allowed_origin') ?? [],
    tls: cert !== undefined && key !== undefined ? { cert, key } : null,
    webhooksAllowLoopback: reader.value('webhooks_allow_loopback') ?? false,
    webhooksPublicOnly: reader.value('webhooks_public_only') ?? false,
    updateCheck: reader.value('update_check') ?? false,
    acme: {
      directory: reader.value('acme_directory') ?? DEFAULT_ACME_DIRECTORY,
      hook: reader.value('acme_dns_hook') ?? null,
      ca: reader.value('acme_ca') ?? null,
    },
    mqtt: reader.mqtt(),
    ntfy: reader.ntfy(),
    email: reader.email(),
  };
  if (reader.problems.length > 0) throw new ConfigError(reader.problems);
  return config;
}

/**
 * Only the data directory, for commands that talk to a daemon; the daemon reads all other settings.
 * @throws `ConfigError`
 */
export function locateDataDir(flags: ConfigFlags, variables: Variables, exists: (path: string) => boolean): string {
  const reader = new SettingsReader(flags, readEnvironment(variables));
  reader.openNamedFile();
  const directory = reader.dataDir((own) => (!exists(own) && exists(SYSTEM_DATA_DIR) ? SYSTEM_DATA_DIR : own));
  if (reader.problems.length > 0) throw new ConfigError(reader.problems);
  return directory;
}
