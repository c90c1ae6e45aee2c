import { afterEach, describe, expect, it, vi } from 'vitest';
import { askPosition, canAskPosition } from '../../../src/web/dashboard/ui/device-position.ts';

type Ask = (found: (position: object) => void, failed: (error: object) => void, options: { timeout: number }) => void;

const withDevice = (getCurrentPosition: Ask) => vi.stubGlobal('navigator', { geolocation: { getCurrentPosition } });
/** W3C Geolocation §9: the codes of a refusal. */
const refusal = (code: number) => ({ code, PERMISSION_DENIED: 1, POSITION_UNAVAILABLE: 2, TIMEOUT: 3 });

afterEach(() => vi.unstubAllGlobals());

describe('where a device is', () => {
  it('is known to ten metres, and asked for with an end', async () => {
    let end = 0;
    withDevice((found, _, { timeout }) => {
      end = timeout;
      found({ coords: { latitude: 48.137431, longitude: -11.575488 } });
    });
    expect(await askPosition()).toEqual({ latitude: 48.1374, longitude: -11.5755 });
    expect(end).toBeGreaterThan(0);
  });

  it.each([
    [1, 'denied'],
    [2, 'notFound'],
    [3, 'notFound'],
  ])('is not shown for the reason %i: %s', async (code, why) => {
    withDevice((_, failed) => failed(refusal(code)));
    expect(await askPosition()).toBe(why);
  });

  it('is asked over https only', () => {
    withDevice(() => undefined);
    vi.stubGlobal('isSecureContext', false);
    expect(canAskPosition()).toBe(false);
  });
});
