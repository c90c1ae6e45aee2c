/** API §4.1.1: settable properties on POST /rest/state. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Service } from '../../src/home/model.ts';
import { createRestClient, createTestApi, createToken, type RestClient } from '../support/rest-client.ts';
import { characteristic, information, service } from '../support/sample-accessories.ts';
import { createTestHome, type TestHome } from '../support/test-home.ts';

let home: TestHome;
let rest: RestClient;

beforeEach(() => {
  home = createTestHome({ sample: true });
  rest = createRestClient(createTestApi(home), createToken(home));
  attach('Strip', [
    service('8', '43', [
      characteristic('9', '25', 'bool', false),
      characteristic('10', '8', 'int', 50, { minValue: 0, maxValue: 100, minStep: 1 }),
      characteristic('11', '13', 'float', 0, { minValue: 0, maxValue: 360, minStep: 1 }),
      characteristic('12', '2F', 'float', 0, { minValue: 0, maxValue: 100, minStep: 1 }),
      characteristic('13', 'CE', 'uint32', 250, { minValue: 140, maxValue: 500, minStep: 1 }),
    ]),
  ]);
  attach('Heat Pump', [
    service('8', 'BC', [
      characteristic('9', 'B0', 'uint8', 0, { minValue: 0, maxValue: 1 }),
      characteristic('10', 'B1', 'uint8', 0, { minValue: 0, maxValue: 3 }, ['pr', 'ev']),
      characteristic('11', 'B2', 'uint8', 0, { minValue: 0, maxValue: 2 }),
      characteristic('12', '11', 'float', 20, { minValue: 0, maxValue: 100 }, ['pr', 'ev']),
      characteristic('13', '12', 'float', 20, { minValue: 0, maxValue: 25, minStep: 0.1 }),
      characteristic('14', 'D', 'float', 24, { minValue: 10, maxValue: 35, minStep: 0.1 }),
    ]),
  ]);
  attach('Alarm', [
    service('8', '7E', [
      characteristic('9', '66', 'uint8', 3, { minValue: 0, maxValue: 4 }, ['pr', 'ev']),
      characteristic('10', '67', 'uint8', 3, { minValue: 0, maxValue: 3 }),
    ]),
  ]);
  attach('Fan', [
    service('8', '40', [
      characteristic('9', '25', 'bool', false),
      characteristic('10', '29', 'float', 0, { minValue: 0, maxValue: 100, minStep: 1 }),
    ]),
  ]);
  attach('Speaker', [
    service('8', '113', [
      characteristic('9', '11A', 'bool', false),
      characteristic('10', '119', 'uint8', 10, { minValue: 0, maxValue: 100, minStep: 1 }),
    ]),
  ]);
  attach('Blind', [
    service('8', '8C', [
      characteristic('9', '6D', 'uint8', 0, { minValue: 0, maxValue: 100 }, ['pr', 'ev']),
      characteristic('10', '7C', 'uint8', 0, { minValue: 0, maxValue: 100 }),
      characteristic('11', '72', 'uint8', 2, { minValue: 0, maxValue: 2 }, ['pr', 'ev']),
    ]),
  ]);
  attach('Garage', [
    service('8', '41', [
      characteristic('9', 'E', 'uint8', 1, { minValue: 0, maxValue: 4 }, ['pr', 'ev']),
      characteristic('10', '32', 'uint8', 1, { minValue: 0, maxValue: 1 }),
    ]),
  ]);
});

afterEach(() => home.close());

let devices = 0;

function attach(name: string, services: readonly Service[]): void {
  devices = (devices % 200) + 1;
  home.driver.attach(home.home.id, {
    deviceId: `20:00:00:00:00:${devices.toString(16).padStart(2, '0').toUpperCase()}`,
    name,
    setupCode: '031-45-154',
    accessories: [{ aid: '1', name, category: 1, services: [information(name), ...services] }],
  });
}

async function set(accessory: string, settings: object) {
  const { roomId } = home.named(accessory);
  const flat = { home: 'My Home', room: home.state.room(roomId)?.name, accessory, ...settings };
  return (await rest.post('/rest/state', flat)).body;
}

/** The driver's last write: iid → value. */
function written(): Record<string, unknown> {
  return Object.fromEntries((home.driver.writes.at(-1) ?? []).map(({ iid, value }) => [iid, value]));
}

describe('API §4.1.1', () => {
  it.each([
    ['on: boolean, power state', 'Strip', { on: true }, { 9: true }],
    ['brightness: integer 0-100', 'Strip', { brightness: 100 }, { 10: 100 }],
    ['hue: integer 0-360', 'Strip', { hue: 360 }, { 11: 360 }],
    ['saturation: integer 0-100', 'Strip', { saturation: 0 }, { 12: 0 }],
    ['color_temp: mireds, 140-500', 'Strip', { color_temp: 500 }, { 13: 500 }],
    ['active: boolean', 'Heat Pump', { active: true }, { 9: 1 }],
    ['heat_target: float', 'Heat Pump', { heat_target: 21.5 }, { 13: 21.5 }],
    ['cool_target: float', 'Heat Pump', { cool_target: 26.5 }, { 14: 26.5 }],
    ['hvac_mode: auto', 'Heat Pump', { hvac_mode: 'auto' }, { 11: 0 }],
    ['hvac_mode: heat', 'Heat Pump', { hvac_mode: 'heat' }, { 11: 1 }],
    ['hvac_mode: cool', 'Heat Pump', { hvac_mode: 'COOL' }, { 11: 2 }],
    ['lock_target: true locks', 'Front Door', { lock_target: true }, { 10: 1 }],
    ['lock_target: false unlocks', 'Front Door', { lock_target: false }, { 10: 0 }],
    ['lock_target: 1 secured', 'Front Door', { lock_target: 1 }, { 10: 1 }],
    ['alarm_target: home', 'Alarm', { alarm_target: 'home' }, { 10: 0 }],
    ['alarm_target: away', 'Alarm', { alarm_target: 'away' }, { 10: 1 }],
    ['alarm_target: night', 'Alarm', { alarm_target: 'night' }, { 10: 2 }],
    ['alarm_target: off', 'Alarm', { alarm_target: 'off' }, { 10: 3 }],
    ['speed: fan speed 0-100', 'Fan', { speed: 40 }, { 10: 40 }],
    ['volume: speaker volume 0-100', 'Speaker', { volume: 55 }, { 10: 55 }],
    ['mute: speaker mute', 'Speaker', { mute: true }, { 9: true }],
    ['target: target position 0-100 (blinds)', 'Blind', { target: 30 }, { 10: 30 }],
    ['target: 100 opens a garage door', 'Garage', { target: 100 }, { 10: 0 }],
    ['target: 0 closes a garage door', 'Garage', { target: 0 }, { 10: 1 }],
    ['target_temp, which existing clients send', 'Thermostat', { target_temp: 22.5 }, { 10: 22.5 }],
    ['hvac_mode on a thermostat', 'Thermostat', { hvac_mode: 'cool' }, { 12: 2 }],
  ])('%s', async (_, accessory, settings, values) => {
    const body = await set(accessory, settings);
    expect(body).toMatchObject({ updated: 1, failed: 0, errors: [], message: 'Updated 1 accessory' });
    expect(written()).toEqual(values);
    const text = Object.entries(settings)[0]?.join('=');
    expect(body.changes).toEqual([expect.stringMatching(`${accessory}: ${text}$`)]);
  });

  it.each([
    ['Strip', { brightness: 101 }],
    ['Strip', { brightness: -1 }],
    ['Strip', { hue: 361 }],
    ['Strip', { saturation: 100.5 }],
    ['Strip', { color_temp: 139 }],
    ['Strip', { color_temp: 501 }],
    ['Strip', { on: 'maybe' }],
    ['Strip', { on: null }],
    ['Strip', { brightness: 'bright' }],
    ['Strip', { brightness: {} }],
    ['Heat Pump', { hvac_mode: 'tropical' }],
    ['Heat Pump', { cool_target: 36 }],
    ['Alarm', { alarm_target: 'maybe' }],
    ['Speaker', { volume: 101 }],
    ['Blind', { target: 101 }],
    ['Garage', { target: 101 }],
  ])('a value out of range is refused before anything is sent, never clamped: %s %j', async (accessory, settings) => {
    const body = await set(accessory, settings);
    expect(body).toMatchObject({ updated: 0, failed: 1, changes: [], message: 'No updates' });
    expect(body.errors).toEqual([expect.stringContaining(`${accessory}.${Object.keys(settings)[0]}: Invalid value`)]);
    expect(home.driver.writes).toEqual([]);
  });

  it.each([
    ['Motion', { motion: true }],
    ['Motion', { battery: 4 }],
    ['Heat Pump', { current_temp: 30 }],
    ['Heat Pump', { hvac_state: 'heating' }],
    ['Front Door', { locked: false }],
    ['Alarm', { alarm_state: 'off' }],
  ])('Only properties listed in the accessory’s _settable may be written to it: %s %j', async (accessory, settings) => {
    const body = await set(accessory, settings);
    expect(body.errors).toEqual([expect.stringContaining('Characteristic not writable')]);
    expect(home.driver.writes).toEqual([]);
  });

  it('everything in _settable can be written back as it is', async () => {
    const tree = (await rest.get('/rest/state')).body;
    const { body } = await rest.post('/rest/state', pickSettable(tree));
    expect(body.errors).toEqual([]);
    expect(body.updated).toBeGreaterThan(8);
  });
});

type Tree = Record<string, Record<string, Record<string, Record<string, unknown>>>>;

/** The tree with nothing in each accessory but what its `_settable` lists. */
function pickSettable({ _homes, _meta, ...homes }: Tree): unknown {
  return mapValues(homes, ({ _scenes, ...rooms }) =>
    mapValues(rooms, (accessories) =>
      mapValues(accessories, ({ _settable = [], ...properties }) =>
        Object.fromEntries((_settable as string[]).map((name) => [name, properties[name]])),
      ),
    ),
  );
}

function mapValues<A, B>(record: Record<string, A>, map: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
