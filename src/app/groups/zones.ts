import { type RoomSetParts, RoomSets } from './room-sets.ts';

/** Zones (API §4.2): parts of a house, such as a floor. */
export class Zones extends RoomSets {
  constructor(parts: RoomSetParts) {
    super(parts, parts.state.zones, { title: 'Zone', notFound: 'zone_not_found' });
  }
}
