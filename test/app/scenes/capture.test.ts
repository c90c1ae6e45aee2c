import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ListedScene } from '../../../src/app/scenes/scenes.ts';
import {
  characteristic,
  lamp,
  motionSensor,
  plainSwitch,
  service,
  thermostat,
} from '../../support/sample-accessories.ts';
import { createTestHome, systemCaller, type TestHome, tokenCaller } from '../../support/test-home.ts';
import {
  accessoryOf,
  alarm,
  attach,
  blind,
  garageDoor,
  lampShowing,
  lock,
  outlet,
  report,
  strip,
} from './scene-home.ts';

const code = (expected: string, message?: string) =>
  expect.objectContaining(message === undefined ? { code: expected } : { code: expected, message });

let test: TestHome;

beforeEach(() => {
  test = createTestHome();
});

afterEach(() => test.close());

const capture = (accessoryIds?: readonly string[], name = 'Now', caller = systemCaller): ListedScene =>
  test.scenes.capture(caller, { homeId: test.home.id, name, accessoryIds });

/** What is captured of one accessory, as `25=true`. */
function captured(accessoryId: string): readonly string[] {
  const scene = capture([accessoryId]);
  test.scenes.delete(systemCaller, scene.id);
  return scene.actions.map(({ type, value }) => `${type}=${String(value)}`);
}

const NOTHING = code('invalid_value', 'None of these accessories does anything now that a scene could bring back');

describe('capturing a lamp', () => {
  it('takes its colour while it shows one', () => {
    const id = attach(test, lampShowing('Lamp', { '25': true, '8': 30, '13': 200, '2F': 80 }, true));
    expect(captured(id)).toEqual(['25=true', '8=30', '13=200', '2F=80']);
  });

  it('takes its white while it shows that: without saturation, or with the hue and saturation of that white', () => {
    const plain = attach(test, lampShowing('A', { '25': true, '8': 30, '13': 200, '2F': 0, CE: 300 }, true));
    expect(captured(plain)).toEqual(['25=true', '8=30', 'CE=300']);
    const warm = attach(test, lampShowing('B', { '25': true, '8': 30, '13': 28, '2F': 65, CE: 366 }, true));
    expect(captured(warm)).toEqual(['25=true', '8=30', 'CE=366']);
  });

  it('takes hue and saturation of one that has no white', () => {
    const id = attach(test, lampShowing('Lamp', { '25': true, '8': 30, '13': 0, '2F': 0 }));
    expect(captured(id)).toEqual(['25=true', '8=30', '13=0', '2F=0']);
  });

  it('takes of one that is off only that', () => {
    expect(captured(attach(test, lampShowing('Lamp', { '25': false, '8': 30 }, true)))).toEqual(['25=false']);
  });
});

describe('capturing other things', () => {
  it('takes outlets and switches, each of several', () => {
    expect(captured(attach(test, outlet('Outlet', true)))).toEqual(['25=true']);
    expect(captured(attach(test, plainSwitch('Switch')))).toEqual(['25=false']);
    const { actions } = capture([attach(test, strip('Strip', 'A', 'B'))]);
    expect(actions.map(({ serviceIid }) => serviceIid)).toEqual([null, '18']);
  });

  it('takes a thermostat’s mode before the target that goes with it', () => {
    const id = attach(test, thermostat());
    expect(captured(id)).toEqual(['33=1', '35=21']);
    report(test, id, '12', 0);
    expect(captured(id)).toEqual(['33=0']);
  });

  it('takes the thresholds of a thermostat that keeps between them', () => {
    const [information, climate] = thermostat().services;
    if (!information || !climate) throw new Error('The sample thermostat has two services');
    const thresholds = [
      characteristic('14', '12', 'float', 18.5, { minValue: 0, maxValue: 25, minStep: 0.1 }),
      characteristic('15', 'D', 'float', 26, { minValue: 10, maxValue: 35, minStep: 0.1 }),
    ];
    const services = [information, { ...climate, characteristics: [...climate.characteristics, ...thresholds] }];
    const id = attach(test, { ...thermostat(), services });
    report(test, id, '12', 3);
    expect(captured(id)).toEqual(['33=3', '12=18.5', 'D=26']);
  });

  it.each([
    [0, ['B0=1', 'B2=0', '12=20', 'D=24', '29=60']],
    [1, ['B0=1', 'B2=1', '12=20', '29=60']],
    [2, ['B0=1', 'B2=2', 'D=24', '29=60']],
  ])('takes the targets that mode %i of a heater cooler uses', (mode, expected) => {
    const id = attach(
      test,
      accessoryOf('Air conditioner', [
        service('8', 'BC', [
          characteristic('9', 'B0', 'uint8', 1, { minValue: 0, maxValue: 1 }),
          characteristic('10', 'B2', 'uint8', mode, { minValue: 0, maxValue: 2 }),
          characteristic('11', '12', 'float', 20, { minValue: 0, maxValue: 25 }),
          characteristic('12', 'D', 'float', 24, { minValue: 10, maxValue: 35 }),
          characteristic('13', '29', 'float', 60, { minValue: 0, maxValue: 100 }),
        ]),
      ]),
    );
    expect(captured(id)).toEqual(expected);
  });

  it('takes the speed of a fan that runs', () => {
    const id = attach(
      test,
      accessoryOf('Fan', [
        service('8', 'B7', [
          characteristic('9', 'B0', 'uint8', 1, { minValue: 0, maxValue: 1 }),
          characteristic('10', '29', 'float', 40, { minValue: 0, maxValue: 100 }),
        ]),
      ]),
    );
    expect(captured(id)).toEqual(['B0=1', '29=40']);
    report(test, id, '9', 0);
    expect(captured(id)).toEqual(['B0=0']);
  });

  it('takes where a blind is going', () => {
    expect(captured(attach(test, blind('Blind', 35)))).toEqual(['7C=35']);
  });
});

describe('capturing virtual accessories', () => {
  const make = (name: string, type: string, fields: object = {}) =>
    test.virtuals.create(systemCaller, { homeId: test.home.id, name, type, ...fields });

  it('takes the values that they hold, which executing the scene gives back to them', async () => {
    const guests = make('Guests', 'input_boolean');
    const mode = make('Mode', 'input_select', { options: ['Home', 'Away'] });
    const volume = make('Volume', 'input_number', { min: 0, max: 10, step: 1 });
    test.virtuals.operate(systemCaller, guests.id, 'turn_on');
    test.virtuals.operate(systemCaller, volume.id, 'set', 7);
    const scene = capture([guests.id, mode.id, volume.id]);
    expect(scene.actions.map(({ value }) => value)).toEqual([true, 'Home', 7]);
    test.virtuals.operate(systemCaller, guests.id, 'turn_off');
    test.virtuals.operate(systemCaller, mode.id, 'set', 'Away');
    test.virtuals.operate(systemCaller, volume.id, 'set', 1);
    expect(await test.scenes.execute(systemCaller, scene.id)).toMatchObject({ success: true, failed: 0 });
    const values = [guests, mode, volume].map(
      ({ id }) => test.state.accessory(id)?.services.at(-1)?.characteristics[0],
    );
    expect(values.map((one) => one?.value)).toEqual([true, 'Home', 7]);
  });

  it('leaves timers alone, and what people only read', () => {
    const timer = make('Timer', 'timer', { duration: 60 });
    const shownOnly = make('Shown', 'counter', { controllable: false });
    expect(() => capture([timer.id, shownOnly.id])).toThrow(NOTHING);
  });
});

describe('what could grant access', () => {
  it('is captured closed, locked and armed only', () => {
    expect(captured(attach(test, lock('Lock', 1, 1)))).toEqual(['1E=1']);
    expect(captured(attach(test, garageDoor('Garage', 1, 1)))).toEqual(['32=1']);
    expect(captured(attach(test, blind('Front door', 0, '81')))).toEqual(['7C=0']);
    expect(captured(attach(test, blind('Window', 0, '8B')))).toEqual(['7C=0']);
    expect(captured(attach(test, alarm('Alarm', 1)))).toEqual(['67=1']);
  });

  it.each([
    ['an unlocked lock', lock('Lock', 0, 0)],
    ['a lock that is on its way', lock('Lock', 0, 1)],
    ['an open garage door', garageDoor('Garage', 0, 0)],
    ['an open door', blind('Door', 100, '81')],
    ['a window ajar', blind('Window', 5, '8B')],
    ['a disarmed alarm', alarm('Alarm', 3)],
  ])('is never captured as %s', (_, accessory) => {
    const id = attach(test, accessory);
    expect(() => capture([id])).toThrow(NOTHING);
  });
});

describe('capturing', () => {
  it('takes everything of the home that applies, if no accessory is named', () => {
    attach(test, lampShowing('Lamp', { '25': true, '8': 30 }));
    attach(test, motionSensor());
    const vanished = attach(test, outlet('Vanished', true));
    test.driver.describe(test.state.accessory(vanished)?.address.source ?? '', []);
    const cottage = test.homes.create(systemCaller, { name: 'Cottage' });
    attach(test, lamp('Cottage Lamp'), cottage.id);
    expect(new Set(capture().actions.map(({ accessoryId }) => test.state.accessory(accessoryId)?.name))).toEqual(
      new Set(['Lamp']),
    );
  });

  it('takes the last known values of what can’t be reached', () => {
    const id = attach(test, outlet('Outlet', true));
    test.driver.setReachable(test.state.accessory(id)?.address.source ?? '', false);
    expect(captured(id)).toEqual(['25=true']);
  });

  it('makes a scene that brings everything back', async () => {
    const id = attach(test, lampShowing('Lamp', { '25': true, '8': 30, '13': 200, '2F': 80 }));
    const scene = capture([id, id.toUpperCase()]);
    for (const [iid, value] of [
      ['9', false],
      ['10', 99],
      ['11', 3],
    ] as const)
      report(test, id, iid, value);
    expect(await test.scenes.execute(systemCaller, scene.id)).toMatchObject({ success: true });
    const values = ['9', '10', '11', '12'].map((iid) => test.state.characteristic({ accessoryId: id, iid })?.value);
    expect(values).toEqual([true, 30, 200, 80]);
  });

  it('leaves out what a device reports and would not take', () => {
    expect(captured(attach(test, lampShowing('Lamp', { '25': true, '8': 250, '13': 5 })))).toEqual([
      '25=true',
      '13=5',
      '2F=0',
    ]);
  });

  it('refuses what it can’t make a scene of, and makes nothing', () => {
    const sensor = attach(test, motionSensor());
    const outletId = attach(test, outlet('Outlet', true));
    expect(() => capture([sensor])).toThrow(NOTHING);
    expect(() => capture([])).toThrow(NOTHING);
    expect(() => capture([outletId, 'nothing'])).toThrow(
      code('accessory_not_found', 'accessoryIds[1]: Accessory not found'),
    );
    expect(() => capture([outletId], 'Now!')).toThrow(code('invalid_value'));
    expect(() => capture([outletId], 'Leave Home')).toThrow(code('conflict'));
    const controller = tokenCaller({ [test.home.id]: 'control' });
    expect(() => capture([outletId], 'Now', controller)).toThrow(code('insufficient_permissions'));
    expect(test.scenes.list(systemCaller)).toEqual([]);
  });
});
