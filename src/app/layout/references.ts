/**
 * What refers to accessories: for whoever is about to delete or forget one. Reads the home's state and changes nothing; what
 * refers to an accessory stays as it is when that goes, for it may come back.
 */
import type { HomeState } from '../../home/home-state.ts';

export interface References {
  /** What uses an accessory, as parts of a sentence: `the scene "Movie"`, `the group "Ceiling"`. */
  usedBy(accessoryId: string): readonly string[];
  /** The ids of every accessory that something refers to, of those that are not shown at present too. */
  allUsed(): ReadonlySet<string>;
}

interface Reference {
  readonly from: string;
  readonly accessoryId: string;
}

export class HomeReferences implements References {
  readonly #state: Pick<HomeState, 'scenes' | 'serviceGroups'>;

  constructor(state: Pick<HomeState, 'scenes' | 'serviceGroups'>) {
    this.#state = state;
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
    for (const { name, actions } of this.#state.scenes.all()) {
      for (const { accessoryId } of actions) yield { from: `the scene "${name}"`, accessoryId };
    }
    for (const { name, members } of this.#state.serviceGroups.all()) {
      for (const { accessoryId } of members) yield { from: `the group "${name}"`, accessoryId };
    }
  }
}
