/**
 * What refers to accessories: for whoever is about to delete or forget one. Scenes and groups it finds in the home's state; whatever
 * else refers to accessories says so by `add`. Changes nothing: what refers to an accessory stays as it is when that goes, for it may
 * come back.
 */
import type { HomeState } from '../../home/home-state.ts';

export interface References {
  /** What uses an accessory, as parts of a sentence: `the scene "Movie"`, `the group "Ceiling"`. */
  usedBy(accessoryId: string): readonly string[];
  /** The ids of every accessory that something refers to, of those that are not shown at present too. */
  allUsed(): ReadonlySet<string>;
}

export interface Reference {
  /** As a part of a sentence: `the automation "Night"`. */
  readonly from: string;
  readonly accessoryId: string;
}

export class HomeReferences implements References {
  readonly #state: Pick<HomeState, 'scenes' | 'serviceGroups'>;
  readonly #sources = new Set<() => Iterable<Reference>>();

  constructor(state: Pick<HomeState, 'scenes' | 'serviceGroups'>) {
    this.#state = state;
  }

  /** @param source asked each time; ids in lower case. @returns the function that takes it out again */
  add(source: () => Iterable<Reference>): () => void {
    this.#sources.add(source);
    return () => this.#sources.delete(source);
  }

  usedBy(accessoryId: string): readonly string[] {
    const id = accessoryId.toLowerCase();
    const users = [...this.#all()].filter((reference) => reference.accessoryId === id).map(({ from }) => from);
    return [...new Set(users)];
  }

  allUsed(): ReadonlySet<string> {
    return new Set([...this.#all()].map(({ accessoryId }) => accessoryId));
  }

  *#all(): Iterable<Reference> {
    for (const { name, actions, automationId } of this.#state.scenes.all()) {
      // A native automation's scene has its name, and nobody sees it.
      const from = `the ${automationId === null ? 'scene' : 'automation'} "${name}"`;
      for (const { accessoryId } of actions) yield { from, accessoryId };
    }
    for (const { name, members } of this.#state.serviceGroups.all()) {
      for (const { accessoryId } of members) yield { from: `the group "${name}"`, accessoryId };
    }
    for (const source of this.#sources) yield* source();
  }
}
