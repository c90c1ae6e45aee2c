/**
 * Client settings of a user (wire-facts §10.5): a JSON object that clients define, including Developer Mode. The relay
 * reads only `developerMode`.
 */
import type { HomeEvents } from '../../home/events.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { EventBus } from '../../kernel/event-bus.ts';
import type { UnknownRecord } from '../../kernel/json.ts';
import type { Developers } from '../access/access-tokens.ts';
import { insufficientPermissions, requireSession } from '../access/authorize.ts';
import { type Caller, ownerOf } from '../access/caller.ts';
import type { UserStore } from './user-store.ts';

/** Enough for the layouts of many screens. */
const MAX_BYTES = 65_536;

/** The maximum nesting, more than any layout has: serializing recurses as deep as the value. */
const MAX_DEPTH = 32;

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
  get(caller: Caller): UnknownRecord {
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
  update(caller: Caller, data: unknown): UnknownRecord {
    const userId = requireSession(caller);
    if (typeof data !== 'object' || data === null || Array.isArray(data)) throw invalid('an object');
    const changes = new Map<string, unknown>(Object.entries(data));
    const developerMode = changes.get('developerMode') ?? false;
    if (typeof developerMode !== 'boolean') throw invalid('developerMode as true or false');
    const merged = new Map([...Object.entries(this.#read(userId)), ...changes]);
    const kept = Object.fromEntries([...merged].filter(([, value]) => value !== null && value !== undefined));
    if (isDeeper(kept, MAX_DEPTH)) throw invalid(`at most ${MAX_DEPTH} objects and lists inside each other`);
    const text = JSON.stringify(kept);
    if (Buffer.byteLength(text) > MAX_BYTES) throw invalid(`at most ${MAX_BYTES} bytes of JSON`);
    this.#store.setSettings(userId, text);
    this.#bus.emit('settings.changed', { userId });
    return this.#read(userId);
  }

  isDeveloper(userId: string): boolean {
    return this.#read(userId).developerMode === true;
  }

  #read(userId: string): UnknownRecord {
    return { developerMode: false, ...parseStored(this.#store.settingsOf(userId)) };
  }
}

/** Stops at that depth, so that deep input can't overflow the stack. */
function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
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

function invalid(expected: string): HearthError {
  return new HearthError('invalid_value', `Invalid value for data: give ${expected}.`, { field: 'data' });
}
