/** Keeps the displayed home in step with the relay: loads it and applies each live event. */

import type { LiveEvent } from '../api/event-stream.ts';
import { queryClient } from '../api/query.ts';
import { homeStore } from './home-store.ts';
import { readTimer } from './timer-times.ts';

/** Applies events about values; every other layout event refetches the home (`api/query.ts`). */
export function applyToHome({ type, timestamp, data }: LiveEvent): void {
  const accessoryId = String(data.accessoryId ?? '');
  if (type === 'state.changed') {
    const serviceId = typeof data.serviceId === 'string' ? data.serviceId : undefined;
    homeStore.confirm(accessoryId, String(data.characteristicType), data.value, serviceId);
    if (data.characteristicType === 'virtual_timer') void readTimer(accessoryId);
  } else if (type === 'accessory.reachability_changed') {
    homeStore.setReachable(accessoryId, data.isReachable === true, timestamp);
  } else if (type === 'missed') {
    homeStore.forgetReports();
  }
}

/** Clears everything that belongs to the previous account's home. */
export function forgetHome(): void {
  homeStore.load(undefined);
  homeStore.forgetReports();
  queryClient.clear();
}
