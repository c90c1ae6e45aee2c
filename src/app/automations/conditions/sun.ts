import type { HomeLocation } from '../../../home/model.ts';
import { durationMs } from '../../../home/schedule/duration.ts';
import { nextSun, type SunEvent } from '../../../home/schedule/next-sun.ts';
import { zoneOf } from '../../../home/schedule/time-zones.ts';
import { atWallClock, DAY_MS } from '../../../home/schedule/wall-time.ts';
import type { Duration } from '../field-types.ts';
import { missing } from '../parsing/faults.ts';
import { optional, type ValuesOf } from '../parsing/field.ts';
import { offset, oneOf, SUN_EVENTS } from '../parsing/field-kinds.ts';
import type { Fields } from '../parsing/fields.ts';
import { durationWords } from '../words.ts';
import { type ConditionContext, conditionKind } from './condition-kind.ts';

const FIELDS = {
  after: optional(oneOf(SUN_EVENTS, 'From this event on.')),
  afterOffset: optional(offset('So long after that event.')),
  before: optional(oneOf(SUN_EVENTS, 'Until this event.')),
  beforeOffset: optional(offset('So long after that event.')),
};

/** A solar event with an offset. */
interface Bound {
  readonly event: SunEvent;
  readonly offsetMs: number;
}

const MIDNIGHT = { hour: 0, minute: 0, second: 0 };
/** Longer than any calendar day. */
const MAX_DAY_MS = 1.25 * DAY_MS;

/**
 * The sun has risen or set, with an offset. With one bound, the calendar day in the home's time zone counts: `after`
 * holds from that day's event to midnight, `before` from midnight to the event. On a day without the event, as beyond
 * the polar circles, neither holds. With both bounds, it holds from one event to the other, across any number of days:
 * after sunset and before sunrise includes the polar night.
 */
export const sun = conditionKind({
  type: 'sun',
  fields: FIELDS,
  check({ after, afterOffset, before, beforeOffset }, fields) {
    if (after === undefined && before === undefined) {
      throw missing(fields.at('after'), 'sunrise or sunset, unless before is');
    }
    requireEvent(after, afterOffset, 'after', fields);
    requireEvent(before, beforeOffset, 'before', fields);
  },
  summarize(condition) {
    const { after, before } = boundsOf(condition);
    const texts = [after && `after ${words(after)}`, before && `before ${words(before)}`];
    return `It is ${texts.filter((text) => text !== undefined).join(' and ') || 'any time'}`;
  },
  evaluate(condition, context) {
    const location = context.state.home(context.homeId)?.location;
    if (!location) return { passed: false, found: { error: 'The location of the home is not set' } };
    const { after, before } = boundsOf(condition);
    const { now } = context;
    if (after && before) {
      const [nextAfter, nextBefore] = [next(after, location, now), next(before, location, now)];
      // The two events alternate: within the period, the end comes next.
      const passed = nextBefore !== null && (nextAfter === null || nextBefore <= nextAfter);
      return { passed, found: { nextAfter: iso(nextAfter), nextBefore: iso(nextBefore) } };
    }
    const one = after ?? before;
    if (!one) return { passed: true, found: {} };
    const moment = momentOfToday(one, location, context);
    return { passed: moment !== null && now >= moment === (after !== undefined), found: { moment: iso(moment) } };
  },
});

function requireEvent(event: SunEvent | undefined, by: Duration | undefined, name: string, fields: Fields): void {
  if (event !== undefined || by === undefined) return;
  throw missing(fields.at(name), `sunrise or sunset, for ${name}Offset to count from`);
}

function boundsOf({ after, afterOffset, before, beforeOffset }: ValuesOf<typeof FIELDS>): {
  readonly after: Bound | undefined;
  readonly before: Bound | undefined;
} {
  return { after: boundOf(after, afterOffset), before: boundOf(before, beforeOffset) };
}

function boundOf(event: SunEvent | undefined, offset: Duration | undefined): Bound | undefined {
  return event && { event, offsetMs: offset === undefined ? 0 : durationMs(offset) };
}

function next(bound: Bound, location: HomeLocation, after: number): number | null {
  return nextSun(bound, location, after);
}

/** The time of the event on the current day in the home's time zone, with offset; `null` if the day has none. */
function momentOfToday(bound: Bound, location: HomeLocation, context: ConditionContext): number | null {
  const zone = zoneOf(context.state.home(context.homeId));
  const midnight = atWallClock(zone, MIDNIGHT, context.now);
  const moment = next(bound, location, midnight - 1);
  const nextMidnight = atWallClock(zone, MIDNIGHT, midnight + MAX_DAY_MS);
  return moment !== null && moment < nextMidnight ? moment : null;
}

function words({ event, offsetMs }: Bound): string {
  if (offsetMs === 0) return event;
  return `${durationWords(Math.abs(offsetMs))} ${offsetMs < 0 ? 'before' : 'after'} ${event}`;
}

function iso(moment: number | null): string | null {
  return moment === null ? null : new Date(moment).toISOString();
}
