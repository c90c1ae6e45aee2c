/**
 * The current configuration. Most settings are fixed from start to stop; some (`isLive`) change at run time, from
 * relay.db. All code reads the configuration here: at each use, or through a change listener. A flag, a variable or the
 * file always takes precedence over a stored setting. This class saves nothing and checks no permissions:
 * `app/settings/relay-settings.ts` does.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Config, readConfig } from './config.ts';
import { readEnvironment } from './env.ts';
import type { Setting, SettingName } from './setting.ts';
import { flagOf, SETTINGS, variableOf } from './settings.ts';
import { ConfigError, SettingsReader, type StoredWords } from './settings-reader.ts';

type ShownValue = string | number | boolean | readonly string[];

interface Row {
  readonly field: keyof Config;
  readonly value: (config: Config) => ShownValue | null;
}

const ROWS: Readonly<Record<SettingName, Row>> = {
  data_dir: { field: 'dataDir', value: ({ dataDir }) => dataDir },
  history_max_mb: { field: 'historyMaxMb', value: ({ historyMaxMb }) => historyMaxMb },
  host: { field: 'host', value: ({ host }) => host },
  port: { field: 'port', value: ({ port }) => port },
  ws_port: { field: 'wsPort', value: ({ wsPort }) => wsPort },
  https_port: { field: 'httpsPort', value: ({ httpsPort }) => httpsPort },
  https_redirect: { field: 'httpsRedirect', value: ({ httpsRedirect }) => httpsRedirect },
  automation_runs_per_minute: {
    field: 'automationRunsPerMinute',
    value: ({ automationRunsPerMinute }) => automationRunsPerMinute,
  },
  automation_late_minutes: {
    field: 'automationLateMinutes',
    value: ({ automationLateMinutes }) => automationLateMinutes,
  },
  oauth_refresh_grace_seconds: {
    field: 'oauthRefreshGraceSeconds',
    value: ({ oauthRefreshGraceSeconds }) => oauthRefreshGraceSeconds,
  },
  second_step_required_for: {
    field: 'secondStepRequiredFor',
    value: ({ secondStepRequiredFor }) => secondStepRequiredFor,
  },
  interface: { field: 'interfaces', value: ({ interfaces }) => interfaces },
  advertise: { field: 'advertise', value: ({ advertise }) => advertise },
  manual_device: { field: 'manualDevices', value: ({ manualDevices }) => manualDevices },
  log_level: { field: 'logLevel', value: ({ logLevel }) => logLevel },
  log_format: { field: 'logFormat', value: ({ logFormat }) => logFormat },
  public_url: { field: 'publicUrl', value: ({ publicUrl }) => publicUrl },
  trusted_proxy: { field: 'trustedProxies', value: ({ trustedProxies }) => trustedProxies },
  allowed_host: { field: 'allowedHosts', value: ({ allowedHosts }) => allowedHosts },
  allowed_origin: { field: 'allowedOrigins', value: ({ allowedOrigins }) => allowedOrigins },
  tls_cert: { field: 'tls', value: ({ tls }) => tls?.cert ?? null },
  tls_key: { field: 'tls', value: ({ tls }) => tls?.key ?? null },
  acme_directory: { field: 'acme', value: ({ acme }) => acme.directory },
  acme_dns_hook: { field: 'acme', value: ({ acme }) => acme.hook },
  acme_ca: { field: 'acme', value: ({ acme }) => acme.ca },
  webhooks_allow_loopback: {
    field: 'webhooksAllowLoopback',
    value: ({ webhooksAllowLoopback }) => webhooksAllowLoopback,
  },
  webhooks_public_only: { field: 'webhooksPublicOnly', value: ({ webhooksPublicOnly }) => webhooksPublicOnly },
  update_check: { field: 'updateCheck', value: ({ updateCheck }) => updateCheck },
  mqtt_url: { field: 'mqtt', value: ({ mqtt }) => mqtt?.host ?? null },
  mqtt_ca: { field: 'mqtt', value: ({ mqtt }) => mqtt?.ca ?? null },
  ntfy_url: { field: 'ntfy', value: ({ ntfy }) => ntfy?.url ?? null },
  ntfy_token: { field: 'ntfy', value: ({ ntfy }) => ntfy?.token ?? null },
  smtp_url: { field: 'email', value: ({ email }) => email?.smtpUrl ?? null },
  email_from: { field: 'email', value: ({ email }) => email?.from ?? null },
  email_to: { field: 'email', value: ({ email }) => email?.to ?? [] },
};

type Listener = (now: Config, before: Config) => void;

export class LiveConfig {
  /** The configuration without stored settings. */
  readonly #start: Config;
  readonly #reader: SettingsReader;
  readonly #listeners = new Set<Listener>();
  #stored: StoredWords = new Map();
  /** Stored settings that were invalid at the start, by the field that they produce. */
  #leftOut = new Map<keyof Config, { readonly words: StoredWords; readonly problems: readonly string[] }>();
  #current: Config;

  constructor(config: Config) {
    this.#start = config;
    this.#current = config;
    this.#reader = config.givenSettings ?? new SettingsReader({ dataDir: config.dataDir }, readEnvironment({}));
  }

  get current(): Config {
    return this.#current;
  }

  /** Called after each change. @returns a function that ends the subscription */
  onChange(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls the listener now, and after each change. @returns a function that ends the subscription */
  follow(listener: (now: Config) => void): () => void {
    listener(this.#current);
    return this.onChange(listener);
  }

  /** @returns a getter for a value derived from the configuration; it is recomputed after a change. */
  derive<T>(make: (config: Config) => T): () => T {
    let of: Config | undefined;
    let made: T;
    return () => {
      if (of !== this.#current) {
        of = this.#current;
        made = make(of);
      }
      return made;
    };
  }

  /**
   * Loads the stored settings at the start. It skips invalid ones, so that the daemon starts in any case, and ignores
   * settings of other versions.
   * @returns the problems, one sentence each.
   */
  restore(stored: ReadonlyMap<string, readonly string[]>): readonly string[] {
    const sound: [SettingName, readonly string[]][] = [];
    for (const [field, words] of groupsOf(stored)) {
      const problems = this.#problemsOf(words);
      if (problems.length === 0) sound.push(...words);
      else this.#leftOut.set(field, { words, problems });
    }
    this.#prepare(new Map(sound))();
    return this.problems;
  }

  /** The problems of the skipped settings, one sentence each, until they are set again. */
  get problems(): readonly string[] {
    return [...this.#leftOut.values()].flatMap(({ problems }) => problems);
  }

  /**
   * Validates new settings. A setting that was skipped at the start and is unchanged does not block the change.
   * @returns a function that applies them. @throws `ConfigError`
   */
  prepare(stored: ReadonlyMap<string, readonly string[]>): () => void {
    const groups = groupsOf(stored);
    const stillOut = [...this.#leftOut].filter(([field, { words }]) => isDeepStrictEqual(words, groups.get(field)));
    for (const [field] of stillOut) groups.delete(field);
    const apply = this.#prepare(new Map([...groups.values()].flatMap((words) => [...words])));
    return () => {
      this.#leftOut = new Map(stillOut);
      apply();
    };
  }

  #prepare(stored: StoredWords): () => void {
    const wanted = readConfig(this.#reader.withStored(stored));
    const fields = [...stored.keys()].filter((name) => !this.isFixed(name)).map((name) => ROWS[name].field);
    return () => {
      const before = this.#current;
      const wantedNow = { ...this.#start, ...Object.fromEntries(fields.map((field) => [field, wanted[field]])) };
      this.#stored = stored;
      this.#current = { ...wantedNow, ...unchanged(before, wantedNow) };
      for (const listener of [...this.#listeners]) listener(this.#current, before);
    };
  }

  #problemsOf(stored: StoredWords): readonly string[] {
    try {
      readConfig(this.#reader.withStored(stored));
      return [];
    } catch (error) {
      if (error instanceof ConfigError) return error.problems;
      throw error;
    }
  }

  /** Whether a flag, a variable or the file sets it. */
  isFixed(name: SettingName): boolean {
    return this.#reader.withStored(new Map()).isGiven(name);
  }

  /** All settings for display (`RelaySetting` of `app/settings`): of secrets only whether they are set. */
  list() {
    const reader = this.#reader.withStored(this.#stored);
    return SETTINGS.map((setting) => this.#show(setting, reader));
  }

  #show(setting: Setting, reader: SettingsReader) {
    const { name, list: isList, meaning, fallback } = setting;
    const isSecret = setting.isSecret ?? false;
    const value = ROWS[name].value(this.#current);
    return {
      name,
      kind: setting.kind ?? ('text' as const),
      isList,
      isSecret,
      isLive: setting.isLive ?? false,
      choices: setting.choices ?? null,
      meaning,
      fallback,
      value: isSecret ? null : value,
      isSet: Array.isArray(value) ? value.length > 0 : value !== null,
      ...reader.sourceOf(name),
      howToSet: howToSet(setting),
    };
  }
}

/**
 * Groups settings that form one value and are valid only together: an address and its token. Only settings that can
 * change at run time.
 */
function groupsOf(
  stored: ReadonlyMap<string, readonly string[]>,
): Map<keyof Config, Map<SettingName, readonly string[]>> {
  const groups = new Map<keyof Config, Map<SettingName, readonly string[]>>();
  for (const { name, isLive } of SETTINGS) {
    const words = isLive ? stored.get(name) : undefined;
    if (!words) continue;
    const { field } = ROWS[name];
    groups.set(field, (groups.get(field) ?? new Map()).set(name, words));
  }
  return groups;
}

/** Keeps equal values as the same object, so that a caller can detect a change of one field. */
function unchanged(before: Config, now: Config): Partial<Config> {
  const fields = Object.keys(now) as (keyof Config)[];
  const same = fields.filter((field) => isDeepStrictEqual(before[field], now[field]));
  return Object.fromEntries(same.map((field) => [field, before[field]]));
}

/** The end of the sentence "Set it with". */
function howToSet({ name, isSecret }: Setting): string {
  const places = [...(isSecret ? [] : [flagOf(name)]), variableOf(name), `${name} in the configuration file`];
  return `${places.slice(0, -1).join(', ')} or ${places.at(-1)}`;
}
