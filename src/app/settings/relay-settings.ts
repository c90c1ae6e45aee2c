/**
 * The daemon's settings as operations: list them with their values and sources, and change those that need no restart.
 * The configuration (`LiveSettings`) defines and parses settings and notifies modules of changes. Clients' settings of
 * a user are in `users/user-settings.ts`.
 */
import type { RelaySetting } from '../../contract/relay.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { AppDeps } from '../access/app-deps.ts';
import type { Caller } from '../access/caller.ts';
import type { RelaySettingStore, SettingWords } from './relay-setting-store.ts';

/** The part of the configuration that changes while the daemon runs. */
export interface LiveSettings {
  list(): readonly RelaySetting[];
  /**
   * Validates the new settings.
   * @returns the function that applies them.
   * @throws `invalid_value`, a line for each problem
   */
  prepare(stored: SettingWords): () => void;
}

interface Deps extends AppDeps<'state' | 'access' | 'bus' | 'logger'> {
  readonly store: RelaySettingStore;
  readonly settings: LiveSettings;
  /** Whether the https port is open. */
  readonly isHttpsServed: () => boolean;
}

/** Longer than any reasonable address, token or list. */
const MAX_WORD_LENGTH = 2_048;
const MAX_WORDS = 200;

export class RelaySettings {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * All settings, by subject. Requires a signed-in owner of every home, or the system.
   * @throws `insufficient_permissions`
   */
  list(caller: Caller): readonly RelaySetting[] {
    this.#deps.access.authorizeRelay(caller, this.#deps.state.homes());
    return this.#deps.settings.list();
  }

  /**
   * Changes settings atomically; they apply at once and persist. Permissions as `list`: some settings open access, so a
   * token that acts for a user must not change them.
   * @param changes values by name, a list for settings with several values; `null` removes the value set here.
   * @returns all settings after the change.
   * @throws `insufficient_permissions` · `invalid_value` naming the setting · `conflict` it is set where the daemon is
   *         started, or needs a restart: the error states where to change it; or it needs https, which is off
   */
  update(caller: Caller, changes: unknown): readonly RelaySetting[] {
    const { access, state, store, settings, bus, logger } = this.#deps;
    access.authorizeRelay(caller, state.homes());
    const wanted = new Map(store.load());
    const names: string[] = [];
    for (const [name, value] of entriesOf(changes)) {
      const setting = this.#changeable(name);
      if (value === null) wanted.delete(name);
      else wanted.set(name, parseWords(setting, value));
      names.push(name);
    }
    const apply = this.#prepare(wanted);
    if (names.includes('https_redirect')) this.#requireHttps(wanted);
    store.save(wanted);
    apply();
    // Values are not logged: some are secrets.
    logger.info({ settings: names }, 'Changed settings');
    bus.emit('relay.settings_changed', {});
    return settings.list();
  }

  /** While nothing answers with https, other devices could not reach the relay any more. */
  #requireHttps(wanted: SettingWords): void {
    const isWanted = wanted.get('https_redirect')?.[0]?.toLowerCase() === 'true';
    if (!isWanted || this.#deps.isHttpsServed()) return;
    const sentence = 'Https is off, so http can’t lead to it. Turn https on first: hearthd https on';
    throw new HearthError('conflict', sentence, { reason: 'https_needed', field: 'https_redirect' });
  }

  #changeable(name: string): RelaySetting {
    const setting = this.#deps.settings.list().find((one) => one.name === name);
    if (!setting) {
      throw new HearthError('invalid_value', `There is no setting "${name.slice(0, 80)}".`, { field: name });
    }
    if (!setting.isLive) {
      const sentence = `${name} holds from the start on: set it with ${setting.howToSet}, and restart hearthd.`;
      throw new HearthError('conflict', sentence, { reason: 'needs_restart', field: name });
    }
    if (setting.setBy === null) return setting;
    const sentence = `${name} is set by ${setting.setBy}, which wins over what is set here: change it there and restart hearthd, or take it out there.`;
    throw new HearthError('conflict', sentence, { reason: 'set_elsewhere', field: name });
  }

  #prepare(wanted: SettingWords): () => void {
    try {
      return this.#deps.settings.prepare(wanted);
    } catch (error) {
      if (!(error instanceof HearthError)) throw error;
      const [field = ''] = error.message.split(':');
      // A setting that is missing but required by one that was given.
      const reason = wanted.has(field) ? 'bad_setting' : 'needed_too';
      throw new HearthError('invalid_value', error.message.replaceAll('\n', ' '), { reason, field });
    }
  }
}

function entriesOf(changes: unknown): readonly [string, unknown][] {
  if (typeof changes === 'object' && changes !== null && !Array.isArray(changes)) return Object.entries(changes);
  throw new HearthError('invalid_value', 'Invalid value for settings: give an object of values by name.', {
    field: 'settings',
  });
}

function parseWords({ name, isList }: RelaySetting, value: unknown): readonly string[] {
  const words: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isFit = words.length <= MAX_WORDS && (isList || !Array.isArray(value));
  if (isFit && words.every(isWord)) return words.map(String);
  const expected = isList ? `a list of at most ${MAX_WORDS} texts` : 'a text, a number, true or false';
  throw new HearthError('invalid_value', `Invalid value for ${name}: give ${expected}, or null.`, {
    reason: 'bad_setting',
    field: name,
  });
}

function isWord(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= MAX_WORD_LENGTH;
  return typeof value === 'number' || typeof value === 'boolean';
}
