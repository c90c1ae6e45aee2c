/**
 * Named items of homes, stored by id and listed by name: zones, groups, scenes. Like `HomeState`, this is memory only:
 * callers save a change to disk before they apply it here.
 */

interface Kept {
  readonly id: string;
  readonly homeId: string;
  readonly name: string;
}

const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Natural sort order (`Lamp 2` before `Lamp 10`), then by id, so that every list has one stable order. */
export function compareNamed(a: Pick<Kept, 'name' | 'id'>, b: Pick<Kept, 'name' | 'id'>): number {
  return byName.compare(a.name, b.name) || (a.id < b.id ? -1 : 1);
}

export class HomeItems<T extends Kept> {
  readonly #items = new Map<string, T>();
  /** Sorted lists by home id, built on first use and dropped at the next change. */
  readonly #lists = new Map<string, readonly T[]>();
  readonly #changed: (homeId: string) => void;

  /** @param changed called after each change with the id of the item's home. */
  constructor(changed: (homeId: string) => void) {
    this.#changed = changed;
  }

  /** The items of one home, by name. */
  list(homeId: string): readonly T[] {
    const key = homeId.toLowerCase();
    let list = this.#lists.get(key);
    if (!list) {
      list = [...this.#items.values()].filter((item) => item.homeId === key).sort(compareNamed);
      this.#lists.set(key, list);
    }
    return list;
  }

  find(id: string): T | undefined {
    return this.#items.get(id) ?? this.#items.get(id.toLowerCase());
  }

  all(): Iterable<T> {
    return this.#items.values();
  }

  /** Loads the stored items when the daemon starts, without a change notification. */
  restore(items: Iterable<T>): void {
    for (const item of items) this.#items.set(item.id, item);
    this.#lists.clear();
  }

  /** Adds an item or replaces the one with its id. */
  put(item: T): void {
    this.#items.set(item.id, item);
    this.#lists.clear();
    this.#changed(item.homeId);
  }

  remove(id: string): void {
    const item = this.#items.get(id);
    if (!item) return;
    this.#items.delete(id);
    this.#lists.clear();
    this.#changed(item.homeId);
  }
}
