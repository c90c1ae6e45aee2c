/** The types of the daemon’s settings. */
import type { LogLevel } from '../kernel/logger.ts';

/** The type of each setting after parsing. Settings marked as lists in `SETTINGS` may be given several times. */
export interface SettingValues {
  data_dir: string;
  history_max_mb: number;
  host: readonly string[];
  port: number;
  ws_port: number;
  https_port: number;
  automation_runs_per_minute: number;
  automation_late_minutes: number;
  oauth_refresh_grace_seconds: number;
  second_step_required_for: 'none' | 'owners' | 'admins' | 'all';
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
  https_redirect: boolean;
  acme_directory: string;
  acme_dns_hook: string;
  acme_ca: string;
  webhooks_allow_loopback: boolean;
  webhooks_public_only: boolean;
  update_check: boolean;
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
