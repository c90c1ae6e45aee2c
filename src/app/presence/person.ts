/** A person who lives in a home, and their presence. */
import { parseInput } from '../../contract/parse.ts';
import { ReportedFix } from '../../contract/people.ts';
import type { Fix } from '../../home/geo.ts';

export interface Person {
  /** UUID, lower case. */
  readonly id: string;
  readonly homeId: string;
  /** Unique in the home, case-insensitive: OwnTracks identifies people by name. */
  readonly name: string;
  /** The linked account. */
  readonly userId: string | null;
  /** `null` if unknown. */
  readonly atHome: boolean | null;
  /** When `atHome` last changed, milliseconds since the epoch. */
  readonly changedAt: number | null;
  /** The last known position. */
  readonly fix: TimedFix | null;
  readonly createdAt: number;
}

export interface TimedFix extends Fix {
  /** Time of the position, milliseconds since the epoch. */
  readonly at: number;
}

/** Half the circumference of the earth, the largest possible error. */
const WORST_ACCURACY_M = 20_000_000;

/** Parses a received fix in degrees and metres. @throws `invalid_value` naming the field */
export function parseFix(input: unknown, at: number): TimedFix {
  const { accuracy, ...place } = parseInput(ReportedFix, input);
  return { ...place, accuracyM: Math.min(accuracy, WORST_ACCURACY_M), at };
}
