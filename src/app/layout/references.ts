/**
 * Finds references to accessories, for callers that delete one. Scenes and groups are found in the home's state; other
 * modules register theirs with `add`. A reference stays when its accessory is deleted, because the accessory may come
 * back.
 */
import type { AccessoryUse } from '../../contract/accessories.ts';
import type { HomeState } from '../../home/home-state.ts';

export interface References {
  /** What uses an accessory or a service group, each once. */
  usesOf(id: string): readonly AccessoryUse[];
  /** The same, as parts of a sentence: `the scene "Movie"`, `the group "Ceiling"`. */
  usedBy(accessoryId: string): readonly string[];
  /** The ids of all referenced accessories, including those not shown at present. */
  allUsed(): ReadonlySet<string>;
}

export interface Reference {
  readonly from: AccessoryUse;
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
    const users = this.usesOf(accessoryId).map(({ kind, name }) => {
      return `the ${kind === 'flow' ? 'automation' : kind} "${name}"`;
    });
    return [...new Set(users)];
  }

  usesOf(wanted: string): readonly AccessoryUse[] {
    const id = wanted.toLowerCase();
    const uses = [...this.#all()].filter((reference) => reference.accessoryId === id).map(({ from }) => from);
    return [...new Map(uses.map((use) => [`${use.kind} ${use.id}`, use])).values()];
  }

  allUsed(): ReadonlySet<string> {
    return new Set([...this.#all()].map(({ accessoryId }) => accessoryId));
  }

  *#all(): Iterable<Reference> {
    for (const { id, name, actions, automationId } of this.#state.scenes.all()) {
      // A native automation's scene has the automation's name and is not shown.
      const from: AccessoryUse =
        automationId === null ? { kind: 'scene', id, name } : { kind: 'automation', id: automationId, name };
      for (const { accessoryId } of actions) yield { from, accessoryId };
    }
    for (const { id, name, members } of this.#state.serviceGroups.all()) {
      for (const { accessoryId } of members) yield { from: { kind: 'group', id, name }, accessoryId };
    }
    for (const source of this.#sources) yield* source();
  }
}
