/** Where this device is, for homes that are set up from inside. Browsers tell it to pages over https only. */

export interface DevicePosition {
  readonly latitude: number;
  readonly longitude: number;
}

/** `denied`: the person or the browser does not want it. `notFound`: no satellites, no service that would know, or too slow. */
export type PositionRefusal = 'denied' | 'notFound';

/** Devices take a while to find out where they are, or never do. */
const POSITION_MS = 15_000;
/** Ten metres: enough for the sun, and for who is at home. */
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
