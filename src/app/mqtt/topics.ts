/**
 * What things are called on a broker (wire-facts §11.3). Not the keys of REST: `Kitchen "Lamp" #2` becomes `kitchen-lamp-2-1a2b`. No name
 * can break a topic: wildcards, slashes and control characters are dropped with everything else that is no letter and no number.
 */
import type { ThingTopics } from './published-thing.ts';

const NOT_IN_SLUG = /[^\p{L}\p{M}\p{N}-]/gu;

/** Hex digits of the id at the end of a slug: as few as keep it apart from its neighbours. */
const DIGITS: readonly number[] = [4, 8, 32];

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The first hex digits of a UUID. */
export function hexOf(id: string, digits: number): string {
  return id.replaceAll('-', '').slice(0, digits).toLowerCase();
}

/** Lower case, blanks as dashes, then the first digits of the id; the digits alone where nothing is left of the name. */
export function mqttSlug({ id, name }: Named, digits = 4): string {
  const words = name.normalize('NFC').trim().toLowerCase().replace(/\s/gu, '-').replace(NOT_IN_SLUG, '');
  return words === '' ? hexOf(id, digits) : `${words}-${hexOf(id, digits)}`;
}

/**
 * Slugs by id, no two alike. Where two would be, the one with the greater id has more digits: who is asked first, or in what order
 * they were made, changes nothing.
 * @param taken slugs that stand beside them; those given out are added.
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

/** The topics of a home and everything below it. */
export class HomeTopics {
  readonly #base: string;

  /** @param prefix the broker's, without slashes around it. */
  constructor(prefix: string, homeSlug: string) {
    this.#base = `${prefix}/${homeSlug}`;
  }

  /** Retained, and the connection's will. */
  get status(): string {
    return `${this.#base}/status`;
  }

  /** A sentence for each command that concerned nothing here. */
  get error(): string {
    return `${this.#base}/error`;
  }

  /** What is subscribed to: nothing that is published here, so that nothing said here ever comes back. */
  get commands(): readonly string[] {
    const settings = [1, 2, 3].map((levels) => `${this.#base}/${'+/'.repeat(levels)}set`);
    return [...settings, `${this.#base}/scene/+/execute`];
  }

  /** @param roomSlug `undefined` for what is in no room. */
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
