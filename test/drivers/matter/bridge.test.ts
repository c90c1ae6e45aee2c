import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withLockPin, withLockPinFeatures } from '../../../src/app/publications/matter/opening-clusters.ts';
import type {
  MatterClusters,
  MatterDeviceType,
  MatterEndpoint,
  MatterPress,
  MatterWriteResult,
} from '../../../src/home/matter-port.ts';
import { eventually } from '../../support/e2e-relay.ts';
import { describeWithNamespaces } from '../../support/network-namespace.ts';
import { FakeMatterHome, MemoryMatterStorage } from './fake-home.ts';
import { type Controller, MatterNetwork, type OpenedBridge } from './matter-network.ts';
import { SAMPLES } from './sample-endpoints.ts';

const NOW = { transitionTime: 0, optionsMask: { executeIfOff: true }, optionsOverride: { executeIfOff: true } };

/** What a controller asks of an endpoint, and what reaches the home. */
const COMMANDS: readonly {
  readonly of: MatterDeviceType;
  readonly command: readonly [cluster: string, command: string, fields?: object];
  readonly reaches: MatterClusters;
}[] = [
  { of: 'onOffLight', command: ['onOff', 'on'], reaches: { onOff: { onOff: true } } },
  { of: 'onOffPlugInUnit', command: ['onOff', 'toggle'], reaches: { onOff: { onOff: true } } },
  {
    of: 'dimmableLight',
    command: ['levelControl', 'moveToLevelWithOnOff', { level: 200, ...NOW }],
    reaches: { levelControl: { currentLevel: 200 }, onOff: { onOff: true } },
  },
  {
    of: 'colorTemperatureLight',
    command: ['colorControl', 'moveToColorTemperature', { colorTemperatureMireds: 250, ...NOW }],
    reaches: { colorControl: { colorTemperatureMireds: 250, colorMode: 2 } },
  },
  {
    of: 'extendedColorLight',
    command: ['colorControl', 'moveToHueAndSaturation', { hue: 120, saturation: 200, ...NOW }],
    reaches: { colorControl: { currentHue: 120, currentSaturation: 200, colorMode: 0 } },
  },
  { of: 'doorLock', command: ['doorLock', 'unlockDoor', {}], reaches: { doorLock: { lockState: 2 } } },
  {
    of: 'thermostat',
    command: ['thermostat', 'setpointRaiseLower', { mode: 0, amount: 10 }],
    reaches: { thermostat: { occupiedHeatingSetpoint: 2_100 } },
  },
  {
    of: 'windowCovering',
    command: ['windowCovering', 'goToLiftPercentage', { liftPercent100thsValue: 4_000 }],
    reaches: { windowCovering: { targetPositionLiftPercent100ths: 4_000 } },
  },
  {
    of: 'waterValve',
    command: ['valveConfigurationAndControl', 'open', {}],
    reaches: { valveConfigurationAndControl: { targetState: 1 } },
  },
];

const ATTRIBUTE_WRITES: readonly { readonly of: MatterDeviceType; readonly clusters: MatterClusters }[] = [
  { of: 'thermostat', clusters: { thermostat: { systemMode: 3 } } },
  { of: 'fan', clusters: { fanControl: { percentSetting: 60 } } },
  { of: 'airPurifier', clusters: { fanControl: { fanMode: 3 } } },
];

/** What the home reports, and subscribers receive. */
const REPORTS: readonly { readonly of: MatterDeviceType; readonly clusters: MatterClusters }[] = [
  { of: 'contactSensor', clusters: { booleanState: { stateValue: false } } },
  { of: 'contactSensor', clusters: { powerSource: { batPercentRemaining: 20, batChargeLevel: 1 } } },
  { of: 'occupancySensor', clusters: { occupancySensing: { occupancy: { occupied: true } } } },
  { of: 'temperatureSensor', clusters: { temperatureMeasurement: { measuredValue: -500 } } },
  { of: 'humiditySensor', clusters: { relativeHumidityMeasurement: { measuredValue: 6_100 } } },
  { of: 'lightSensor', clusters: { illuminanceMeasurement: { measuredValue: 31_000 } } },
  { of: 'pressureSensor', clusters: { pressureMeasurement: { measuredValue: 987 } } },
  { of: 'waterLeakDetector', clusters: { booleanState: { stateValue: true } } },
  { of: 'smokeCoAlarm', clusters: { smokeCoAlarm: { smokeState: 2, expressedState: 1 } } },
  {
    of: 'airQualitySensor',
    clusters: { airQuality: { airQuality: 4 }, pm25ConcentrationMeasurement: { measuredValue: 80 } },
  },
  { of: 'doorLock', clusters: { doorLock: { lockState: 1 } } },
  { of: 'windowCovering', clusters: { windowCovering: { currentPositionLiftPercent100ths: 4_000 } } },
];

const PRESSES: Readonly<Record<MatterPress, readonly string[]>> = {
  single: ['initialPress', 'shortRelease', 'multiPressComplete'],
  double: ['initialPress', 'shortRelease', 'initialPress', 'multiPressOngoing', 'shortRelease', 'multiPressComplete'],
  long: ['initialPress', 'longPress', 'longRelease'],
};

const REFUSALS: readonly { readonly answer: MatterWriteResult; readonly status: number }[] = [
  { answer: 'unreachable', status: 0x94 },
  { answer: 'busy', status: 0x9c },
  { answer: 'denied', status: 0x7e },
  { answer: 'invalid', status: 0x87 },
  { answer: 'failed', status: 0x01 },
];

describeWithNamespaces('a Matter bridge and matter.js’s controller', () => {
  const home = new FakeMatterHome(Object.values(SAMPLES));
  let network: MatterNetwork;
  let bridge: OpenedBridge;
  let controller: Controller;

  beforeAll(async () => {
    network = await MatterNetwork.create();
    [bridge, controller] = await Promise.all([
      network.bridge({ content: home, storage: new MemoryMatterStorage() }),
      network.controller('First'),
    ]);
    await controller.commission(bridge.open.manualCode);
  }, 180_000);

  afterAll(async () => {
    await network?.remove();
  });

  it('has Matter’s own port', () => {
    expect(bridge.open.port).toBe(5_540);
  });

  it('shows every endpoint with its number, its unique id and its name', async () => {
    const shown = await controller.endpoints();
    const expected = Object.values(SAMPLES).map(({ number, uniqueId, name }) => ({ number, uniqueId, label: name }));
    expect(shown.filter(({ uniqueId }) => uniqueId !== null)).toEqual(
      expect.arrayContaining(expected.map((one) => expect.objectContaining(one))),
    );
    expect(shown).toHaveLength(expected.length + 2);
  });

  it.each(COMMANDS)('hands a command for a $of to the home', async ({ of, command, reaches }) => {
    const { key, number } = SAMPLES[of];
    home.writes.length = 0;
    await controller.invoke(number, ...command);
    expect(home.writes).toEqual([{ key, fabricIndex: 1, clusters: reaches }]);
  });

  it.each(ATTRIBUTE_WRITES)('hands a written attribute of a $of to the home', async ({ of, clusters }) => {
    const { key, number } = SAMPLES[of];
    home.writes.length = 0;
    for (const [cluster, values] of Object.entries(clusters)) await controller.write(number, cluster, values);
    expect(home.writes).toEqual([{ key, fabricIndex: 1, clusters }]);
  });

  it('hands the stop of a covering to the home', async () => {
    await controller.invoke(SAMPLES.windowCovering.number, 'windowCovering', 'stopMotion');
    expect(home.stops).toEqual([SAMPLES.windowCovering.key]);
  });

  it('asks the home to identify a device', async () => {
    await controller.invoke(SAMPLES.onOffLight.number, 'identify', 'identify', { identifyTime: 2 });
    await eventually(() => home.identified.includes(SAMPLES.onOffLight.key), 'identify');
  });

  it.each(REPORTS)('reports a change of a $of to subscribers', async ({ of, clusters }) => {
    const { key, number } = SAMPLES[of];
    bridge.valuesChanged(key, clusters);
    for (const [cluster, values] of Object.entries(clusters)) {
      await eventually(async () => {
        const state = await controller.state(number, cluster);
        return Object.entries(values).every(([name, value]) => holds(state[name], value));
      }, `${cluster} of ${key}`);
    }
  });

  it.each(Object.entries(PRESSES))('sends the events of a %s press of a button', async (press, names) => {
    const { key, number } = SAMPLES.genericSwitch;
    await controller.events(number, 'switch');
    bridge.pressed(key, press as MatterPress);
    const seen: string[] = [];
    await eventually(async () => {
      seen.push(...(await controller.events(number, 'switch')).map(({ name }) => name));
      return seen.length >= names.length;
    }, 'the events');
    expect(seen).toEqual(names);
  });

  it.each(REFUSALS)(
    'answers status $status and keeps the value when the home answers "$answer"',
    async ({ answer, status }) => {
      const { number } = SAMPLES.onOffLight;
      home.answer = () => answer;
      const { onOff } = await controller.read(number, 'onOff');
      await expect(controller.invoke(number, 'onOff', 'toggle')).rejects.toThrow(`status ${status}`);
      home.answer = () => 'ok';
      expect(await controller.read(number, 'onOff')).toMatchObject({ onOff });
    },
  );

  it('does not let a device that takes its time hold the others up', async () => {
    let finish = (_: MatterWriteResult): void => {};
    home.answer = () =>
      new Promise((resolve) => {
        finish = resolve;
      });
    home.writes.length = 0;
    const slow = controller.invoke(SAMPLES.onOffLight.number, 'onOff', 'toggle');
    await eventually(() => home.writes.length > 0, 'the command');
    bridge.valuesChanged(SAMPLES.onOffLight.key, { onOff: { onOff: false } });
    bridge.valuesChanged(SAMPLES.humiditySensor.key, { relativeHumidityMeasurement: { measuredValue: 1_200 } });
    await eventually(async () => {
      const { measuredValue } = await controller.state(SAMPLES.humiditySensor.number, 'relativeHumidityMeasurement');
      return measuredValue === 1_200;
    }, 'the value of another device');
    home.answer = () => 'ok';
    finish('ok');
    await slow;
    await eventually(
      async () => (await controller.state(SAMPLES.onOffLight.number, 'onOff')).onOff === false,
      'its value',
    );
  });

  it('adds, renames and removes endpoints, and shows which are unreachable', async () => {
    const { key, number } = SAMPLES.onOffPlugInUnit;
    const added = { ...SAMPLES.onOffPlugInUnit, key: 'later', number: 200, uniqueId: 'unique-later', name: 'Later' };
    home.add(added);
    home.change(key, { name: 'Another name', reachable: false });
    bridge.endpointsChanged();
    const find = async (wanted: number) => (await controller.endpoints()).find((one) => one.number === wanted);
    await eventually(async () => (await find(200))?.label === 'Later', 'the new endpoint');
    await eventually(async () => (await find(number))?.reachable === false, 'the unreachable one');
    expect(await find(number)).toMatchObject({ label: 'Another name' });
    home.remove('later');
    bridge.endpointsChanged();
    await eventually(async () => (await find(200)) === undefined, 'the endpoint to go');
    home.change(key, { name: SAMPLES.onOffPlugInUnit.name, reachable: true });
    bridge.endpointsChanged();
    await eventually(async () => (await find(number))?.reachable === true, 'the reachable one');
  });

  it('shows many endpoints that come or go together at once, and a refused one when it is taken', async () => {
    const before = Object.keys(SAMPLES).length;
    const numbers = Array.from({ length: 40 }, (_, index) => 300 + index);
    const lamp = (number: number) => ({ ...SAMPLES.dimmableLight, key: `n${number}`, number, uniqueId: `u${number}` });
    expect(await controller.lists()).toEqual([]);
    for (const number of numbers) home.add(lamp(number));
    home.add({ ...lamp(299), clusters: { onOff: { onOff: false }, levelControl: { currentLevel: 999 } } });
    bridge.endpointsChanged();
    const shown = async () => (await controller.endpoints()).filter(({ number }) => number >= 299);
    await eventually(async () => (await shown()).filter(({ label }) => label !== null).length === 40, 'the new ones');
    expect((await shown()).map(({ number }) => number).sort()).toEqual(numbers);
    // One more is for a machine that is held up in the middle. One by one they took four or five.
    const added = await controller.lists();
    expect([added.at(-1), added.length <= 2]).toEqual([before + 40, true]);
    const { clusters } = SAMPLES.dimmableLight;
    home.change('n299', { clusters });
    bridge.valuesChanged('n299', clusters);
    await eventually(async () => (await shown()).some((one) => one.number === 299), 'what the library takes by now');
    await controller.lists();
    for (const number of [299, ...numbers]) home.remove(`n${number}`);
    bridge.endpointsChanged();
    await eventually(async () => (await shown()).length === 0, 'them to go');
    const removed = await controller.lists();
    expect([removed.at(-1), removed.length <= 2]).toEqual([before, true]);
  });

  describe('a lock with a PIN', () => {
    const { key, number, clusters: plain } = SAMPLES.doorLock;
    const WITHOUT_PIN = { pinCredential: false, credentialOverTheAirAccess: false, user: false };
    const operate = (command: 'lockDoor' | 'unlockDoor', pinCode?: string) =>
      controller.invoke(number, 'doorLock', command, pinCode === undefined ? {} : { pinCode });
    const lock = () => controller.read(number, 'doorLock');
    const eventsSince = async (count: number) => {
      const seen: object[] = [];
      await eventually(async () => {
        seen.push(...(await controller.events(number, 'doorLock')));
        return seen.length >= count;
      }, 'the events');
      return seen;
    };
    const change = async (changes: Partial<MatterEndpoint>, version: number) => {
      home.change(key, changes);
      home.version = version;
      bridge.endpointsChanged();
      await eventually(async () => {
        const { configurationVersion } = await controller.read(number, 'bridgedDeviceBasicInformation');
        return configurationVersion === version;
      }, 'the other lock');
    };

    it('is another lock of the same number and ids, which controllers learn', async () => {
      expect(await lock()).toMatchObject({ featureMap: WITHOUT_PIN });
      expect((await lock()).acceptedCommandList).toEqual([0, 1]);
      const before = await controller.endpoints();
      const doorLock = { ...plain.doorLock, ...withLockPin({ doorLock: {} }).doorLock };
      await change({ clusters: { ...plain, doorLock }, features: withLockPinFeatures({ doorLock: [] }) }, 2);
      expect(await controller.endpoints()).toEqual(before);
      expect(await lock()).toMatchObject({
        ...{ requirePinForRemoteOperation: true, minPinCodeLength: 4, maxPinCodeLength: 8 },
        ...{ wrongCodeEntryLimit: 5, userCodeTemporaryDisableTime: 60 },
        featureMap: { pinCredential: true, credentialOverTheAirAccess: true, user: true },
      });
      await eventually(async () => {
        const { featureMap } = await controller.state(number, 'doorLock');
        return (featureMap as { pinCredential?: boolean }).pinCredential === true;
      }, 'the report of its features');
      expect(await controller.read(0, 'basicInformation')).toMatchObject({ configurationVersion: 2 });
    });

    it('hands the PIN to the home, which decides', async () => {
      await controller.events(number, 'doorLock');
      home.writes.length = 0;
      const asked = { key, fabricIndex: 1 };
      await operate('unlockDoor', '4711');
      await operate('lockDoor', '4711');
      expect(home.writes).toEqual([
        { ...asked, clusters: { doorLock: { lockState: 2 } }, pin: '4711' },
        { ...asked, clusters: { doorLock: { lockState: 1 } }, pin: '4711' },
      ]);
      const by = { name: 'lockOperation', userIndex: 1, credentials: [{ credentialType: 1, credentialIndex: 1 }] };
      expect(await eventsSince(2)).toMatchObject([
        { ...by, lockOperationType: 1 },
        { ...by, lockOperationType: 0 },
      ]);
    });

    it('refuses as the home does, stays as it is, and sends the events of it', async () => {
      for (const [answer, events] of [
        ['no_pin', ['lockOperationError']],
        ['wrong_pin', ['lockOperationError']],
        ['last_wrong_pin', ['doorLockAlarm', 'lockOperationError']],
        ['pin_blocked', ['lockOperationError']],
      ] as const) {
        home.answer = () => answer;
        await expect(operate('unlockDoor', '0815')).rejects.toThrow('status 1');
        expect((await eventsSince(events.length)).map((event) => (event as { name: string }).name)).toEqual(events);
      }
      home.answer = () => 'unreachable';
      await expect(operate('unlockDoor', '4711')).rejects.toThrow('status 148');
      home.answer = () => 'ok';
      expect(await lock()).toMatchObject({ lockState: 1 });
    });

    it('lets controllers neither add, read nor remove a PIN, nor change its rules', async () => {
      const credential = { credentialType: 1, credentialIndex: 1 };
      const invoke = (command: string, fields: object) => controller.invoke(number, 'doorLock', command, fields);
      const user = { userName: 'Eve', userUniqueId: null, userStatus: 1, userType: 0, credentialRule: 0 };
      const added = { operationType: 0, userIndex: null, userStatus: null, userType: null, credentialData: '1234' };
      expect(await invoke('setCredential', { ...added, credential })).toMatchObject({ status: 1 });
      expect(await invoke('setCredential', { ...added, operationType: 2, credential })).toMatchObject({ status: 1 });
      await expect(invoke('setUser', { operationType: 0, userIndex: 1, ...user })).rejects.toThrow('status 1');
      await expect(invoke('clearUser', { userIndex: 1 })).rejects.toThrow('status 1');
      await expect(invoke('clearCredential', { credential })).rejects.toThrow('status 1');
      expect(await invoke('getUser', { userIndex: 1 })).toMatchObject({ userStatus: 1, credentials: [credential] });
      expect(await invoke('getCredentialStatus', { credential })).toMatchObject({ credentialExists: true });
      for (const values of [
        { requirePinForRemoteOperation: false },
        { wrongCodeEntryLimit: 255 },
        { userCodeTemporaryDisableTime: 1 },
      ]) {
        await expect(controller.write(number, 'doorLock', values)).rejects.toThrow('status 136');
      }
    });

    it('takes no PIN any more once that is off', async () => {
      const before = await controller.endpoints();
      await change({ clusters: plain, features: SAMPLES.doorLock.features }, 3);
      expect(await controller.endpoints()).toEqual(before);
      expect(await lock()).toMatchObject({ featureMap: WITHOUT_PIN });
      home.writes.length = 0;
      await operate('unlockDoor');
      expect(home.writes).toEqual([{ key, fabricIndex: 1, clusters: { doorLock: { lockState: 2 } } }]);
    });
  });

  describe('the commissioning window', () => {
    it('is closed once there is a fabric, and lets a second one in while it is open', async () => {
      expect(bridge.open).toMatchObject({ windowEndsAt: null, fabrics: [{ index: 1, label: 'First' }] });
      await bridge.openWindow(300);
      expect(bridge.open.windowEndsAt).toBeGreaterThan(Date.now());
      const second = await network.controller('Second');
      await second.commission(bridge.open.manualCode);
      await eventually(() => bridge.open.fabrics.length === 2, 'the second fabric');
      await eventually(() => bridge.open.windowEndsAt === null, 'the window to close');
      home.writes.length = 0;
      await second.invoke(SAMPLES.onOffLight.number, 'onOff', 'toggle');
      expect(home.writes).toMatchObject([{ fabricIndex: 2 }]);
    });

    it('closes when it is asked to', async () => {
      await bridge.openWindow(300);
      await bridge.closeWindow();
      await eventually(() => bridge.open.windowEndsAt === null, 'the window to close');
    });

    it('removes one fabric and leaves the other', async () => {
      await bridge.removeFabric(2);
      await eventually(() => bridge.open.fabrics.length === 1, 'the fabric to go');
      await controller.invoke(SAMPLES.onOffLight.number, 'onOff', 'toggle');
    });
  });
});

/** Bitmaps have fields that the home does not name. */
function holds(actual: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return actual === expected;
  const fields = actual as Readonly<Record<string, unknown>> | undefined;
  return Object.entries(expected).every(([name, value]) => fields?.[name] === value);
}
