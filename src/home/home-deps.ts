/** What most parts of the relay are built from. A part names the members that it uses. */
import type { Clock } from '../kernel/clock.ts';
import type { EventBus } from '../kernel/event-bus.ts';
import type { Logger } from '../kernel/logger.ts';
import type { WallTimers } from '../kernel/wall-timers.ts';
import type { HomeEvents } from './events.ts';
import type { HomeState } from './home-state.ts';
import type { Presence } from './presence.ts';

export interface CommonHomeDeps {
  readonly state: HomeState;
  readonly presence: Presence;
  readonly bus: EventBus<HomeEvents>;
  readonly clock: Clock;
  readonly timers: WallTimers;
  readonly logger: Logger;
}

/** `HomeDeps<'state' | 'clock'>` */
export type HomeDeps<Name extends keyof CommonHomeDeps> = Pick<CommonHomeDeps, Name>;
