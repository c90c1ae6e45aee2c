import type { ActivityRecord, ActivityReport } from '../../contract/activity.ts';
import { presentTime } from './time.ts';

export function presentActivity(entry: ActivityRecord): ActivityReport {
  return { ...entry, at: presentTime(entry.at) };
}
