/** A person who lives in a home, and their presence. */
import { type Fix, isLatitude, isLongitude } from '../../home/geo.ts';
import { HearthError } from '../../kernel/errors.ts';

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

/** Accuracy of a fix that has none: typical for a phone outdoors. */
const USUAL_ACCURACY_M = 20;
/** Half the circumference of the earth, the largest possible error. */
const WORST_ACCURACY_M = 20_000_000;

/** Parses a received fix in degrees and metres. @throws `invalid_value` naming the field */
export function parseFix(input: { latitude: unknown; longitude: unknown; accuracy?: unknown }, at: number): TimedFix {
  const { latitude, longitude, accuracy = USUAL_ACCURACY_M } = input;
  if (!isLatitude(latitude)) throw invalid('latitude', 'a number of degrees from -90 to 90');
  if (!isLongitude(longitude)) throw invalid('longitude', 'a number of degrees from -180 to 180');
  if (typeof accuracy !== 'number' || !(accuracy >= 0)) throw invalid('accuracy', 'a number of metres, 0 or more');
  return { latitude, longitude, accuracyM: Math.min(accuracy, WORST_ACCURACY_M), at };
}

function invalid(field: string, wanted: string): HearthError {
  return new HearthError('invalid_value', `Invalid value for ${field}: give ${wanted}.`, { field });
}
