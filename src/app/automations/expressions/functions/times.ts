/**
 * Functions of time. A time is a number: seconds since 1970, so that `now() - last_changed('Lamp') > 300` works. The
 * accessors (`getHours()` …) have CEL's names and numbering, and use the home's time zone.
 */

import { parseTimeOfDay } from '../../../../home/schedule/next-time.ts';
import { zoneOf } from '../../../../home/schedule/time-zones.ts';
import { atWallClock, type WallClock, wallClock } from '../../../../home/schedule/wall-time.ts';
import { parseIsoTime } from '../../../../kernel/clock.ts';
import type { Json } from '../../../../kernel/json.ts';
import type { Evaluation } from '../evaluation.ts';
import { ExpressionFault } from '../fault.ts';
import { type FunctionDefinition, needText } from './function-row.ts';

const MS_PER_SECOND = 1000;

/** The cost of a calendar calculation: some hundred times that of other functions. */
const CALENDAR_STEPS = 500;

/** The range of calendar times: some 270,000 years around now. */
const LATEST_MS = 8.64e15;

export const TIME_FUNCTIONS: readonly FunctionDefinition[] = [
  {
    signature: 'now()',
    summary: 'This moment, in seconds since 1970.',
    call: (_, evaluation) => evaluation.now() / MS_PER_SECOND,
  },
  {
    signature: 'today_at(time)',
    summary: "Today's moment of a time of day, `'HH:MM'` or `'HH:MM:SS'` by the home's clock.",
    call([time], evaluation) {
      evaluation.work.spend(CALENDAR_STEPS);
      const timeOfDay = parseTimeOfDay(time, 'today_at()');
      return atWallClock(zoneIn(evaluation), timeOfDay, evaluation.now()) / MS_PER_SECOND;
    },
  },
  {
    signature: 'timestamp(text)',
    summary: 'The moment of an ISO 8601 text, in seconds since 1970: `timestamp(trigger.webhook_payload.at)`.',
    call: ([text]) => momentMs(text) / MS_PER_SECOND,
  },
  {
    signature: 'iso(moment)',
    summary: 'A moment as ISO 8601 text: `iso(trigger.timestamp)`.',
    call: ([moment]) => new Date(momentMs(moment)).toISOString(),
  },
  part('getFullYear', 'The year of a moment.', ({ year }) => year),
  part('getMonth', 'The month of a moment, from 0, January.', ({ month }) => month - 1),
  part('getDate', 'The day of the month of a moment, from 1.', ({ day }) => day),
  part('getDayOfMonth', 'The day of the month of a moment, from 0.', ({ day }) => day - 1),
  part('getDayOfWeek', 'The weekday of a moment, from 0, Sunday.', ({ weekday }) => weekday),
  part('getHours', 'The hour of a moment, 0 to 23.', ({ hour }) => hour),
  part('getMinutes', 'The minute of a moment.', ({ minute }) => minute),
  part('getSeconds', 'The second of a moment.', ({ second }) => second),
];

function part(name: string, summary: string, pick: (parts: WallClock) => number): FunctionDefinition {
  return {
    signature: `${name}(moment)`,
    summary,
    call([moment], evaluation) {
      evaluation.work.spend(CALENDAR_STEPS);
      return pick(wallClock(zoneIn(evaluation), momentMs(moment)));
    },
  };
}

function momentMs(moment: Json | undefined): number {
  const ms = typeof moment === 'number' ? moment * MS_PER_SECOND : parseIsoTime(needText(moment, 'a moment'));
  if (Math.abs(ms) <= LATEST_MS) return ms;
  throw new ExpressionFault('a moment is a number of seconds since 1970, or text such as 2026-01-31T18:00:00Z');
}

function zoneIn({ deps: triggerDeps, homeId }: Evaluation): string {
  return zoneOf(triggerDeps.state.home(homeId));
}
