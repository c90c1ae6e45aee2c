/**
 * Rendered accessories, for GET /rest/accessories. Each is rendered again only when something of it changed, so that a
 * list costs little while one sensor reports; a list of which nothing changed is the same bytes.
 */
import type { Accessory } from '../../home/model.ts';
import { type AccessoryPresentation, presentAccessory } from '../present/accessory.ts';
import { CachedState, StateCache } from './state-cache.ts';

/** Filters × sets of visible homes; one list of a large home has megabytes. */
const MAX_LISTS = 4;

interface Entry {
  readonly revision: number;
  readonly json: string;
  /** The accessory as a response of its own; created when one asks for it. */
  response?: CachedState;
}

export class RenderedAccessories {
  readonly #deps: AccessoryPresentation;
  readonly #entries = new WeakMap<Accessory, Entry>();
  readonly #lists = new StateCache(MAX_LISTS);

  constructor(deps: AccessoryPresentation) {
    this.#deps = deps;
  }

  one(accessory: Accessory): CachedState {
    const entry = this.#entry(accessory);
    entry.response ??= new CachedState(entry);
    return entry.response;
  }

  /**
   * @param key what decides which accessories are in it, beside the home's state.
   * @param find called where the list has to be rendered.
   */
  list(key: string, find: () => readonly Accessory[]): CachedState {
    return this.#lists.get(key, this.#deps.state.revision, () => {
      const found = find();
      const json = `[${found.map((accessory) => this.#entry(accessory).json).join(',')}]`;
      return { json, expires: found.some((accessory) => this.#changesByItself(accessory)) };
    });
  }

  #entry(accessory: Accessory): Entry {
    const revision = this.#deps.state.revisionOf(accessory.id);
    const known = this.#entries.get(accessory);
    if (known?.revision === revision) return known;
    const entry = { revision, json: JSON.stringify(presentAccessory(accessory, this.#deps)) };
    if (!this.#changesByItself(accessory)) this.#entries.set(accessory, entry);
    return entry;
  }

  /** A timer that runs: what remains of it is other in each response. */
  #changesByItself(accessory: Accessory): boolean {
    return accessory.virtual !== null && this.#deps.virtuals.describe(accessory)?.timer?.status === 'active';
  }
}
