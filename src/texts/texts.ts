/** The texts of one catalogue in each language. */
import type { Language } from './languages.ts';
import { bindCatalogue, type CompiledCatalogue } from './message.ts';

type Source = CompiledCatalogue | (() => Promise<CompiledCatalogue>);

type Sources = Readonly<Partial<Record<Language, Source>>> & { readonly en: CompiledCatalogue };

/** Those of the modules loaded so far. */
const all = new Set<Texts<object>>();

/** Loads the language for all catalogues in use. */
export async function loadTexts(language: Language): Promise<void> {
  await Promise.all(Array.from(all, (texts) => texts.load(language)));
}

/** English comes with the code that uses it. Another language is loaded when the page is in that language. */
export class Texts<T extends object> {
  readonly #sources: Sources;
  readonly #bound = new Map<Language, T>();
  readonly #loading = new Map<Language, Promise<void>>();

  constructor(sources: Sources) {
    this.#sources = sources;
    all.add(this);
  }

  /** English, if the language is not loaded. */
  in(language: Language): T {
    const bound = this.#bound.get(language);
    if (bound) return bound;
    const source = this.#sources[language];
    if (typeof source === 'object') return this.#bind(language, source);
    return this.in('en');
  }

  /** @returns `undefined` if there is nothing to load; each time the same promise until then. */
  load(language: Language): Promise<void> | undefined {
    const source = this.#sources[language];
    if (typeof source !== 'function' || this.#bound.has(language)) return undefined;
    const known = this.#loading.get(language);
    if (known !== undefined) return known;
    const loading = this.#fetch(language, source);
    this.#loading.set(language, loading);
    return loading;
  }

  /** Without a connection the page stays in English. */
  async #fetch(language: Language, source: () => Promise<CompiledCatalogue>): Promise<void> {
    try {
      this.#bind(language, await source());
    } catch {
      this.#bound.set(language, this.in('en'));
    }
  }

  #bind(language: Language, catalogue: CompiledCatalogue): T {
    const bound = bindCatalogue(catalogue, language) as T;
    this.#bound.set(language, bound);
    return bound;
  }
}
