import { describe, expect, it } from 'vitest';
import { mainSensor, stateSince } from '../../../src/web/dashboard/pages/accessory/sensor-state.ts';
import { accessoryOf, lampOf } from '../home/sample-home.ts';

const AT = '2026-01-05T08:04:00.000Z';
const entry = (kind: string, characteristic: string, value: string, at = AT) => ({ at, kind, characteristic, value });

function sinceOf(services: Parameters<typeof accessoryOf>[2], entries: ReturnType<typeof entry>[]) {
  const main = mainSensor(accessoryOf('Sensor', 'sensor', services));
  if (!main) throw new Error('It has no sensor');
  return stateSince(main, entries);
}

describe('the large state of a sensor', () => {
  it('is that of the sensor that detects something, else of the first', () => {
    const of = (leak: number, motion: boolean) =>
      mainSensor(
        accessoryOf('Sensor', 'sensor', {
          temperature_sensor: { current_temperature: 20 },
          leak_sensor: { leak_detected: leak },
          motion_sensor: { motion_detected: motion },
        }),
      )?.service.type;
    expect(of(0, false)).toBe('leak_sensor');
    expect(of(0, true)).toBe('motion_sensor');
    expect(of(1, true)).toBe('leak_sensor');
  });

  it('is nothing for what has controls', () => {
    expect(mainSensor(lampOf('lamp'))).toBeUndefined();
  });

  it('holds since the latest entry of its characteristic', () => {
    const door = { contact_sensor: { contact_state: 1 }, motion_sensor: { motion_detected: false } };
    const later = entry('motion', 'motion_detected', 'detected', '2026-01-05T09:00:00.000Z');
    expect(sinceOf(door, [later, entry('door', 'contact_state', 'open')])).toEqual({ at: AT, isOver: false });
    expect(sinceOf(door, [later])).toBeUndefined();
    expect(sinceOf({ contact_sensor: { contact_state: 0 } }, [entry('door', 'contact_state', 'closed')])).toEqual({
      ...{ at: AT, isOver: false },
    });
  });

  it('is not dated by an entry of the opposite', () => {
    expect(sinceOf({ contact_sensor: { contact_state: 0 } }, [entry('door', 'contact_state', 'open')])).toBeUndefined();
  });

  it('names the last motion, whose end is no activity', () => {
    const motion = [entry('motion', 'motion_detected', 'detected')];
    expect(sinceOf({ motion_sensor: { motion_detected: false } }, motion)).toEqual({ at: AT, isOver: true });
    expect(sinceOf({ motion_sensor: { motion_detected: true } }, motion)).toEqual({ at: AT, isOver: false });
  });

  it('has no time for a measurement', () => {
    expect(
      sinceOf({ temperature_sensor: { current_temperature: 20 } }, [entry('door', 'contact_state', 'open')]),
    ).toBeUndefined();
  });
});
