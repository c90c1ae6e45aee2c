/**
 * A service group as ONE accessory, with one service of the group's kind (decisions §5, `group-service.ts`). Whatever shows,
 * simplifies or records accessories can so take a group for one. Nothing here writes: what is set on a group is set on each of its
 * members by `app/groups`.
 */
import { GroupService } from './group-service.ts';
import type { HomeState } from './home-state.ts';
import type { Accessory, Service, ServiceGroup, ServiceGroupKind } from './model.ts';

interface KindRow {
  /** Canonical service types. Garage doors are not among the blinds: nobody opens several by a name. */
  readonly services: readonly string[];
  /** HAP category number that the group is shown under. */
  readonly category: number;
}

const KINDS: Readonly<Record<ServiceGroupKind, KindRow>> = {
  light: { services: ['43'], category: 5 },
  switch: { services: ['49'], category: 8 },
  outlet: { services: ['47'], category: 7 },
  fan: { services: ['40', 'B7'], category: 3 },
  blind: { services: ['8C', '8B', '81'], category: 14 }, // window covering, window, door
};

const KIND_BY_SERVICE: ReadonlyMap<string, ServiceGroupKind> = new Map(
  (Object.keys(KINDS) as ServiceGroupKind[]).flatMap((kind) =>
    KINDS[kind].services.map((type) => [type, kind] as const),
  ),
);

export interface GroupMember {
  readonly accessory: Accessory;
  readonly service: Service;
}

/** The kind of group that a service can be in; `undefined` for services that are not grouped. */
export function groupKindOf({ type }: Service): ServiceGroupKind | undefined {
  return KIND_BY_SERVICE.get(type);
}

/** The members that are there now, in the group's order: ones that vanished or were unpaired may come back. */
export function membersOf(group: ServiceGroup, state: HomeState): readonly GroupMember[] {
  return group.members.flatMap(({ accessoryId, serviceIid }) => {
    const accessory = state.accessory(accessoryId);
    if (!accessory || accessory.homeId !== group.homeId || accessory.vanishedAt !== null) return [];
    const service = accessory.services.find(({ iid, type }) => iid === serviceIid && KIND_BY_SERVICE.has(type));
    return service ? [{ accessory, service }] : [];
  });
}

interface Made {
  readonly state: HomeState;
  readonly version: number;
  readonly service: GroupService | undefined;
  readonly accessory: Accessory | undefined;
}

/** Groups are replaced when they change and values move the state's version, so that nobody is shown an old one. */
const made = new WeakMap<ServiceGroup, Made>();

/**
 * @returns the same one until the state's version changes, with live services; its id and name are the group's, its room is that
 *          of the first member. `undefined` while no member is there.
 */
export function asAccessory(group: ServiceGroup, state: HomeState): Accessory | undefined {
  const { version } = state;
  const known = made.get(group);
  if (known?.state === state && known.version === version) return known.accessory;
  const members = membersOf(group, state);
  const service = serviceOf(members, known?.service);
  service?.refresh();
  const accessory = service && makeAccessory(group, members, service);
  made.set(group, { state, version, service, accessory });
  return accessory;
}

/** @param known that of the members before, which serves on while they are the same. */
function serviceOf(members: readonly GroupMember[], known: GroupService | undefined): GroupService | undefined {
  const [first, ...others] = members.map(({ service }) => service);
  if (!first) return undefined;
  return known?.isOf([first, ...others]) ? known : new GroupService([first, ...others]);
}

function makeAccessory(
  { id, homeId, name, kind }: ServiceGroup,
  members: readonly GroupMember[],
  { services }: GroupService,
): Accessory {
  return {
    id,
    homeId,
    roomId: members[0]?.accessory.roomId ?? '',
    name,
    address: { source: `group:${id}`, aid: '1' },
    category: KINDS[kind].category,
    reachable: members.some(({ accessory }) => accessory.reachable),
    // Moves without the state's version.
    get lastSeenAt() {
      const seen = members.flatMap(({ accessory }) => accessory.lastSeenAt ?? []);
      return seen.length > 0 ? Math.max(...seen) : null;
    },
    vanishedAt: null,
    virtual: null,
    services,
  };
}
