import type { HomeState } from '../../../home/home-state.ts';
import type { Home } from '../../../home/model.ts';
import type { Presence } from '../../../home/presence.ts';

/** The context in which a trigger is parsed. */
export interface NativeContext {
  readonly home: Home;
  readonly state: HomeState;
  readonly presence: Presence;
  /** Wall time, milliseconds. */
  readonly now: number;
}
