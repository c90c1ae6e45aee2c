/** What the page of a room shows besides its tiles. */
import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { checkDocument } from '../../../src/api/graphql/limits.ts';
import { AT_ONCE, readUses, usesDocument } from '../../../src/web/dashboard/pages/accessory/uses.ts';
import { measuredIn } from '../../../src/web/dashboard/pages/rooms/room-measures.ts';
import { scenesIn } from '../../../src/web/dashboard/pages/rooms/room-scenes.ts';
import { accessoryOf, lampOf } from './sample-home.ts';

describe('the scenes of a room', () => {
  const scene = (name: string, ...ids: string[]) => ({
    name,
    actionList: ids.map((accessoryId) => ({ accessoryId })),
  });

  it('are those that set something in it, those of the room alone first', () => {
    const scenes = [
      scene('Night', 'lamp', 'door', 'blind'),
      scene('Kitchen', 'oven'),
      scene('Nothing'),
      scene('Film', 'lamp', 'group'),
      scene('Half', 'group', 'door'),
    ];
    expect(scenesIn(['lamp', 'group'], scenes).map(({ name }) => name)).toEqual(['Film', 'Half', 'Night']);
    expect(scenesIn([], scenes)).toEqual([]);
  });
});

describe('what a room measures', () => {
  const thermostat = accessoryOf('Thermostat', 'thermostat', {
    thermostat: { current_temperature: 20, relative_humidity: 40 },
  });
  const sensor = accessoryOf('Sensor', 'temperature', { temperature_sensor: { current_temperature: 21 } });

  it('is of a sensor before a thermostat, and never of a lamp', () => {
    const warmLamp = accessoryOf('Warm', 'light', { lightbulb: { power_state: true, current_temperature: 60 } });
    expect(measuredIn([warmLamp, thermostat, sensor])).toEqual([
      { accessoryId: 'Sensor', characteristicType: 'current_temperature' },
      { accessoryId: 'Thermostat', characteristicType: 'relative_humidity' },
    ]);
    expect(measuredIn([warmLamp, lampOf('Lamp')])).toEqual([]);
  });

  it('is of one that responds, if there is one', () => {
    const silent = { ...sensor, id: 'Silent', isReachable: false };
    expect(measuredIn([silent, sensor])[0]?.accessoryId).toBe('Sensor');
    expect(measuredIn([silent])[0]?.accessoryId).toBe('Silent');
  });
});

describe('what uses the accessories of a room', () => {
  it('is asked of as many accessories at once as one request may name', () => {
    expect(() => checkDocument(parse(usesDocument(AT_ONCE)))).not.toThrow();
  });

  it('has each use once', () => {
    const [evening, film] = [
      { kind: 'flow', id: '1', name: 'Evening' },
      { kind: 'scene', id: '1', name: 'Film' },
    ];
    expect(
      readUses([
        { u0: [evening, film], u1: [evening] },
        { u0: null, u1: [film, null] },
      ]),
    ).toEqual([evening, film]);
  });
});
