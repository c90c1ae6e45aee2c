/**
 * Collects the words of each setting with their sources, and every problem. Precedence: flags, environment variables,
 * the file, settings stored at run time. `config.ts` builds the configuration from it.
 */
import { dirname, join, resolve } from 'node:path';
import { HearthError, messageOf } from '../kernel/errors.ts';
import { nearest } from '../kernel/nearest.ts';
import { readConfigFile } from './config-file.ts';
import type { Environment } from './env.ts';
import type { Setting, SettingName, SettingValues } from './setting.ts';
import { BadValue, MAX_PORT } from './setting-words.ts';
import { DEFAULT_PORT, flagOf, SETTINGS, VARIABLE_PREFIX, variableOf } from './settings.ts';

type Camel<S extends string> = S extends `${infer A}_${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S;

/** Flags as commander parses them: `--log-level` is `logLevel`, a repeatable one is an array. */
export type ConfigFlags = {
  readonly [N in SettingName as Camel<N>]?: string | number | readonly string[] | undefined;
} & { readonly config?: string | undefined };

/** The MQTT broker that publishes every home; `ca` is the absolute path of a PEM file. */
export interface ConfiguredMqtt {
  readonly host: string;
  readonly port: number;
  readonly username: string | null;
  readonly password: string | null;
  readonly useTls: boolean;
  readonly ca: string | null;
}

/** The ntfy topic for push notifications. */
export interface ConfiguredNtfy {
  readonly url: string;
  readonly token: string | null;
}

/** The mail server (`smtp:` or `smtps:`) and the recipients. */
export interface ConfiguredEmail {
  readonly smtpUrl: string;
  readonly from: string;
  readonly to: readonly string[];
}

/** Words of the settings that were set at run time, as given. */
export type StoredWords = ReadonlyMap<SettingName, readonly string[]>;

/** The source of a setting; the first one in this order wins. */
export type SettingSource = 'flag' | 'environment' | 'file' | 'stored' | 'default';

/** The default configuration file. */
export const CONFIG_FILE = 'hearthd.toml';

/** As registered with IANA. */
const MQTT_PORT = 1883;
const MQTTS_PORT = 8883;
const EMAIL_SETTINGS = ['smtp_url', 'email_from', 'email_to'] as const;
const KNOWN_VARIABLES = ['HEARTHD_CONFIG', ...SETTINGS.map(({ name }) => variableOf(name))];

/** All problems of the configuration, one line each. */
export class ConfigError extends HearthError {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super('invalid_value', problems.join('\n'));
    this.problems = problems;
  }
}

/** One word for a setting, and its source. */
interface GivenSetting {
  readonly raw: unknown;
  readonly source: SettingSource;
  /** As in "from --port". */
  readonly origin: string;
  readonly folder: string;
}

export class SettingsReader {
  readonly problems: string[] = [];
  readonly #flags: ConfigFlags;
  readonly #environment: Environment;
  readonly #stored: StoredWords;
  #file: { readonly path: string; readonly values: ReadonlyMap<string, unknown> } | undefined;

  constructor(flags: ConfigFlags, environment: Environment, stored: StoredWords = new Map()) {
    this.#flags = flags;
    this.#environment = environment;
    this.#stored = stored;
  }

  /** A copy with the same words but other stored ones; it has its own list of problems. */
  withStored(stored: StoredWords): SettingsReader {
    const reader = new SettingsReader(this.#flags, this.#environment, stored);
    reader.#file = this.#file;
    return reader;
  }

  /**
   * Rejects mistyped variables, which would otherwise silently do nothing. Variables that resemble no setting are
   * ignored: other programs use the environment too (an orchestrator announces a service of this name as
   * `HEARTHD_SERVICE_HOST`).
   */
  refuseMistypedVariables(): void {
    for (const name of this.#environment.hearthd.keys()) {
      const meant = KNOWN_VARIABLES.includes(name) ? undefined : nearestVariable(name);
      if (meant) this.problems.push(`${name}: there is no such setting (environment). Did you mean ${meant}?`);
    }
  }

  /** Opens the given file, otherwise the one in the data directory if it exists. */
  openFile(): void {
    if (this.openNamedFile()) return;
    this.#read(join(this.#dataDirWithoutFile(), CONFIG_FILE));
    this.#checkFileKeys(true);
  }

  /** @returns whether a file is given at all. */
  openNamedFile(): boolean {
    const named = this.#flags.config ?? this.#environment.hearthd.get('HEARTHD_CONFIG');
    if (named === undefined) return false;
    if (!this.#read(resolve(named))) {
      const origin = this.#flags.config === undefined ? 'HEARTHD_CONFIG' : '--config';
      this.#report(`config: '${named}' from ${origin} does not exist. Give the path of a TOML file, or leave it out.`);
    }
    this.#checkFileKeys(false);
    return true;
  }

  /** @returns `false` if the file does not exist. An invalid file is added to the problems. */
  #read(path: string): boolean {
    try {
      const values = readConfigFile(path);
      if (values) this.#file = { path, values };
      return values !== undefined;
    } catch (error) {
      this.#report(messageOf(error));
      return true;
    }
  }

  #checkFileKeys(insideDataDir: boolean): void {
    const names = SETTINGS.map(({ name }) => name as string);
    for (const key of this.#file?.values.keys() ?? []) {
      if (!names.includes(key)) {
        this.problems.push(
          `${key}: there is no such setting (${this.#file?.path}). ${remedy(key, names, 'remove the line')}`,
        );
      } else if (key === 'data_dir' && insideDataDir) {
        this.problems.push(
          `data_dir: can't be set in ${this.#file?.path}, which is found through it. Use --data-dir or HEARTHD_DATA_DIR.`,
        );
      }
    }
  }

  /** Whether any source sets it, valid or not. */
  isGiven(name: SettingName): boolean {
    return this.#given(name) !== undefined;
  }

  /**
   * The source of the setting, and its position as a word: `--port`, `HEARTHD_PORT`, the path of a file; `null` if the
   * source needs no position.
   */
  sourceOf(name: SettingName): { readonly source: SettingSource; readonly setBy: string | null } {
    const given = this.#given(name);
    if (!given) return { source: 'default', setBy: null };
    const { source, origin } = given;
    if (source === 'stored') return { source, setBy: null };
    return { source, setBy: source === 'file' ? (this.#file?.path ?? null) : origin };
  }

  /** @returns `undefined` if it is not set or invalid (then it is among the problems). */
  value<N extends SettingName>(name: N): SettingValues[N] | undefined {
    const setting = SETTINGS.find((candidate) => candidate.name === name);
    const given = this.#given(name);
    if (!setting || !given) return undefined;
    const words = wordsOf(given, setting);
    if (typeof words === 'string') {
      this.#report(`${name}: ${words}`);
      return undefined;
    }
    const values = words.flatMap((word) => this.#parse(setting, word, given));
    const wanted = setting.list ? [...new Set(values)] : values[0];
    return wanted as SettingValues[N] | undefined;
  }

  /** @param choose selects between the user's default directory and another one. */
  dataDir(choose: (own: string) => string = (own) => own): string {
    return this.value('data_dir') ?? this.#environment.stateDirectory ?? choose(this.#ownDataDir());
  }

  /**
   * By default the port after the HTTP port, which existing clients expect (decisions §1); any free port if the HTTP
   * port is picked too.
   */
  wsPort(): number {
    const port = this.value('port') ?? DEFAULT_PORT;
    const wsPort = this.value('ws_port') ?? (port === 0 ? 0 : port + 1);
    if (wsPort !== 0 && wsPort === port)
      this.#report('ws_port: the same as port. Give WebSockets a port of their own.');
    if (wsPort > MAX_PORT) this.#report(`ws_port: not set, and there is no port after ${port}: set it as well.`);
    return wsPort;
  }

  /** By default the port after that of WebSockets, as far as there is one. */
  httpsPort(): number {
    const port = this.value('port') ?? DEFAULT_PORT;
    const wsPort = this.value('ws_port');
    const given = this.value('https_port');
    if (given !== undefined && given !== 0 && (given === port || given === (wsPort ?? port + 1))) {
      this.#report('https_port: the same as port or ws_port. Give https a port of its own.');
    }
    const usual = wsPort === port + 2 ? port + 1 : port + 2;
    return given ?? (port === 0 || usual > MAX_PORT ? 0 : usual);
  }

  mqtt(): ConfiguredMqtt | null {
    const word = this.value('mqtt_url');
    const ca = this.value('mqtt_ca') ?? null;
    if (ca !== null) this.#require(['mqtt_url'], 'mqtt_ca is. A certificate needs its broker');
    if (word === undefined) return null;
    const { protocol, hostname, port, username, password } = new URL(word);
    const useTls = protocol === 'mqtts:';
    if (ca !== null && !useTls) this.#report('mqtt_ca: of use with TLS only. Let mqtt_url begin with mqtts://.');
    return {
      host: hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase(),
      port: port === '' ? (useTls ? MQTTS_PORT : MQTT_PORT) : Number(port),
      username: decodeURIComponent(username) || null,
      password: decodeURIComponent(password) || null,
      useTls,
      ca,
    };
  }

  ntfy(): ConfiguredNtfy | null {
    const url = this.value('ntfy_url');
    const token = this.value('ntfy_token');
    if (token !== undefined) this.#require(['ntfy_url'], 'ntfy_token is. A token needs its topic');
    return url === undefined ? null : { url, token: token ?? null };
  }

  email(): ConfiguredEmail | null {
    const smtpUrl = this.value('smtp_url');
    const from = this.value('email_from');
    const to = this.value('email_to');
    const given = EMAIL_SETTINGS.find((name) => this.isGiven(name));
    if (given) this.#require(EMAIL_SETTINGS, `${given} is. E-mail needs ${EMAIL_SETTINGS.join(', ')}`);
    return smtpUrl === undefined || from === undefined || to === undefined || to.length === 0
      ? null
      : { smtpUrl, from, to };
  }

  /** @param because the end of "…: not set, but" */
  #require(names: readonly SettingName[], because: string): void {
    for (const name of names)
      if (!this.isGiven(name)) this.#report(`${name}: not set, but ${because}: set it as well.`);
  }

  #dataDirWithoutFile(): string {
    // The final read of the setting reports its problems.
    const before = this.problems.length;
    const path = this.dataDir();
    this.problems.length = before;
    return path;
  }

  #ownDataDir(): string {
    const { xdgDataHome, home } = this.#environment;
    if (xdgDataHome) return join(xdgDataHome, 'hearthd');
    if (home) return join(home, '.local', 'share', 'hearthd');
    this.#report('data_dir: not set, and there is no HOME to keep it in. Give --data-dir or HEARTHD_DATA_DIR.');
    return resolve('hearthd-data');
  }

  #given(name: SettingName): GivenSetting | undefined {
    const flag = this.#flags[camelOf(name) as keyof ConfigFlags];
    const folder = process.cwd();
    if (flag !== undefined && !(Array.isArray(flag) && flag.length === 0)) {
      return { raw: flag, source: 'flag', origin: flagOf(name), folder };
    }
    const variable = this.#environment.hearthd.get(variableOf(name));
    if (variable !== undefined) return { raw: variable, source: 'environment', origin: variableOf(name), folder };
    const file = this.#file;
    if (file?.values.has(name)) {
      const origin = `${name} in ${file.path}`;
      return { raw: file.values.get(name), source: 'file', origin, folder: dirname(file.path) };
    }
    const stored = this.#stored.get(name);
    return stored && { raw: stored, source: 'stored', origin: 'what was set', folder };
  }

  #parse(setting: Setting, word: string, given: GivenSetting): (string | number | boolean)[] {
    try {
      return [setting.parse(word, given.folder)];
    } catch (error) {
      if (!(error instanceof BadValue)) throw error;
      const shown = setting.isSecret ? '…' : word;
      // The user who stores a setting knows its source.
      const from = given.source === 'stored' ? '' : ` from ${given.origin}`;
      this.#report(`${setting.name}: '${shown}'${from} ${error.reason}. ${error.fix}`);
      return [];
    }
  }

  #report(problem: string): void {
    if (!this.problems.includes(problem)) this.problems.push(problem);
  }
}

/**
 * The words of a setting, or a sentence that explains why they are invalid. A variable separates several words by
 * commas.
 */
function wordsOf({ raw, source, origin }: GivenSetting, { list, kind: wanted }: Setting): readonly string[] | string {
  const isSwitch = wanted === 'switch';
  const values: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
  if (Array.isArray(raw) && !list && source !== 'stored')
    return `a list from ${origin} where one value belongs. Give a single value.`;
  const kinds = isSwitch ? ['string', 'boolean'] : ['string', 'number'];
  if (!values.every((value) => kinds.includes(typeof value))) {
    const kind = list ? 'a text or a list of texts' : isSwitch ? 'true or false' : 'a text or a number';
    return `the value from ${origin} is of the wrong kind. Give ${kind}.`;
  }
  const words = values.map(String);
  if (!list) return words;
  return words
    .flatMap((word) => word.split(','))
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

function camelOf(name: string): string {
  return name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

function remedy(word: string, known: readonly string[], otherwise: string): string {
  const meant = nearest(word, known);
  return meant ? `Did you mean ${meant}?` : `Known are ${known.join(', ')}; or ${otherwise}.`;
}

/** Compares only the part after the prefix, because all variables share the prefix. */
function nearestVariable(name: string): string | undefined {
  const meant = nearest(name.slice(VARIABLE_PREFIX.length), ['config', ...SETTINGS.map((setting) => setting.name)]);
  return meant && variableOf(meant);
}
