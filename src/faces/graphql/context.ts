/** What every resolver gets beside its arguments: who asks, the operations, and what this request has read already. */
import type { AccessTokens } from '../../app/access/access-tokens.ts';
import type { Access } from '../../app/access/authorize.ts';
import type { Caller } from '../../app/access/caller.ts';
import type { Control } from '../../app/control/control.ts';
import type { Collections } from '../../app/groups/collections.ts';
import type { RoomGroups, Zones } from '../../app/groups/room-sets.ts';
import type { ServiceGroups } from '../../app/groups/service-groups.ts';
import type { History } from '../../app/history/history.ts';
import type { Accessories } from '../../app/layout/accessories.ts';
import type { Homes } from '../../app/layout/homes.ts';
import type { Rooms } from '../../app/layout/rooms.ts';
import type { Pairings } from '../../app/pairings/pairings.ts';
import type { Scenes } from '../../app/scenes/scenes.ts';
import type { VirtualAccessories } from '../../app/virtual-accessories/virtual-accessories.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { RelayInfo } from '../health.ts';
import type { RequestScope } from './request-scope.ts';

/** The operations that resolvers call, and what they look names and counts up in. */
export interface GraphqlDeps {
  readonly state: HomeState;
  readonly access: Access;
  readonly tokens: AccessTokens;
  readonly homes: Homes;
  readonly rooms: Rooms;
  readonly accessories: Accessories;
  readonly control: Control;
  readonly pairings: Pairings;
  readonly scenes: Scenes;
  readonly serviceGroups: ServiceGroups;
  readonly zones: Zones;
  readonly roomGroups: RoomGroups;
  readonly collections: Collections;
  readonly virtuals: VirtualAccessories;
  readonly history: History;
  readonly clock: Clock;
  readonly info: RelayInfo;
}

export interface GraphqlContext {
  readonly caller: Caller;
  readonly deps: GraphqlDeps;
  readonly request: RequestScope;
}
