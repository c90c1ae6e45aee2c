import { describe, expect, it } from 'vitest';
import { parseLocation, parseTimeZone } from '../../../src/contract/home-place.ts';

describe('a home’s time zone', () => {
  it.each([['Europe/Berlin'], ['America/Argentina/Buenos_Aires'], ['UTC']])('is an IANA name: %s', (name) => {
    expect(parseTimeZone(name)).toBe(name);
  });

  it.each([[null], ['']])('is the computer’s own where none is given: %j', (nothing) => {
    expect(parseTimeZone(nothing)).toBeNull();
  });

  it.each([['Europe/Atlantis'], ['+01:00'], ['../etc']])('is refused where there is none: %j', (name) => {
    expect(() => parseTimeZone(name)).toThrow(/give an IANA name such as Europe\/Berlin/);
  });
});

describe('a home’s place', () => {
  it('is a latitude, a longitude and a radius in metres, 100 where none is given', () => {
    expect(parseLocation({ latitude: -33.9, longitude: 151.2 })).toEqual({
      latitude: -33.9,
      longitude: 151.2,
      radiusM: 100,
    });
  });

  it.each([
    [{ latitude: 91, longitude: 0 }, 'location.latitude'],
    [{ latitude: 0, longitude: '13' }, 'location.longitude'],
    [{ latitude: 0, longitude: 0, radius: 5 }, 'location.radius'],
    [{ latitude: 0, longitude: 0, radius: Number.NaN }, 'location.radius'],
    [{ latitude: 0, longitude: 0, height: 5 }, 'location.height'],
  ])('names the field at fault: %j', (input, field) => {
    expect(() => parseLocation(input)).toThrow(expect.objectContaining({ details: { field } }));
  });
});
