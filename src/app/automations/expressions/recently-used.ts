/** What was made of texts, so that it is made once. Of more texts than it keeps, the least recently used ones go. */
export class RecentlyUsed<T> {
  readonly #kept: number;
  /** The next to go first. What is used is moved to the end once it is full: before that, nothing goes. */
  readonly #made = new Map<string, T>();

  constructor(kept: number) {
    this.#kept = kept;
  }

  /** @throws as `make`; then nothing is kept */
  get(text: string, make: () => T): T {
    const known = this.#made.get(text);
    if (known !== undefined && this.#made.size < this.#kept) return known;
    const made = known ?? make();
    this.#made.delete(text);
    this.#made.set(text, made);
    if (this.#made.size > this.#kept) {
      const [oldest] = this.#made.keys();
      if (oldest !== undefined) this.#made.delete(oldest);
    }
    return made;
  }
}
