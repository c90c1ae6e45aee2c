import { parseIsoTime } from '../kernel/clock.ts';
import { usageError } from './exit-codes.ts';

const MS_PER_UNIT: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
  y: 365 * 86_400_000,
};

/**
 * Parses the value of `--expires`: a time span such as `12h`, or a date.
 * @returns milliseconds since the epoch. @throws `CliError` neither, or in the past
 */
export function parseExpiry(text: string, now: number): number {
  const [, count, unit = ''] = /^(\d{1,5})([mhdwy])$/.exec(text) ?? [];
  const at = count === undefined ? parseIsoTime(text) : now + Number(count) * (MS_PER_UNIT[unit] ?? Number.NaN);
  if (Number.isNaN(at)) {
    throw usageError(
      `--expires takes a time span such as 12h, 30d or 1y, or a date such as 2027-01-31, not "${text}".`,
    );
  }
  if (at <= now) throw usageError(`--expires is in the past: "${text}".`);
  return at;
}
