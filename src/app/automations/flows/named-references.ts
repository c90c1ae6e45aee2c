/** The names of the objects that a flow refers to by id: another home can resolve them again. */
import type { HomeState } from '../../../home/home-state.ts';
import { nameKey } from '../../../home/names.ts';
import { shorten } from '../../../home/vocabulary/values.ts';
import { BUILT_IN_SCENES, builtInId } from '../../scenes/built-in-scenes.ts';

export const KINDS = ['accessory', 'service_group', 'scene', 'flow', 'automation', 'person'] as const;
export type ReferenceKind = (typeof KINDS)[number];

export interface NamedReference {
  readonly kind: ReferenceKind;
  readonly name: string;
  /** For an accessory: names are unique only within a room. */
  readonly room?: string;
}

interface Named {
  readonly id: string;
  readonly name: string;
  readonly room?: string;
}

/** One home, and its objects that the home state does not contain. */
export interface NameResolver {
  readonly homeId: string;
  readonly state: HomeState;
  readonly flows: readonly Named[];
  readonly people: readonly Named[];
}

/** Everything of a kind in the home. */
const LISTS: Readonly<Record<ReferenceKind, (around: NameResolver) => readonly Named[]>> = {
  accessory: ({ homeId, state }) =>
    state
      .accessories(homeId)
      .filter(({ vanishedAt }) => vanishedAt === null)
      .map(({ id, name, roomId }) => ({ id, name, room: state.room(roomId)?.name ?? '' })),
  service_group: ({ homeId, state }) => state.serviceGroups.list(homeId),
  scene: ({ homeId, state }) => [
    ...state.scenes.list(homeId).filter(({ automationId }) => automationId === null),
    ...BUILT_IN_SCENES.map(({ kind, name }) => ({ id: builtInId({ id: homeId }, kind), name })),
  ],
  flow: ({ flows }) => flows,
  // A native automation has the name of the scene that it owns.
  automation: ({ homeId, state }) =>
    state.scenes
      .list(homeId)
      .flatMap(({ automationId, name }) => (automationId === null ? [] : [{ id: automationId, name }])),
  person: ({ people }) => people,
};

/** Everything of a kind in the home, with its name. */
export function listNamed(kind: ReferenceKind, around: NameResolver): readonly Named[] {
  return LISTS[kind](around);
}

/** The name of the object with this id in the home; nothing if the home has no object of the kind. */
export function nameOfReference(id: string, around: NameResolver): NamedReference | undefined {
  for (const kind of KINDS) {
    const found = LISTS[kind](around).find((one) => one.id === id);
    if (found) return { kind, name: found.name, ...(found.room !== undefined && { room: found.room }) };
  }
  return undefined;
}

/**
 * The matching ids in this home: the same id if it exists, else the objects with the same name, preferring the room of
 * that name.
 */
export function findReferences(
  id: string,
  { kind, name, room }: NamedReference,
  around: NameResolver,
): readonly string[] {
  const all = LISTS[kind](around);
  const same = all.find((one) => one.id === id);
  if (same) return [same.id];
  const called = all.filter((one) => nameKey(one.name) === nameKey(name));
  const there = called.filter((one) => room !== undefined && nameKey(one.room ?? '') === nameKey(room));
  const candidates = there.length > 0 ? there : called;
  return candidates.map((one) => one.id);
}

export function describeReference({ kind, name, room }: NamedReference): string {
  const where = room === undefined ? '' : ` in "${shorten(room)}"`;
  return `the ${kind.replace('_', ' ')} "${shorten(name)}"${where}`;
}
