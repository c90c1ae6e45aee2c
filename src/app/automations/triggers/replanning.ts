import type { HomeEvents } from '../../../home/events.ts';
import type { HomeState } from '../../../home/home-state.ts';
import type { Home } from '../../../home/model.ts';
import type { EventBus } from '../../../kernel/event-bus.ts';
import type { ScheduledFirings } from '../scheduled-firings.ts';

/** Plans scheduled firings again when a home's time zone or location changes. @returns the function that stops it */
export function startReplanning(parts: {
  readonly bus: EventBus<HomeEvents>;
  readonly state: HomeState;
  readonly slots: Pick<ScheduledFirings, 'replan'>;
}): () => void {
  const { bus, state, slots } = parts;
  const known = new Map(state.homes().map((home) => [home.id, home]));
  return bus.on('layout.changed', ({ homeId }) => {
    const before = known.get(homeId);
    const now = state.home(homeId);
    if (before === now) return;
    if (now) known.set(homeId, now);
    else known.delete(homeId);
    if (before && now && !isSamePlace(before, now)) slots.replan();
  });
}

function isSamePlace(a: Home, b: Home): boolean {
  return (
    a.timeZone === b.timeZone &&
    a.location?.latitude === b.location?.latitude &&
    a.location?.longitude === b.location?.longitude
  );
}
