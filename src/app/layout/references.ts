/**
 * Finds references to accessories, for callers that delete one. Scenes and groups are found in the home's state; other
 * modules register theirs with `add`. A reference stays when its accessory is deleted, because the accessory may come
 * back.
 */
import type { HomeState } from '../../home/home-state.ts';

export interface References {
  /** What uses an accessory, as parts of a sentence: `the scene "Movie"`, `the group "Ceiling"`. */
  usedBy(accessoryId: string): readonly string[];
  /** The ids of all referenced accessories, including those not shown at present. */
  allUsed(): ReadonlySet<string>;
}

export interface Reference {
  /** As part of a sentence: `the automation "Night"`. */
  readonly from: string;
  readonly accessoryId: string;
}

export class HomeReferences implements References {
  readonly #state: Pick<HomeState, 'scenes' | 'serviceGroups'>;
  readonly #sources = new Set<() => Iterable<Reference>>();

  constructor(state: Pick<HomeState, 'scenes' | 'serviceGroups'>) {
    this.#state = state;
  }

  /** @param source called on each query; ids in lower case. @returns the function that removes it */
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
      // A native automation's scene has the automation's name and is not shown.
      const from = `the ${automationId === null ? 'scene' : 'automation'} "${name}"`;
      for (const { accessoryId } of actions) yield { from, accessoryId };
    }
    for (const { name, members } of this.#state.serviceGroups.all()) {
      for (const { accessoryId } of members) yield { from: `the group "${name}"`, accessoryId };
    }
    for (const source of this.#sources) yield* source();
  }
}
