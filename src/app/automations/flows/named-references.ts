/** What a flow refers to by id, as people call it: to be found again in another home. */
import type { HomeState } from '../../../home/home-state.ts';
import { nameKey } from '../../../home/names.ts';
import { shorten } from '../../../home/vocabulary/values.ts';
import { BUILT_IN_SCENES, builtInId } from '../../scenes/built-in-scenes.ts';

export const KINDS = ['accessory', 'service_group', 'scene', 'flow', 'automation', 'person'] as const;
export type ReferenceKind = (typeof KINDS)[number];

export interface NamedReference {
  readonly kind: ReferenceKind;
  readonly name: string;
  /** Of an accessory: names need only differ within a room. */
  readonly room?: string;
}

interface Named {
  readonly id: string;
  readonly name: string;
  readonly room?: string;
}

/** One home, and what of it the state does not hold. */
export interface Neighbourhood {
  readonly homeId: string;
  readonly state: HomeState;
  readonly flows: readonly Named[];
  readonly people: readonly Named[];
}

/** Everything of a kind in the home. */
const LISTS: Readonly<Record<ReferenceKind, (around: Neighbourhood) => readonly Named[]>> = {
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
  // A native automation is called as the scene that it owns.
  automation: ({ homeId, state }) =>
    state.scenes
      .list(homeId)
      .flatMap(({ automationId, name }) => (automationId === null ? [] : [{ id: automationId, name }])),
  person: ({ people }) => people,
};

/** What has this id in the home; nothing where it has nothing of the kind. */
export function nameOfReference(id: string, around: Neighbourhood): NamedReference | undefined {
  for (const kind of KINDS) {
    const found = LISTS[kind](around).find((one) => one.id === id);
    if (found) return { kind, name: found.name, ...(found.room !== undefined && { room: found.room }) };
  }
  return undefined;
}

/** The id of the same in this home: the one that has it, else the only one called so, in the room of that name if any is. */
export function findReference(
  id: string,
  { kind, name, room }: NamedReference,
  around: Neighbourhood,
): string | undefined {
  const all = LISTS[kind](around);
  const same = all.find((one) => one.id === id);
  if (same) return same.id;
  const called = all.filter((one) => nameKey(one.name) === nameKey(name));
  const there = called.filter((one) => room !== undefined && nameKey(one.room ?? '') === nameKey(room));
  const candidates = there.length > 0 ? there : called;
  return candidates.length === 1 ? candidates[0]?.id : undefined;
}

export function describeReference({ kind, name, room }: NamedReference): string {
  const where = room === undefined ? '' : ` in "${shorten(room)}"`;
  return `the ${kind.replace('_', ' ')} "${shorten(name)}"${where}`;
}
