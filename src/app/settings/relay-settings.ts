/**
 * The settings of the daemon as operations: what holds, who said so, and changing those that need no restart. What a setting is and what its
 * words mean the configuration knows (`LiveSettings`); parts learn of changes from there. Not what clients keep for a person: that is
 * `users/user-settings.ts`.
 */
import type { HomeEvents } from '../../home/events.ts';
import type { HomeState } from '../../home/home-state.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { EventBus } from '../../kernel/event-bus.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Access } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import type { RelaySettingStore, SettingWords } from './relay-setting-store.ts';

/** A setting as it may be shown. */
export interface RelaySetting {
  /** As in the configuration file: `log_level`. */
  readonly name: string;
  readonly kind: 'text' | 'number' | 'switch' | 'choice';
  readonly isList: boolean;
  readonly isSecret: boolean;
  /** Whether it may be changed while the daemon runs. */
  readonly isLive: boolean;
  readonly choices: readonly string[] | null;
  /** One line for people. */
  readonly meaning: string;
  /** The default, as text for people. */
  readonly fallback: string;
  /** What holds now; `null` where nothing is set, and always for a secret. */
  readonly value: string | number | boolean | readonly string[] | null;
  readonly isSet: boolean;
  /** `stored`: it was set here. */
  readonly source: 'flag' | 'environment' | 'file' | 'stored' | 'default';
  /** `--port`, `HEARTHD_PORT` or the path of the file, where one of them says it: then it can't be changed here. */
  readonly setBy: string | null;
  /** Completes "Set it with". */
  readonly howToSet: string;
}

/** What of the configuration changes while the daemon runs. */
export interface LiveSettings {
  list(): readonly RelaySetting[];
  /** Checks what is to hold from now on. @returns what makes it hold. @throws `invalid_value`, a line for each problem */
  prepare(stored: SettingWords): () => void;
}

interface Parts {
  readonly store: RelaySettingStore;
  readonly settings: LiveSettings;
  readonly state: HomeState;
  readonly access: Access;
  readonly bus: EventBus<HomeEvents>;
  readonly logger: Logger;
}

/** Longer than any address, token or list that makes sense. */
const LONGEST_WORD = 2_048;
const MOST_WORDS = 200;

export class RelaySettings {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** All settings, by subject. For who owns every home, signed in, and the system. @throws `insufficient_permissions` */
  list(caller: Caller): readonly RelaySetting[] {
    this.#parts.access.authorizeRelay(caller, this.#parts.state.homes());
    return this.#parts.settings.list();
  }

  /**
   * Changes settings, all of them or none; they hold at once and over restarts. For the same: some of them open doors, so that nothing which
   * acts for a person may change them.
   * @param changes values by name, a list for what may be given several times; `null` takes away what was set here.
   * @returns all settings as they are now.
   * @throws `insufficient_permissions` · `invalid_value` naming the setting · `conflict` it is said where the daemon is started, or needs a
   *         restart: the sentence says where to change it
   */
  update(caller: Caller, changes: unknown): readonly RelaySetting[] {
    const { access, state, store, settings, bus, logger } = this.#parts;
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
    store.save(wanted);
    apply();
    // Never the values: some are secrets.
    logger.info({ settings: names }, 'Settings were changed');
    bus.emit('relay.settings_changed', {});
    return settings.list();
  }

  #changeable(name: string): RelaySetting {
    const setting = this.#parts.settings.list().find((one) => one.name === name);
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
      return this.#parts.settings.prepare(wanted);
    } catch (error) {
      if (!(error instanceof HearthError)) throw error;
      const [field = ''] = error.message.split(':');
      // What nobody gave is missing beside something that was given.
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
  const isFit = words.length <= MOST_WORDS && (isList || !Array.isArray(value));
  if (isFit && words.every(isWord)) return words.map(String);
  const expected = isList ? `a list of at most ${MOST_WORDS} texts` : 'a text, a number, true or false';
  throw new HearthError('invalid_value', `Invalid value for ${name}: give ${expected}, or null.`, {
    reason: 'bad_setting',
    field: name,
  });
}

function isWord(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= LONGEST_WORD;
  return typeof value === 'number' || typeof value === 'boolean';
}
