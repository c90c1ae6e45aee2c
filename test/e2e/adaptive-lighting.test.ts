/**
 * A lamp of HAP-NodeJS that runs schedules by itself, with the `AdaptiveLightingController` that plugins of Homebridge
 * use: the relay writes the day into it, and it goes on while the relay is off.
 */
import { once } from 'node:events';
import {
  Accessory,
  AdaptiveLightingController,
  type AdaptiveLightingControllerMode,
  type Categories,
  Characteristic,
  Service,
  uuid,
} from '@homebridge/hap-nodejs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/kernel/clock.ts';
import { keepOnLoopback } from '../support/accessories/demo-home/loopback-only.ts';
import { testStorage, useHapStorage } from '../support/accessories/hap-storage.ts';
import { createDeviceId, createSetupCode } from '../support/accessories/identity.ts';
import { E2eRelay, eventually } from '../support/e2e-relay.ts';

/** HAP-NodeJS runs the schedule. */
const AUTOMATIC = 1 as AdaptiveLightingControllerMode;
const LIGHTBULB = 5 as Categories;

const NAME = 'Adaptive Lamp';
const deviceId = createDeviceId(NAME);
const setupCode = createSetupCode(NAME);

/** The relay looks after its lamps once a minute. */
const HASTE = 5;
let haste = 1;
let [passed, lookedAt] = [0, systemClock.monotonic()];

/** Runs `haste` times as fast as the machine's, the time of day as ever. */
const clock: Clock = {
  now: () => systemClock.now(),
  monotonic() {
    const at = systemClock.monotonic();
    passed += (at - lookedAt) * haste;
    lookedAt = at;
    return passed;
  },
  after: (delayMs, callback) => systemClock.after(delayMs / haste, callback),
};

function hasten(times: number): void {
  clock.monotonic();
  haste = times;
}

let relay: E2eRelay;
let accessory: Accessory;
let lamp: Service;
let controller: AdaptiveLightingController;
let path: string;

/** Mireds that HAP-NodeJS has set on its lamp. */
const mireds = () => lamp.getCharacteristic(Characteristic.ColorTemperature).value as number;
const statusOf = async () => (await relay.get(path)).body.lamps[0];
const until = (what: string, isSo: () => boolean | Promise<boolean>) =>
  eventually(async () => ((await isSo()) ? true : undefined), what);

beforeAll(async () => {
  useHapStorage(testStorage());
  keepOnLoopback();
  accessory = new Accessory(NAME, uuid.generate(NAME));
  lamp = accessory.addService(Service.Lightbulb, NAME);
  lamp.setCharacteristic(Characteristic.On, true).setCharacteristic(Characteristic.Brightness, 100);
  lamp.getCharacteristic(Characteristic.ColorTemperature).updateValue(153).setProps({ minValue: 153, maxValue: 454 });
  lamp.setCharacteristic(Characteristic.Hue, 0).setCharacteristic(Characteristic.Saturation, 0);
  controller = new AdaptiveLightingController(lamp, { controllerMode: AUTOMATIC });
  accessory.configureController(controller);
  const advertised = once(accessory, 'advertised');
  await accessory.publish({
    ...{ username: deviceId, pincode: setupCode as `${number}-${number}-${number}`, category: LIGHTBULB },
    ...{ port: 0, bind: '127.0.0.1', addIdentifyingMaterial: false },
  });
  await advertised;
  relay = await E2eRelay.start({ overrides: { clock } });
  expect((await relay.pair({ deviceId, setupCode })).status).toBe(200);
  await relay.untilStatus(deviceId, 'connected');
  const [home] = (await relay.get('/rest/homes')).body;
  path = `/rest/homes/${home.id}/adaptive-lighting`;
});

afterAll(async () => {
  await relay[Symbol.asyncDispose]();
  await accessory.unpublish();
});

describe('a lamp that runs schedules by itself', () => {
  it('gets the day written into it, and follows it', async () => {
    expect(await statusOf()).toMatchObject({ runBy: 'lamp', status: 'off' });

    await relay.request('PATCH', path, { enabled: true, warmest: 420, coldest: 420 });
    await until('the schedule to run', () => controller.isAdaptiveLightingActive());
    await until('the lamp to be as the schedule asks for', () => mireds() === 420);
    const curve = controller.getAdaptiveLightingTransitionCurve();
    expect(curve.length).toBe(42);
    expect(curve.every(({ temperature }) => temperature === 420)).toBe(true);
    expect(controller.getAdaptiveLightingUpdateInterval()).toBe(60_000);
    expect(controller.getAdaptiveLightingBrightnessMultiplierRange()).toEqual({
      minBrightnessValue: 10,
      maxBrightnessValue: 100,
    });
    expect(await statusOf()).toMatchObject({ status: 'following' });
  });

  it('gets another schedule when the settings change, and is warmer where it is dimmer', async () => {
    const { body } = await relay.request('PATCH', path, { warmest: 420, coldest: 160, wake: '00:00', sleep: '23:59' });
    await until('the lamp to have the colour of the relay', () => Math.abs(mireds() - body.mireds) <= 2);
    await relay.set(NAME, { brightness: 10 });
    const dimmed = Math.min(420, body.mireds + 45);
    await until('the lamp to be warmer', () => Math.abs(mireds() - dimmed) <= 3);
    expect(controller.isAdaptiveLightingActive()).toBe(true);
    expect(await statusOf()).toMatchObject({ status: 'following' });
  });

  it('goes on while the relay is off, and is known again afterwards', async () => {
    await relay.stop();
    expect(controller.isAdaptiveLightingActive()).toBe(true);
    lamp.setCharacteristic(Characteristic.Brightness, 100);
    const before = controller.getAdaptiveLightingStartTimeOfTransition();
    hasten(HASTE);
    await relay.start();
    await relay.untilStatus(deviceId, 'connected');
    await until('the schedule to be renewed', () => controller.getAdaptiveLightingStartTimeOfTransition() > before);
    hasten(1);
    expect(await statusOf()).toMatchObject({ status: 'following', runBy: 'lamp' });
  });

  it('is paused by a colour that someone sets through the relay, until it was off', async () => {
    await relay.set(NAME, { color_temp: 300 });
    await until('the schedule to end', () => !controller.isAdaptiveLightingActive());
    expect(await statusOf()).toMatchObject({ status: 'paused' });
    expect(mireds()).toBe(300);
    await relay.set(NAME, { on: false });
    await relay.set(NAME, { on: true });
    await until('the schedule to run again', () => controller.isAdaptiveLightingActive());
  });

  it('is paused when the lamp ends the schedule by itself', async () => {
    await relay.untilState(NAME, 'characteristic_value_active_transition_count', 1);
    controller.disableAdaptiveLighting();
    await until('the relay to notice', async () => (await statusOf()).status === 'paused');
    await relay.set(NAME, { adaptive_lighting: true });
    await until('the schedule to run again', () => controller.isAdaptiveLightingActive());
  });

  it('loses the schedule when adaptive lighting is switched off', async () => {
    await relay.set(NAME, { adaptive_lighting: false });
    await until('the schedule to end', () => !controller.isAdaptiveLightingActive());
    expect(await statusOf()).toMatchObject({ status: 'off', setting: 'off' });
  });
});
