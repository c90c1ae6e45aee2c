import type { Format } from '../../../src/web/dashboard/texts/format.ts';
import { wallText } from '../../../src/web/dashboard/texts/wall-time.ts';

const round = (value: number, digits: number) => String(Number(value.toFixed(digits)));

/** Without the locale of the machine that runs a test. */
export const plainFormat: Format = {
  locale: 'en',
  timeZone: undefined,
  temperatureUnit: 'celsius',
  number: (value, digits = 0) => round(value, digits),
  percent: (value) => `${round(value, 0)} %`,
  temperature: (celsius, digits = 1) => `${round(celsius, digits)} °C`,
  temperatures: (low, high) => `${low === high ? '' : `${round(low, 1)}–`}${round(high, 1)} °C`,
  time: (at, zone) => wallText(new Date(at).getTime(), zone).slice(-5),
  date: (at) => String(at),
  dateTime: (at) => String(at),
  recent: (at) => String(at),
  soon: (at) => String(at),
  day: (at) => Math.floor(new Date(at).getTime() / 86_400_000),
  duration: (ms) => `${ms / 1000} s`,
  bytes: (count) => `${count} B`,
  list: (items) => items.join(', '),
  compare: (a, b) => (a < b ? -1 : Number(a > b)),
};
