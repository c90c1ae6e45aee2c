/**
 * Functions of time. A moment is a number like any other: seconds since 1970, so that `now() - last_changed('Lamp') > 300` reads as
 * it says.
 */

import { parseIsoTime } from '../../../../kernel/clock.ts';
import type { Json } from '../../flow.ts';
import { Fault } from '../fault.ts';
import { type FunctionDefinition, needText } from './function-row.ts';

const MS_PER_SECOND = 1000;

/** Moments that a calendar has: some 270,000 years around now. */
const LATEST_MS = 8.64e15;

export const TIME_FUNCTIONS: readonly FunctionDefinition[] = [
  {
    signature: 'now()',
    summary: 'This moment, in seconds since 1970.',
    call: (_, evaluation) => evaluation.now() / MS_PER_SECOND,
  },
  {
    signature: 'timestamp(text)',
    summary: 'The moment that an ISO 8601 text says: `timestamp(trigger.timestamp)`.',
    call: ([text]) => momentMs(text) / MS_PER_SECOND,
  },
];

function momentMs(moment: Json | undefined): number {
  const ms = typeof moment === 'number' ? moment * MS_PER_SECOND : parseIsoTime(needText(moment, 'a moment'));
  if (Math.abs(ms) <= LATEST_MS) return ms;
  throw new Fault('a moment is a number of seconds since 1970, or text such as 2026-01-31T18:00:00Z');
}
