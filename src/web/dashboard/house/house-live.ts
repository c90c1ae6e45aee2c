/** Keeps the home that is on the screen as the relay tells it: reads it, and applies each live event to it. */
import { queryClient } from '../api/query.ts';
import type { LiveEvent } from '../live/event-stream.ts';
import { houseStore } from './house-store.ts';
import { readTimer } from './timer-times.ts';

/** What an event says about values is applied; anything else about the layout makes the home be read again (`api/query.ts`). */
export function applyToHouse({ type, timestamp, data }: LiveEvent): void {
  const accessoryId = String(data.accessoryId ?? '');
  if (type === 'state.changed') {
    const serviceId = typeof data.serviceId === 'string' ? data.serviceId : undefined;
    houseStore.confirm(accessoryId, String(data.characteristicType), data.value, serviceId);
    if (data.characteristicType === 'virtual_timer') void readTimer(accessoryId);
  } else if (type === 'accessory.reachability_changed') {
    houseStore.setReachable(accessoryId, data.isReachable === true, timestamp);
  }
}

/** Everything that another person's house left behind. */
export function forgetHouse(): void {
  houseStore.load(undefined);
  queryClient.clear();
}
