import type { ServiceGroup } from '../../contract/service-groups.ts';
import { asAccessory } from '../../home/group-accessory.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { ServiceGroup as StoredGroup } from '../../home/model.ts';
import { simplify } from '../../home/vocabulary/simplify.ts';
import { partId } from './accessory.ts';

/** Its members, and its present state: none while no member is present. */
export function presentServiceGroup(group: StoredGroup, state: HomeState): ServiceGroup {
  const { id, name, homeId, kind, members, icon } = group;
  const whole = asAccessory(group, state);
  const { properties, settable } = whole ? simplify(whole, new Map()) : { properties: {}, settable: [] };
  const roomId = whole?.roomId ?? null;
  return {
    id,
    name,
    homeId,
    type: kind,
    icon,
    roomId,
    roomName: roomId === null ? null : (state.room(roomId)?.name ?? null),
    isReachable: whole?.reachable ?? false,
    serviceIds: members.map(({ accessoryId, serviceIid }) => partId(accessoryId, serviceIid)),
    accessoryIds: [...new Set(members.map(({ accessoryId }) => accessoryId))],
    state: properties,
    settable,
  };
}
