import { afterAll, beforeAll, expect, it } from 'vitest';
import type { MatterChild } from '../../../src/drivers/matter/child-process.ts';
import { eventually } from '../../support/e2e-relay.ts';
import { describeWithNamespaces } from '../../support/network-namespace.ts';
import { FakeMatterHome, MemoryMatterStorage } from './fake-home.ts';
import { type Controller, MatterNetwork, type OpenedBridge } from './matter-network.ts';
import { SAMPLES } from './sample-endpoints.ts';

const LAMP = SAMPLES.onOffLight;
const SENSOR = SAMPLES.temperatureSensor;

describeWithNamespaces('a Matter bridge whose process ends', () => {
  const home = new FakeMatterHome([LAMP, SENSOR]);
  const storage = new MemoryMatterStorage();
  const children: MatterChild[] = [];
  let network: MatterNetwork;
  let bridge: OpenedBridge;
  let controller: Controller;

  const open = async () => {
    const spawn = () => {
      const child = network.spawn();
      children.push(child);
      return child;
    };
    bridge = await network.bridge({ content: home, storage, spawn });
  };
  const kill = () => children.at(-1)?.process.kill('SIGKILL');
  const temperature = async () => (await controller.state(SENSOR.number, 'temperatureMeasurement')).measuredValue;

  beforeAll(async () => {
    network = await MatterNetwork.create();
    [, controller] = await Promise.all([open(), network.controller('First')]);
    await controller.commission(bridge.open.manualCode);
  }, 180_000);

  afterAll(async () => {
    await network?.remove();
  });

  it('is back by itself after a kill, with its fabric, and reports what changed meanwhile', async () => {
    kill();
    await eventually(() => bridge.status.state === 'starting', 'the end to be noticed');
    const changed = { temperatureMeasurement: { measuredValue: 1_234 } };
    home.change(SENSOR.key, {
      clusters: {
        temperatureMeasurement: { ...SENSOR.clusters.temperatureMeasurement, ...changed.temperatureMeasurement },
      },
    });
    bridge.valuesChanged(SENSOR.key, changed);
    const { fabrics } = await bridge.opened();
    expect(fabrics).toMatchObject([{ index: 1, label: 'First' }]);
    // The library's controller subscribes again when it finds out that its session is gone, at its own pace.
    await eventually(async () => (await temperature()) === 1_234, 'the value to be reported', 180_000);
    await controller.invoke(LAMP.number, 'onOff', 'on');
  }, 300_000);

  it('keeps endpoint numbers and unique ids through a stop and a start', async () => {
    const before = await controller.endpoints();
    await bridge.stop();
    expect(bridge.status).toEqual({ state: 'stopped' });
    await open();
    await eventually(async () => {
      await controller.read(LAMP.number, 'onOff');
      return true;
    }, 'an answer');
    expect(await controller.endpoints()).toEqual(before);
  }, 240_000);

  it('loses nothing when it is killed at any moment', async () => {
    for (let moment = 0; moment < 4; moment += 1) {
      await new Promise((resolve) => setTimeout(resolve, moment * 150));
      kill();
      await eventually(() => bridge.status.state !== 'open', 'the end to be noticed');
      await bridge.opened();
    }
    expect(bridge.open.fabrics).toMatchObject([{ index: 1, label: 'First' }]);
    await eventually(async () => {
      await controller.invoke(LAMP.number, 'onOff', 'toggle').catch(() => {});
      return home.writes.some(({ key }) => key === LAMP.key);
    }, 'a command');
  }, 300_000);

  it('writes nothing to the disk for values that the home knows', async () => {
    await eventually(async () => {
      const before = storage.applied;
      bridge.valuesChanged(LAMP.key, { onOff: { onOff: true } });
      bridge.valuesChanged(LAMP.key, { onOff: { onOff: false } });
      await controller.read(LAMP.number, 'onOff');
      return storage.applied === before;
    }, 'a change without a write');
  }, 60_000);

  it('takes another port if its own is taken', async () => {
    await bridge.stop();
    const free = await network.occupy(5_540);
    await open();
    expect(bridge.open.port).not.toBe(5_540);
    free();
  }, 120_000);
});
