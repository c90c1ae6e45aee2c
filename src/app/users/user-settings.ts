/**
 * Client settings of a user (wire-facts §10.5): a JSON object that clients define, including Developer Mode. The relay
 * reads only `developerMode`.
 */
import { parseInput } from '../../contract/parse.ts';
import { type Settings, SettingsInput, StoredSettings } from '../../contract/settings.ts';
import type { HomeEvents } from '../../home/events.ts';
import type { EventBus } from '../../kernel/event-bus.ts';
import type { UnknownRecord } from '../../kernel/json.ts';
import type { Developers } from '../access/access-tokens.ts';
import { insufficientPermissions, requireSession } from '../access/authorize.ts';
import { type Caller, ownerOf } from '../access/caller.ts';
import type { UserStore } from './user-store.ts';

export class UserSettings implements Developers {
  readonly #store: Pick<UserStore, 'settingsOf' | 'setSettings'>;
  readonly #bus: EventBus<HomeEvents>;

  constructor({ store, bus }: { store: Pick<UserStore, 'settingsOf' | 'setSettings'>; bus: EventBus<HomeEvents> }) {
    this.#store = store;
    this.#bus = bus;
  }

  /**
   * Returns the settings of the caller's user, always with `developerMode`. @throws `insufficient_permissions` the
   * caller acts for no user
   */
  get(caller: Caller): Settings {
    const userId = ownerOf(caller);
    if (typeof userId !== 'string') throw insufficientPermissions();
    return this.#read(userId);
  }

  /**
   * Replaces the given keys; `null` removes one. For signed-in users: a caller that acts for a user can't switch on
   * Developer Mode.
   * @returns all settings.
   * @throws `insufficient_permissions` · `invalid_value` no object, `developerMode` not boolean, too large or too deep
   */
  update(caller: Caller, data: unknown): Settings {
    const userId = requireSession(caller);
    parseInput(SettingsInput, { data });
    // As it was sent: parsing drops a key `__proto__`.
    const merged = new Map([...Object.entries(this.#read(userId)), ...Object.entries(data as object)]);
    const kept = Object.fromEntries([...merged].filter(([, value]) => value !== null && value !== undefined));
    parseInput(StoredSettings, { data: kept });
    this.#store.setSettings(userId, JSON.stringify(kept));
    this.#bus.emit('settings.changed', { userId });
    return this.#read(userId);
  }

  isDeveloper(userId: string): boolean {
    return this.#read(userId).developerMode === true;
  }

  /** That the person chose in the dashboard, as any client wrote it. */
  languageOf(userId: string): string | undefined {
    const preferences = this.#read(userId)['dashboard.preferences'] as { language?: unknown } | null | undefined;
    const language = preferences?.language;
    return typeof language === 'string' ? language : undefined;
  }

  #read(userId: string): Settings {
    return { developerMode: false, ...parseStored(this.#store.settingsOf(userId)) };
  }
}

/** Unreadable settings (a damaged disk) become empty. */
function parseStored(text = '{}'): UnknownRecord {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as UnknownRecord) : {};
  } catch {
    return {};
  }
}
