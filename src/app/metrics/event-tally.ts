import type { HomeEvents } from '../../home/events.ts';
import type { EventBus } from '../../kernel/event-bus.ts';
import { Tally } from '../../kernel/tally.ts';

/** Counted events: events of homes, not sign-ins. */
const COUNTED = [
  'state.changed',
  'button.pressed',
  'accessory.reachability_changed',
  'accessory.added',
  'accessory.removed',
  'scene.executed',
  'automation.fired',
  'automation.failed',
  'presence.changed',
  'person.moved',
  'notification.sent',
  'layout.changed',
  'home.connection_changed',
] as const satisfies readonly (keyof HomeEvents)[];

/** Counts the bus's events by type from now on. */
export function countEvents(bus: EventBus<HomeEvents>): Tally {
  const tally = new Tally(COUNTED);
  for (const type of COUNTED) bus.on(type, () => tally.add(type));
  return tally;
}
