/** The location of a home, as typed or pasted from a map. */

import type { DevicePosition } from '../../ui/device-position.ts';

/** Degrees, with minutes and seconds or decimals, and a direction: `52° 31′ 12″ N`, `13.4050`, `O 8,5°`. */
const ANGLE =
  /([NSEWO])?\s*([+-]?\d{1,3}(?:[.,]\d+)?)\s*(?:°|º|deg)?\s*(?:(\d{1,2}(?:[.,]\d+)?)\s*['′’]\s*)?(?:(\d{1,2}(?:[.,]\d+)?)\s*(?:["″”]|''|′′)\s*)?([NSEWO])?/iy;

/** `O` is Ost, as on German maps. */
const SIGN: Readonly<Record<string, number>> = { N: 1, S: -1, E: 1, O: 1, W: -1 };
const LATITUDE_LETTERS = 'NS';

interface Angle {
  readonly degrees: number;
  readonly letter: string | undefined;
}

/** A text that is one angle. @returns `undefined` it is not an angle, or exceeds the maximum */
export function parseAngle(text: string, largest: 90 | 180): number | undefined {
  const angles = readAngles(text);
  const [angle] = angles ?? [];
  if (angles?.length !== 1 || !angle) return undefined;
  const isLatitude = angle.letter === undefined ? undefined : LATITUDE_LETTERS.includes(angle.letter);
  if (isLatitude !== undefined && isLatitude !== (largest === 90)) return undefined;
  return Math.abs(angle.degrees) <= largest ? angle.degrees : undefined;
}

/**
 * Both coordinates, as maps copy them: `52.5200, 13.4050`, `52°31′12″N 13°24′18″E`. Latitude first, unless letters
 * define the order.
 */
export function parsePlace(text: string): DevicePosition | undefined {
  const [first, second, ...others] = readAngles(text) ?? [];
  if (!first || !second || others.length > 0) return undefined;
  const isSwapped = first.letter !== undefined && !LATITUDE_LETTERS.includes(first.letter);
  const [north, east] = isSwapped ? [second, first] : [first, second];
  if (north.letter !== undefined && !LATITUDE_LETTERS.includes(north.letter)) return undefined;
  if (east.letter !== undefined && LATITUDE_LETTERS.includes(east.letter)) return undefined;
  if (Math.abs(north.degrees) > 90 || Math.abs(east.degrees) > 180) return undefined;
  return { latitude: north.degrees, longitude: east.degrees };
}

/** @returns all angles of a text without other content */
function readAngles(text: string): readonly Angle[] | undefined {
  const angles: Angle[] = [];
  const clean = text.normalize('NFKC').replaceAll('−', '-').trim();
  let at = 0;
  while (at < clean.length) {
    ANGLE.lastIndex = at;
    const match = ANGLE.exec(clean);
    const angle = match && toAngle(match);
    if (!angle) return undefined;
    angles.push(angle);
    at = ANGLE.lastIndex;
    at += /^[\s,;/]*/.exec(clean.slice(at))?.[0].length ?? 0;
  }
  return angles;
}

function toAngle([, before, degrees = '', minutes = '0', seconds = '0', after]: RegExpExecArray): Angle | undefined {
  const [whole, min, sec] = [degrees, minutes, seconds].map((part) => Number(part.replace(',', '.')));
  if (whole === undefined || min === undefined || sec === undefined || min >= 60 || sec >= 60) return undefined;
  if (before && after) return undefined;
  const letter = (before ?? after)?.toUpperCase();
  const isNegative = degrees.startsWith('-');
  // "−52 S" is ambiguous.
  if (isNegative && letter !== undefined) return undefined;
  const size = Math.abs(whole) + min / 60 + sec / 3600;
  const sign = isNegative ? -1 : (SIGN[letter ?? 'N'] ?? 1);
  return { degrees: round(sign * size), letter };
}

/** Rounds to a tenth of a metre. */
function round(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6;
}
