import { parseTimeOfDay } from '../../../home/schedule/next-time.ts';
import { zoneOf } from '../../../home/schedule/time-zones.ts';
import { wallClock } from '../../../home/schedule/wall-time.ts';
import { invalid, missing } from '../parsing/faults.ts';
import { optional } from '../parsing/field.ts';
import { timeOfDay, WEEKDAYS } from '../parsing/field-kinds.ts';
import { weekdayWords } from '../words.ts';
import { conditionKind } from './condition-kind.ts';

const DAYS_IN_WEEK = 7;

/**
 * The home's local time is at or after `after` and before `before`. The range crosses midnight if `before` is earlier,
 * and is the whole day if both are equal. A range across midnight belongs to the weekday on which it began: Friday
 * 22:00 to 06:00 does not end on Saturday at midnight.
 */
export const time = conditionKind({
  type: 'time',
  fields: {
    after: optional(timeOfDay('`HH:MM`, from then on.')),
    before: optional(timeOfDay('Until before it, the next day’s if it is the earlier one.')),
    weekdays: optional(WEEKDAYS),
  },
  check({ after, before, weekdays }, fields) {
    if (after === undefined && before === undefined && weekdays === undefined) {
      throw missing(fields.at('after'), 'a time as HH:MM, unless before or weekdays is given');
    }
    if (after !== undefined && after === before) {
      throw invalid(fields.at('before'), 'it must differ from after; leave both out for the whole day');
    }
  },
  summarize({ after, before, weekdays }) {
    const texts = [
      after === undefined ? '' : `after ${after}`,
      before === undefined ? '' : `before ${before}`,
      weekdays === undefined || weekdays.length === 0 ? '' : `on ${weekdayWords(weekdays)}`,
    ];
    return `It is ${texts.filter((text) => text !== '').join(', ') || 'any time'}`;
  },
  evaluate({ after, before, weekdays }, context) {
    const { hour, minute, second, weekday } = wallClock(zoneOf(context.state.home(context.homeId)), context.now);
    const now = secondOf({ hour, minute, second });
    const [from, until] = [bound(after, 'after'), bound(before, 'before')];
    const spansMidnight = from !== undefined && until !== undefined && from >= until;
    const isSinceYesterday = spansMidnight && now < until;
    const isWithin = spansMidnight
      ? isSinceYesterday || now >= from
      : (from === undefined || now >= from) && (until === undefined || now < until);
    const day = isSinceYesterday ? (weekday + DAYS_IN_WEEK - 1) % DAYS_IN_WEEK : weekday;
    const isItsDay = weekdays === undefined || weekdays.length === 0 || weekdays.includes(day);
    const found = { time: [hour, minute, second].map((part) => String(part).padStart(2, '0')).join(':'), weekday };
    return { passed: isWithin && isItsDay, found };
  },
});

function bound(text: string | undefined, field: string): number | undefined {
  return text === undefined ? undefined : secondOf(parseTimeOfDay(text, field));
}

function secondOf({ hour, minute, second }: { hour: number; minute: number; second: number }): number {
  return (hour * 60 + minute) * 60 + second;
}
