/** Names for the inputs of a blueprint that is made of an automation: none of them is a name of the home. */

/** By the type of an accessory, or the kind of an input. */
export type InputWords = Readonly<Record<string, string>> & { readonly accessory: string };

export class InputNames {
  readonly #words: InputWords;
  readonly #counts = new Map<string, number>();

  constructor(words: InputWords) {
    this.#words = words;
  }

  /** `light` and `Light`, then `light_2` and `Light 2`. What no word is known for is an accessory. */
  next(word: string): { readonly id: string; readonly name: string } {
    const id = Object.hasOwn(this.#words, word) ? word : 'accessory';
    const name = this.#words[id] ?? this.#words.accessory;
    const count = (this.#counts.get(id) ?? 0) + 1;
    this.#counts.set(id, count);
    return count === 1 ? { id, name } : { id: `${id}_${count}`, name: `${name} ${count}` };
  }
}
