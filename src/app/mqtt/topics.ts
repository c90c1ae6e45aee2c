/**
 * MQTT topics of things (wire-facts §11.3). They differ from the keys of REST: `Kitchen "Lamp" #2` becomes
 * `kitchen-lamp-2-1a2b`. No name can break a topic: only letters and numbers are kept; wildcards, slashes and control
 * characters are dropped.
 */
import type { ThingTopics } from './published-thing.ts';

const NOT_IN_SLUG = /[^\p{L}\p{M}\p{N}-]/gu;

/** Number of hex digits of the id at the end of a slug: as few as make it unique among its siblings. */
const DIGITS: readonly number[] = [4, 8, 32];

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The first hex digits of a UUID. */
export function hexOf(id: string, digits: number): string {
  return id.replaceAll('-', '').slice(0, digits).toLowerCase();
}

/** Lower case, blanks as dashes, then the first digits of the id; only the digits if nothing is left of the name. */
export function mqttSlug({ id, name }: Named, digits = 4): string {
  const words = name.normalize('NFC').trim().toLowerCase().replace(/\s/gu, '-').replace(NOT_IN_SLUG, '');
  return words === '' ? hexOf(id, digits) : `${words}-${hexOf(id, digits)}`;
}

/**
 * Unique slugs by id. If two would be equal, the one with the greater id gets more digits. The result does not depend
 * on the order of the items.
 * @param taken slugs already in use beside them; the new ones are added.
 */
export function slugsOf(items: readonly Named[], taken = new Set<string>()): ReadonlyMap<string, string> {
  const slugs = new Map<string, string>();
  for (const item of [...items].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const choices = DIGITS.map((digits) => mqttSlug(item, digits));
    const slug = choices.find((choice) => !taken.has(choice)) ?? item.id;
    taken.add(slug);
    slugs.set(item.id, slug);
  }
  return slugs;
}

/** The topics of a home and of everything in it. */
export class HomeTopics {
  readonly #base: string;

  /** @param prefix the broker's topic prefix, without leading or trailing slash. */
  constructor(prefix: string, homeSlug: string) {
    this.#base = `${prefix}/${homeSlug}`;
  }

  /** Retained; also the topic of the connection's will. */
  get status(): string {
    return `${this.#base}/status`;
  }

  /** Errors of commands that match nothing in this home, one sentence each. */
  get error(): string {
    return `${this.#base}/error`;
  }

  /** Subscribed topics. None of them is published here, so the relay never receives its own messages. */
  get commands(): readonly string[] {
    const settings = [1, 2, 3].map((levels) => `${this.#base}/${'+/'.repeat(levels)}set`);
    return [...settings, `${this.#base}/scene/+/execute`];
  }

  /** @param roomSlug `undefined` if the thing is in no room. */
  thing(roomSlug: string | undefined, slug: string, isGroup: boolean): ThingTopics {
    const state = [this.#base, ...(roomSlug === undefined ? [] : [roomSlug]), slug].join('/');
    return {
      state,
      set: `${state}/set`,
      availability: `${state}/availability`,
      event: `${state}/event`,
      error: `${state}/error`,
      members: isGroup ? `${state}/members` : null,
    };
  }

  scene(slug: string): { readonly execute: string; readonly error: string } {
    return { execute: `${this.#base}/scene/${slug}/execute`, error: `${this.#base}/scene/${slug}/error` };
  }
}
