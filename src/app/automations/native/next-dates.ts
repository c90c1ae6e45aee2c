import type { Home } from '../../../home/model.ts';
import { systemTimeZone } from '../../../home/schedule/time-zones.ts';
import { wallClock } from '../../../home/schedule/wall-time.ts';
import type { Automation } from './automation.ts';

/** Whether a moment is on one of the days on which an automation fires. */
export function isOnDay({ trigger }: Automation, home: Home): (at: number) => boolean {
  if (trigger.type === 'timer' || trigger.weekdays.length === 0) return () => true;
  const zone = home.timeZone ?? systemTimeZone();
  return (at) => trigger.weekdays.includes(wallClock(zone, at).weekday + 1);
}
