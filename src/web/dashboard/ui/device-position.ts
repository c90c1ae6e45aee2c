/** The location of this device, for homes set up on site. Browsers give it to pages over https only. */

export interface DevicePosition {
  /** Degrees, north positive, −90 … 90. */
  readonly latitude: number;
  /** Degrees, east positive, −180 … 180. */
  readonly longitude: number;
}

/** `denied`: the user or the browser refuses. `notFound`: no satellites, no location service, or a timeout. */
export type PositionRefusal = 'denied' | 'notFound';

/** Devices need time to find their location, and some never do. */
const POSITION_MS = 15_000;
/** Ten metres: enough for sun times and presence. */
const DIGITS = 4;

export function canAskPosition(): boolean {
  return isSecureContext && 'geolocation' in navigator;
}

export function askPosition(): Promise<DevicePosition | PositionRefusal> {
  return new Promise((resolve) => {
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude } }) =>
        resolve({ latitude: Number(latitude.toFixed(DIGITS)), longitude: Number(longitude.toFixed(DIGITS)) }),
      ({ code, PERMISSION_DENIED }) => resolve(code === PERMISSION_DENIED ? 'denied' : 'notFound'),
      { enableHighAccuracy: true, timeout: POSITION_MS },
    );
  });
}
