/** Somebody who lives in a home, as far as being at home goes. */
import { type Fix, isLatitude, isLongitude } from '../../home/geo.ts';
import { HearthError } from '../../kernel/errors.ts';

export interface Person {
  /** UUID, lower case. */
  readonly id: string;
  readonly homeId: string;
  /** Unique in the home, ignoring case: OwnTracks names people so. */
  readonly name: string;
  /** The account that they sign in with. */
  readonly userId: string | null;
  /** `null` while nobody has said. */
  readonly atHome: boolean | null;
  /** When `atHome` changed last, milliseconds since the epoch. */
  readonly changedAt: number | null;
  /** Where they were last. */
  readonly fix: TimedFix | null;
  readonly createdAt: number;
}

export interface TimedFix extends Fix {
  /** When they were there, milliseconds since the epoch. */
  readonly at: number;
}

/** A fix without accuracy is taken for an ordinary one of a phone outdoors. */
const USUAL_ACCURACY_M = 20;
/** Half around the earth: more can't be wrong. */
const WORST_ACCURACY_M = 20_000_000;

/**
 * A fix as somebody sent it: degrees, metres.
 * @throws `invalid_value` naming the field
 */
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
