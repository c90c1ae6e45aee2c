/**
 * What clients keep for a person (wire-facts §10.5): a JSON object of their own making, Developer Mode in it. Nothing of it is
 * understood here but `developerMode`.
 */
import type { HomeEvents } from '../../home/events.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { EventBus } from '../../kernel/event-bus.ts';
import type { Developers } from '../access/access-tokens.ts';
import { insufficientPermissions, requireSession } from '../access/authorize.ts';
import { type Caller, ownerOf } from '../access/caller.ts';
import type { UserStore } from './user-store.ts';

/** Layouts of many screens; more is not settings. */
const MAX_BYTES = 65_536;

/** Objects and lists inside each other, more than any layout has: what writes them as a text goes as deep as they do. */
const MAX_DEPTH = 32;

export type JsonObject = Readonly<Record<string, unknown>>;

export class UserSettings implements Developers {
  readonly #store: Pick<UserStore, 'settingsOf' | 'setSettings'>;
  readonly #bus: EventBus<HomeEvents>;

  constructor({ store, bus }: { store: Pick<UserStore, 'settingsOf' | 'setSettings'>; bus: EventBus<HomeEvents> }) {
    this.#store = store;
    this.#bus = bus;
  }

  /** The settings of the caller's person, `developerMode` always among them. @throws `insufficient_permissions` it acts for nobody */
  get(caller: Caller): JsonObject {
    const userId = ownerOf(caller);
    if (typeof userId !== 'string') throw insufficientPermissions();
    return this.#read(userId);
  }

  /**
   * Replaces the keys that are given; `null` removes one. For whoever is signed in: what acts for a person does not switch on
   * Developer Mode for them.
   * @returns all settings. @throws `insufficient_permissions` · `invalid_value` no object, `developerMode` not boolean, too much or too deep
   */
  update(caller: Caller, data: unknown): JsonObject {
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

  #read(userId: string): JsonObject {
    return { developerMode: false, ...parseStored(this.#store.settingsOf(userId)) };
  }
}

/** Looks no deeper than that, so that no depth is too much for the stack. */
function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}

/** What a damaged disk has made unreadable is nothing. */
function parseStored(text = '{}'): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
  } catch {
    return {};
  }
}

function invalid(expected: string): HearthError {
  return new HearthError('invalid_value', `Invalid value for data: give ${expected}.`, { field: 'data' });
}
