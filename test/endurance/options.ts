import { parseArgs } from 'node:util';

export interface EnduranceOptions {
  readonly durationMs: number;
  /** In place of a plan of faults. */
  readonly restarts: number | undefined;
  readonly seed: number;
  readonly help: boolean;
}

export const USAGE = `Usage: npm run endurance -- [--hours N] [--minutes M] [--seed S]
       npm run endurance -- --restarts N [--seed S]

Drives a home of some 60 accessories and the built daemon by a plan of faults, on loopback, and prints a report in
Markdown. Ends with 1 if anything was wrong.

  --hours N    how long faults befall it (default: 0 hours and 5 minutes)
  --minutes M  more of it, or less than an hour
  --restarts N in place of these: the daemon is killed or stopped N times, one time after the other
  --seed S     the plan of an earlier run (default: another one each time; it is printed)
`;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DEFAULT_MINUTES = 5;
/** Every kind of fault has come once within it. */
const LEAST_MS = 2 * MINUTE_MS;
const LARGEST_SEED = 2 ** 31;

/** @throws `Error` with a sentence about what is wrong with the arguments */
export function parseOptions(args: readonly string[]): EnduranceOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      hours: { type: 'string' },
      minutes: { type: 'string' },
      restarts: { type: 'string' },
      seed: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const { hours, minutes, seed, help } = values;
  const restarts = values.restarts === undefined ? undefined : restartsOf(values.restarts);
  const isDefault = hours === undefined && minutes === undefined;
  const hoursMs = amount('--hours', hours) * HOUR_MS;
  const minutesMs = (isDefault ? DEFAULT_MINUTES : amount('--minutes', minutes)) * MINUTE_MS;
  const durationMs = hoursMs + minutesMs;
  if (restarts !== undefined && !isDefault) throw new Error('--restarts takes as long as it takes: leave out the time');
  if (durationMs < LEAST_MS) throw new Error('A run lasts two minutes or more: every kind of fault has its turn');
  return { durationMs, restarts, seed: seed === undefined ? anySeed() : seedOf(seed), help };
}

function amount(flag: string, text = '0'): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new Error(`${flag} takes a number, not '${text}'`);
  return value;
}

function restartsOf(text: string): number {
  const count = amount('--restarts', text);
  if (!Number.isInteger(count) || count === 0) throw new Error(`--restarts takes a whole number from 1, not '${text}'`);
  return count;
}

function seedOf(text: string): number {
  const seed = Number(text);
  if (text.trim() === '' || !Number.isInteger(seed) || seed < 0 || seed >= LARGEST_SEED) {
    throw new Error(`--seed takes a whole number from 0 to ${LARGEST_SEED - 1}, not '${text}'`);
  }
  return seed;
}

function anySeed(): number {
  return Math.floor(Math.random() * LARGEST_SEED);
}
