import { type RoomSetParts, RoomSets } from './room-sets.ts';

/** Room groups (API §2.5): rooms that are shared together. */
export class RoomGroups extends RoomSets {
  constructor(parts: RoomSetParts) {
    super(parts, parts.state.roomGroups, { title: 'Room group', notFound: 'not_found' });
  }
}
