/** What the clocks of a home show. */
import { systemTimeZone } from '../../../home/schedule/time-zones.ts';
import type { ConditionContext } from './condition-kind.ts';

export function zoneOf({ state, homeId }: Pick<ConditionContext, 'state' | 'homeId'>): string {
  return state.home(homeId)?.timeZone ?? systemTimeZone();
}
