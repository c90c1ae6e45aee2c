/**
 * Deadlines in due order; equal deadlines keep their insertion order. A binary heap whose entries store their
 * positions, so that any entry can be removed.
 */
export interface Deadline {
  dueAt: number;
  /** Its position among equal deadlines. */
  readonly turn: number;
  /** Its position in the heap; -1 while it is not in the heap. */
  place: number;
}

export class Deadlines<T extends Deadline> {
  #heap: T[] = [];

  get size(): number {
    return this.#heap.length;
  }

  /** The next due entry. */
  get next(): T | undefined {
    return this.#heap[0];
  }

  add(entry: T): void {
    entry.place = this.#heap.length;
    this.#heap.push(entry);
    this.#rise(entry);
  }

  /** Removes an entry from any position; no effect if it is not in the heap. */
  delete(entry: T): void {
    const { place } = entry;
    if (this.#heap[place] !== entry) return;
    entry.place = -1;
    const last = this.#heap.pop();
    if (!last || last === entry) return;
    this.#put(last, place);
    this.#rise(last);
    this.#sink(last);
  }

  /** Removes all due entries, in order. */
  takeDue(now: number): readonly T[] {
    const due: T[] = [];
    for (let entry = this.next; entry && entry.dueAt <= now; entry = this.next) {
      this.delete(entry);
      due.push(entry);
    }
    return due;
  }

  /** Changes due times. @param move returns whether it changed the entry. @returns the changed entries, in no order */
  move(move: (entry: T) => boolean): readonly T[] {
    const moved = this.#heap.filter(move);
    for (let place = (this.#heap.length >> 1) - 1; place >= 0; place--) this.#sink(this.#heap[place] as T);
    return moved;
  }

  clear(): void {
    for (const entry of this.#heap) entry.place = -1;
    this.#heap = [];
  }

  #put(entry: T, place: number): void {
    this.#heap[place] = entry;
    entry.place = place;
  }

  #rise(entry: T): void {
    while (entry.place > 0) {
      const { place } = entry;
      const parent = this.#heap[(place - 1) >> 1] as T;
      if (!isBefore(entry, parent)) return;
      this.#put(parent, place);
      this.#put(entry, (place - 1) >> 1);
    }
  }

  #sink(entry: T): void {
    for (;;) {
      const { place } = entry;
      const left = this.#heap[2 * place + 1];
      const right = this.#heap[2 * place + 2];
      const child = right && left && isBefore(right, left) ? right : left;
      if (!child || !isBefore(child, entry)) return;
      const below = child.place;
      this.#put(child, place);
      this.#put(entry, below);
    }
  }
}

function isBefore(a: Deadline, b: Deadline): boolean {
  return a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.turn < b.turn);
}
