import { describe, expect, it } from 'vitest';
import { strengthOf } from '../../../src/web/dashboard/pages/welcome/password-strength.ts';
import { parseAngle, parsePlace } from '../../../src/web/dashboard/pages/welcome/place.ts';
import { stepOf } from '../../../src/web/dashboard/pages/welcome/steps.ts';

describe('where a home stands', () => {
  it.each([
    ['52.52', 90, 52.52],
    ['52,52', 90, 52.52],
    ['-33.8688', 90, -33.8688],
    ['−33.8688', 90, -33.8688],
    ['52° 31′ 12″ N', 90, 52.52],
    [`52°31'12"N`, 90, 52.52],
    [`33° 52' 7.68'' S`, 90, -33.8688],
    ['52° 31.2′ N', 90, 52.52],
    ['N 52.52', 90, 52.52],
    ['13° 24′ 18″ O', 180, 13.405],
    ['0° 7′ 39″ W', 180, -0.1275],
    ['180', 180, 180],
  ] as const)('is read from %s', (text, largest, degrees) => {
    expect(parseAngle(text, largest)).toBeCloseTo(degrees, 5);
  });

  it.each([
    ['', 90],
    ['90.1', 90],
    ['181', 180],
    ['52.52 N', 180],
    ['13.4 E', 90],
    ['52° 61′', 90],
    ['-52 S', 90],
    ['N 52 N', 90],
    ['Berlin', 90],
    ['52.52 13.4', 90],
    ['1e5', 180],
  ] as const)('is not read from %j below %s', (text, largest) => {
    expect(parseAngle(text, largest)).toBeUndefined();
  });

  it.each([
    ['52.5200, 13.4050', 52.52, 13.405],
    ['52.5200 13.4050', 52.52, 13.405],
    ['-33.8688,151.2093', -33.8688, 151.2093],
    [`52°31'12"N 13°24'18"E`, 52.52, 13.405],
    [`13°24′18″ O, 52°31′12″ N`, 52.52, 13.405],
  ])('is read whole from %s', (text, latitude, longitude) => {
    const place = parsePlace(text);
    expect(place?.latitude).toBeCloseTo(latitude, 5);
    expect(place?.longitude).toBeCloseTo(longitude, 5);
  });

  it.each(['52.52', '', '52.52, 13.4, 7', '95, 13', '52 N, 13 N', 'a, b'])('is not read whole from %j', (text) => {
    expect(parsePlace(text)).toBeUndefined();
  });
});

it.each([
  ['short', 'short'],
  ['aaaaaaaaaaaaaaaa', 'weak'],
  ['password1234', 'weak'],
  ['maplestreet12', 'fair'],
  ['ada-lovelace-1815', 'weak'],
  ['correct horse battery', 'good'],
] as const)('the password %s is %s', (password, strength) => {
  expect(strengthOf(password, ['Ada', 'ada'])).toBe(strength);
});

it.each([
  [null, { name: 'My Home', latitude: null, accessoryCount: 0 }, 'home'],
  [null, { name: 'Maple Street', latitude: null, accessoryCount: 0 }, 'place'],
  [null, { name: 'Maple Street', latitude: 52, accessoryCount: 0 }, 'accessories'],
  [null, { name: 'My Home', latitude: null, accessoryCount: 3 }, 'accessories'],
  ['home', { name: 'Maple Street', latitude: 52, accessoryCount: 3 }, 'home'],
  ['account', { name: 'My Home', latitude: null, accessoryCount: 0 }, 'home'],
  ['nonsense', { name: 'Maple Street', latitude: 52, accessoryCount: 0 }, 'accessories'],
] as const)('the first run goes on from %j where the home is %j: at %s', (requested, home, step) => {
  expect(stepOf(requested, home)).toBe(step);
});
