/** Geographic positions: the distance between two places, and whether an imprecise position is inside a circle. */

/** Degrees, north and east positive (WGS 84). */
export interface GeoPosition {
  readonly latitude: number;
  readonly longitude: number;
}

export interface Circle extends GeoPosition {
  readonly radiusM: number;
}

/** A position as a phone reports it. */
export interface Fix extends GeoPosition {
  /** The accuracy of the position. */
  readonly accuracyM: number;
}

/** Mean radius (IUGG). The error of a sphere is below 0.5 %, which is less than the accuracy of a phone. */
const EARTH_RADIUS_M = 6_371_009;

/** Great-circle distance (haversine). */
export function distanceM(a: GeoPosition, b: GeoPosition): number {
  const [lat1, lat2] = [radians(a.latitude), radians(b.latitude)];
  const dLat = lat2 - lat1;
  const dLon = radians(b.longitude - a.longitude);
  const h = Math.sin(dLat / 2) ** 2 + Math.cos(lat1) * Math.cos(lat2) * Math.sin(dLon / 2) ** 2;
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(h)));
}

/**
 * Whether a fix is inside a circle. If the accuracy allows both answers, the previous answer stays; without a previous
 * answer, the centre of the fix decides.
 */
export function isInside(circle: Circle, fix: Fix, before: boolean | null): boolean {
  const distance = distanceM(circle, fix);
  if (distance + fix.accuracyM <= circle.radiusM) return true;
  if (distance - fix.accuracyM > circle.radiusM) return false;
  return before ?? distance <= circle.radiusM;
}

export function isLatitude(value: unknown): value is number {
  return typeof value === 'number' && value >= -90 && value <= 90;
}

export function isLongitude(value: unknown): value is number {
  return typeof value === 'number' && value >= -180 && value <= 180;
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
