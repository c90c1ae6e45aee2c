/**
 * Deadlines in the order in which they are due, those due together in the order in which they were added: a binary heap whose
 * entries know their places, so that each can be taken out from anywhere.
 */
export interface Deadline {
  dueAt: number;
  /** Its turn among those due together. */
  readonly turn: number;
  /** Its place in the heap; -1 while it is in none. */
  place: number;
}

export class Deadlines<T extends Deadline> {
  #heap: T[] = [];

  get size(): number {
    return this.#heap.length;
  }

  /** The next one due. */
  get next(): T | undefined {
    return this.#heap[0];
  }

  add(entry: T): void {
    entry.place = this.#heap.length;
    this.#heap.push(entry);
    this.#rise(entry);
  }

  /** Takes it out, wherever it is; nothing if it is not in here. */
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

  /** Takes out all that are due, in their order. */
  takeDue(now: number): readonly T[] {
    const due: T[] = [];
    for (let entry = this.next; entry && entry.dueAt <= now; entry = this.next) {
      this.delete(entry);
      due.push(entry);
    }
    return due;
  }

  /** Changes when some are due. @param move returns whether it changed the entry. @returns those that it changed, in no order */
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
