/**
 * Presents a service group as ONE accessory, with one service of the group's kind (decisions §5, `group-service.ts`).
 * Code that shows, simplifies or records accessories can therefore handle a group like an accessory. Nothing here
 * writes: `app/groups` writes a group's settings to each of its members.
 */
import { SERVICE } from '../hap-spec/services.ts';
import { GroupService } from './group-service.ts';
import type { HomeState } from './home-state.ts';
import type { Accessory, Service, ServiceGroup, ServiceGroupKind } from './model.ts';

interface KindRow {
  /** Canonical service types. Garage doors are not blinds: one name must not open several of them. */
  readonly services: readonly string[];
  /** HAP category number of the group. */
  readonly category: number;
}

const KINDS: Readonly<Record<ServiceGroupKind, KindRow>> = {
  light: { services: [SERVICE.lightbulb], category: 5 },
  switch: { services: [SERVICE.switch], category: 8 },
  outlet: { services: [SERVICE.outlet], category: 7 },
  fan: { services: [SERVICE.fan, SERVICE.fanV2], category: 3 },
  blind: { services: [SERVICE.windowCovering, SERVICE.window, SERVICE.door], category: 14 }, // window covering
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

/** The kind of group that accepts a service; `undefined` for a service that cannot be grouped. */
export function groupKindOf({ type }: Service): ServiceGroupKind | undefined {
  return KIND_BY_SERVICE.get(type);
}

/** The members that exist now, in the group's order. Vanished or unpaired members may return. */
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

/**
 * A changed group is a new object and a new value changes the state's version, so the cache never returns an outdated
 * accessory.
 */
const made = new WeakMap<ServiceGroup, Made>();

/**
 * @returns the same object until the state's version changes, with live services. Its id and name are the group's; its
 * room is that of the first member. `undefined` while no member exists.
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

/** @param known the service of the previous members, reused while the members are the same. */
function serviceOf(members: readonly GroupMember[], known: GroupService | undefined): GroupService | undefined {
  const [first, ...others] = members.map(({ service }) => service);
  if (!first) return undefined;
  return known?.isOf([first, ...others]) ? known : new GroupService([first, ...others]);
}

function makeAccessory(
  { id, homeId, name, kind, icon }: ServiceGroup,
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
    // Changes without a new version of the state.
    get lastSeenAt() {
      const seen = members.flatMap(({ accessory }) => accessory.lastSeenAt ?? []);
      return seen.length > 0 ? Math.max(...seen) : null;
    },
    vanishedAt: null,
    icon,
    virtual: null,
    services,
  };
}
