import { describe, expect, it } from 'vitest';
import { batteryOf, isSameSummary, lampWrites, summarize } from '../../../src/web/dashboard/pages/home/facts.ts';
import { accessoryOf, lamp } from './home-parts.ts';

const kindsOf = (...parts: Parameters<typeof accessoryOf>[1]) =>
  summarize([accessoryOf('It', parts)]).attention.map(({ kind }) => kind);

describe('a home at a glance', () => {
  it.each([
    ['a triggered alarm', 'security_system', { security_system_current_state: 4 }, ['alarm']],
    ['an armed alarm', 'security_system', { security_system_current_state: 1 }, []],
    ['smoke', 'smoke_sensor', { smoke_detected: 1 }, ['smoke']],
    ['carbon monoxide', 'carbon_monoxide_sensor', { carbon_monoxide_detected: 1 }, ['gas']],
    ['water', 'leak_sensor', { leak_detected: 1 }, ['leak']],
    ['an unlocked door', 'lock', { lock_current_state: 0 }, ['unlocked']],
    ['a locked door', 'lock', { lock_current_state: 1 }, []],
    ['a jammed lock', 'lock', { lock_current_state: 2 }, ['jammed']],
    ['an open contact', 'contact_sensor', { contact_state: 1 }, ['open']],
    ['a closed contact', 'contact_sensor', { contact_state: 0 }, []],
    ['a garage door that stopped on its way', 'garage_door', { current_door_state: 4 }, ['open']],
    ['a closed garage door', 'garage_door', { current_door_state: 1 }, []],
    ['an open window', 'window', { current_position: 20 }, ['open']],
    ['an open blind, which is no opening', 'window_covering', { current_position: 20 }, []],
    ['a weak battery', 'battery', { status_low_battery: 1 }, ['battery']],
    ['values that were never read yet', 'lock', { lock_current_state: null }, []],
  ])('describes %s', (_, type, values, expected) => {
    expect(kindsOf({ type, values })).toEqual(expected);
  });

  it('shows the most urgent first', () => {
    const { attention } = summarize([
      accessoryOf('Sensor', [{ type: 'battery', values: { status_low_battery: 1 } }]),
      accessoryOf('Lock', [{ type: 'lock', values: { lock_current_state: 0 } }]),
      accessoryOf('Cellar', [{ type: 'leak_sensor', values: { leak_detected: 1 } }]),
    ]);
    expect(attention.map(({ kind }) => kind)).toEqual(['leak', 'unlocked', 'battery']);
  });

  it('shows of what does not answer only that', () => {
    const silent = lamp('Lamp', true, { isReachable: false });
    const { attention, litIds } = summarize([silent]);
    expect(attention.map(({ kind }) => kind)).toEqual(['unreachable']);
    expect(litIds).toEqual([]);
  });

  it('counts lamps that are on, and takes the mean of what is measured', () => {
    const sensor = (name: string, value: number | null) =>
      accessoryOf(name, [{ type: 'temperature_sensor', values: { current_temperature: value } }]);
    const { litIds, temperature, humidity } = summarize([
      lamp('A', true),
      lamp('B', false),
      sensor('C', 20),
      sensor('D', 22),
      sensor('E', null),
    ]);
    expect(litIds).toEqual(['A']);
    expect(temperature).toBe(21);
    expect(humidity).toBeUndefined();
  });

  it('is not announced again for what would not be read differently', () => {
    const at = (celsius: number) =>
      summarize([accessoryOf('C', [{ type: 'temperature_sensor', values: { current_temperature: celsius } }])]);
    expect(isSameSummary(at(20.01), at(20.02))).toBe(true);
    expect(isSameSummary(at(20), at(20.5))).toBe(false);
  });

  it('turns off only lamps that are on and answer', () => {
    const strip = accessoryOf('Strip', [{ type: 'outlet', values: { power_state: true } }]);
    const writes = lampWrites(
      [lamp('A', true), lamp('B', false), lamp('C', true, { isReachable: false }), strip],
      false,
    );
    expect(writes.map(({ accessoryId, value }) => [accessoryId, value])).toEqual([['A', false]]);
  });
});

it('a weak battery shows how weak it is', () => {
  const sensor = (level?: number) =>
    accessoryOf('Sensor', [
      { type: 'battery', values: { status_low_battery: 1, ...(level !== undefined && { battery_level: level }) } },
    ]);
  expect([batteryOf(sensor(12)), batteryOf(sensor())]).toEqual([12, undefined]);
  expect(isSameSummary(summarize([sensor(12)]), summarize([sensor(11)]))).toBe(false);
  expect(isSameSummary(summarize([sensor(12)]), summarize([sensor(12)]))).toBe(true);
});
