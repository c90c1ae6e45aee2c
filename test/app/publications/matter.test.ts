import { afterEach, describe, expect, it } from 'vitest';
import { CHARACTERISTIC } from '../../../src/hap-spec/characteristics.ts';
import type { MatterWriteResult } from '../../../src/home/matter-port.ts';
import type { CharacteristicValue } from '../../../src/home/model.ts';
import { FakeMatterBridges, OPENED_AT } from '../../support/fake-matter-bridges.ts';
import { characteristic, information, plainSwitch, service } from '../../support/sample-accessories.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';
import { systemCaller } from '../../support/test-home.ts';
import { openPublishedHome, type PublishedHome } from './publication-fixture.ts';

const BRIDGE = 'AA:BB:CC:DD:EE:01';
/** Eve's. */
const PRESSURE_SERVICE = 'E863F00A-079E-48FF-8F27-9C2605A29F52';
const PRESSURE_TYPE = 'E863F10F-079E-48FF-8F27-9C2605A29F52';

let home: PublishedHome;
let bridges: FakeMatterBridges;
afterEach(() => home?.close());

async function open(path?: string): Promise<void> {
  bridges = new FakeMatterBridges();
  home = await openPublishedHome({ openMatterBridge: bridges.open, ...(path === undefined ? {} : { path }) });
}

async function restart(path: string): Promise<void> {
  await home.publications.servers.stop();
  home.close();
  await open(path);
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `Switch ${index + 1}`);

function attachSwitches(count: number): void {
  const accessories = numbered(count).map((name, index) => plainSwitch(name, String(index + 2)));
  home.driver.attach(home.home.id, { deviceId: BRIDGE, name: 'Many', setupCode: '031-45-160', accessories });
}

const publish = (input: object = {}) => home.publish({ kind: 'matter', ...input });

async function openAndPublish(input: object = {}) {
  await open();
  return publish(input);
}

function write(name: string, clusters: object): Promise<MatterWriteResult> {
  const { content } = bridges.last.deps;
  const { key } = bridges.last.named(name);
  return content.write({ key, fabricIndex: 1, clusters: clusters as never });
}

function event(name: string, iid: string, value: CharacteristicValue): void {
  const { source, aid } = home.named(name).address;
  home.driver.event(source, aid, iid, value);
}

function stored(name: string, type: string): CharacteristicValue | undefined {
  const { services } = home.named(name);
  return services.flatMap(({ characteristics }) => characteristics).find((one) => one.type === type)?.value;
}

describe('a publication over Matter', () => {
  it('has codes, a passcode that is not trivial, and a bridge of its own', async () => {
    const { status, bridges: shown } = await openAndPublish();
    expect(status).toBe('open');
    expect(shown).toMatchObject([{ name: 'Hearth', port: 5_540, deviceId: null, setupCode: null, controllers: 0 }]);
    const [bridge] = shown;
    expect(bridge?.qrCode).toBe(`MT:${bridge?.discriminator}`);
    expect(bridge?.passcode).toBeGreaterThan(0);
    expect(bridge?.passcode).toBeLessThan(99_999_999);
    expect(bridges.last.deps.identity).toMatchObject({ name: 'Hearth', passcode: bridge?.passcode });
  });

  it('shows a lamp with colors as one, with its power, level and color', async () => {
    await openAndPublish();
    const lamp = bridges.last.named('Lamp');
    expect(lamp).toMatchObject({ deviceType: 'extendedColorLight', vendor: 'Hearth Fixtures', product: 'Sample' });
    expect(lamp.clusters).toMatchObject({
      onOff: { onOff: false },
      levelControl: { currentLevel: 127, minLevel: 1, maxLevel: 254 },
      colorControl: { currentHue: 0, currentSaturation: 0, colorMode: 0 },
      powerSource: { description: 'Mains' },
    });
    expect(lamp.features).toMatchObject({ colorControl: ['HueSaturation', 'Xy', 'ColorTemperature'] });
  });

  it('reports what changed, and only that', async () => {
    await openAndPublish();
    const { key } = bridges.last.named('Lamp');
    bridges.last.values.length = 0;
    event('Lamp', '9', true);
    expect(bridges.last.values).toEqual([{ key, clusters: { onOff: { onOff: true } } }]);
    bridges.last.values.length = 0;
    event('Lamp', '11', 180);
    expect(bridges.last.values).toMatchObject([{ key, clusters: { colorControl: { currentHue: 127, colorMode: 0 } } }]);
  });

  it('writes what a controller changed to the device, in its units', async () => {
    await openAndPublish();
    const clusters = { onOff: { onOff: true }, levelControl: { currentLevel: 254 } };
    expect(await write('Lamp', clusters)).toBe('ok');
    const lamp = home.named('Lamp');
    const value = (iid: string) => home.state.characteristic({ accessoryId: lamp.id, iid })?.value;
    expect([value('9'), value('10')]).toEqual([true, 100]);
    await write('Lamp', { colorControl: { colorMode: 1, currentX: 45_900, currentY: 19_660 } });
    expect(value('12')).toBeGreaterThan(90);
    await write('Lamp', { onOff: { onOff: false }, levelControl: { currentLevel: 1 } });
    expect([value('9'), value('10')]).toEqual([false, 100]);
  });

  it('keeps endpoint numbers and unique ids when things go, come back and a restart is in between', async () => {
    const { id } = await openAndPublish();
    const numbers = () => bridges.last.deps.content.endpoints().map((one) => [one.name, one.number, one.uniqueId]);
    const before = numbers();
    const { selection } = home.publications.get(systemCaller, id);
    const exceptIds = [home.named('Lamp').id];
    await home.publications.update(systemCaller, id, { selection: { ...selection, exceptIds } });
    expect(numbers()).toHaveLength(before.length - 1);
    await home.publications.update(systemCaller, id, { selection });
    expect(numbers()).toEqual(before);
    await home.publications.pause(systemCaller, id);
    expect(bridges.last.status).toEqual({ state: 'stopped' });
    await home.publications.resume(systemCaller, id);
    expect(bridges.all).toHaveLength(2);
    expect(numbers()).toEqual(before);
  });

  it('tries Matter’s own port at each start, unless another publication had it', async () => {
    const { id } = await openAndPublish();
    const first = bridges.last;
    await home.publish({ kind: 'matter', name: 'Second' });
    const second = bridges.last;
    expect([first.deps, second.deps].map((deps) => deps.yieldsMatterPort)).toEqual([false, true]);
    second.port = 5_541;
    second.setFabrics([]);
    const shown = () => home.publications.list(systemCaller).flatMap((one) => one.bridges);
    expect(shown().map(({ port, hasMatterPort }) => [port, hasMatterPort])).toEqual([
      [5_540, true],
      [5_541, false],
    ]);
    await home.publications.pause(systemCaller, id);
    expect(shown()[0]).toMatchObject({ port: null, hasMatterPort: null });
    await home.publications.resume(systemCaller, id);
    expect(bridges.last.deps).toMatchObject({ preferredPort: 5_540, yieldsMatterPort: false });
    await home.publications.delete(systemCaller, id);
    const { id: secondId } = home.publications.list(systemCaller).find(({ name }) => name === 'Second') ?? { id: '' };
    await home.publications.pause(systemCaller, secondId);
    await home.publications.resume(systemCaller, secondId);
    expect(bridges.last.deps).toMatchObject({ preferredPort: 5_541, yieldsMatterPort: false });
  });

  it('gets another identity and an empty storage by a reset', async () => {
    const { id, bridges: before } = await openAndPublish();
    const { bridges: after } = await home.publications.reset(systemCaller, id);
    expect(after[0]?.id).not.toBe(before[0]?.id);
    expect(bridges.all[1]?.deps.identity.uniqueId).not.toBe(bridges.all[0]?.deps.identity.uniqueId);
    expect(bridges.last.deps.storage.load()).toEqual([]);
  });

  it('stores what its bridge stores, in contexts', async () => {
    await openAndPublish();
    const { storage } = bridges.last.deps;
    const set = (context: string, key: string) => ({ type: 'set' as const, context, key, value: Buffer.of(1, 2) });
    storage.apply([set('root', 'a'), set('root.parts', 'b'), set('rooting', 'c'), set('fabrics', 'd')]);
    storage.apply([
      { type: 'clear', context: 'root' },
      { type: 'delete', context: 'fabrics', key: 'd' },
    ]);
    expect(storage.load()).toEqual([{ context: 'rooting', key: 'c', value: Buffer.of(1, 2) }]);
    storage.apply([{ type: 'clear', context: '' }]);
    expect(storage.load()).toEqual([]);
  });

  it('lists the fabrics with the time when they came, and removes one', async () => {
    const { id } = await openAndPublish();
    const fabric = { label: 'Apple', vendorId: 4_937, fabricId: 'A', nodeId: 'B', isConnected: true, lastSeenAt: 5 };
    bridges.last.setFabrics([
      { index: 1, ...fabric },
      { index: 2, ...fabric, fabricId: 'C', vendorId: 4_631, label: '' },
    ]);
    const shown = home.publications.controllers(systemCaller, id);
    expect(shown).toMatchObject([
      {
        identifier: '1',
        name: 'Apple Home (Apple)',
        isAdmin: true,
        isConnected: true,
        pairedAt: home.clock.now(),
        lastSeenAt: 5,
      },
      { identifier: '2', name: 'Alexa' },
    ]);
    home.publications.removeController(systemCaller, id, '2');
    expect(bridges.last.removed).toEqual([2]);
    expect(home.publications.controllers(systemCaller, id)).toHaveLength(1);
    expect(() => home.publications.removeController(systemCaller, id, '7')).toThrow();
    await home.publications.pause(systemCaller, id);
    expect(home.publications.controllers(systemCaller, id)).toMatchObject([{ identifier: '1', isConnected: false }]);
  });

  it('opens and closes its window, and shows its end', async () => {
    const { id, bridges: shown } = await openAndPublish();
    expect(shown).toMatchObject([{ windowEndsAt: null, hasMatterPort: true }]);
    const opened = await home.publications.openWindow(systemCaller, id);
    expect(bridges.last.windowS).toBe(900);
    expect(opened.bridges).toMatchObject([{ windowEndsAt: OPENED_AT + 900_000 }]);
    const closed = await home.publications.closeWindow(systemCaller, id);
    expect(bridges.last.windowS).toBeUndefined();
    expect(closed.bridges).toMatchObject([{ windowEndsAt: null }]);
    await expect(home.publications.openWindow(systemCaller, id, { durationSeconds: 5 })).rejects.toMatchObject({
      code: 'invalid_value',
    });
    await home.publications.pause(systemCaller, id);
    await expect(home.publications.openWindow(systemCaller, id)).rejects.toMatchObject({ code: 'conflict' });
    const homekit = await home.publish({ name: 'Other' });
    await expect(home.publications.openWindow(systemCaller, homekit.id)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('previews what it would show, with what to expect of a bridge that is not certified', async () => {
    await open();
    const {
      items,
      warnings,
      bridges: planned,
    } = home.publications.preview(systemCaller, {
      kind: 'matter',
      homeId: home.home.id,
    });
    expect(items.find(({ name }) => name === 'Lamp')).toMatchObject({
      publishedAs: 'light',
      bridge: 'New publication',
    });
    expect(planned[0]?.accessories).toBeGreaterThan(0);
    expect(warnings).toEqual(['It speaks Matter (uncertified): controllers ask before they add it.']);
    expect(bridges.all).toEqual([]);
  });

  it('warns of an empty bridge, and of more devices than Alexa finds', async () => {
    await open();
    const warningsOf = (selection: object) =>
      home.publications.preview(systemCaller, { kind: 'matter', homeId: home.home.id, selection } as never).warnings;
    expect(warningsOf({ scope: 'selected' })).toEqual([
      expect.stringContaining('uncertified'),
      'Nothing of this can be published. Apple Home adds no empty bridge.',
    ]);
    attachSwitches(60);
    const switches = { scope: 'selected', accessoryIds: numbered(60).map((name) => home.named(name).id) };
    expect(warningsOf(switches)).toHaveLength(1);
    expect(warningsOf({ ...switches, types: ['light'] })).toEqual([
      expect.stringContaining('uncertified'),
      'Alexa finds at most 60 devices of a bridge, and this one would have 61.',
    ]);
  });

  it('warns of what controllers would treat as new, and of what would leave them', async () => {
    await open();
    const selection = { scope: 'selected' as const, accessoryIds: [home.named('Lamp').id] };
    const { id } = await publish({ selection });
    const preview = (changed: object) =>
      home.publications.preview(systemCaller, { kind: 'matter', publicationId: id, selection: changed } as never);
    const noteOf = (name: string, items = preview({ scope: 'home' }).items) =>
      items.find((item) => item.name === name)?.note;
    expect(noteOf('Front Door'), 'no controller knows any of it').toBeNull();
    bridges.last.setFabrics([
      { index: 1, label: '', vendorId: 1, fabricId: 'A', nodeId: 'B', isConnected: true, lastSeenAt: null },
    ]);
    expect([noteOf('Lamp'), noteOf('Front Door')]).toEqual([null, 'Controllers will treat this as a new device.']);
    const leaving = 'What leaves the selection (1) leaves the controllers, with its rooms and routines there.';
    expect(preview({ scope: 'home' }).warnings).not.toContain(leaving);
    expect(preview({ scope: 'selected', types: ['lock'] }).warnings).toContain(leaving);
    await home.publications.pause(systemCaller, id);
    expect(preview({ scope: 'selected', types: ['lock'] }).warnings, 'also while it is paused').toContain(leaving);
    expect(home.publications.previewSaved(systemCaller, id).warnings).not.toContain(leaving);
  });

  it('locks and unlocks, and sets the temperature that counts', async () => {
    await openAndPublish();
    expect(await write('Front Door', { doorLock: { lockState: 2 } })).toBe('ok');
    expect(stored('Front Door', CHARACTERISTIC.lockTargetState)).toBe(0);
    expect(bridges.last.named('Thermostat').deviceType).toBe('thermostat');
    await write('Thermostat', { thermostat: { systemMode: 4 } });
    expect(stored('Thermostat', CHARACTERISTIC.heatingCoolingTarget)).toBe(1);
    await write('Thermostat', { thermostat: { occupiedHeatingSetpoint: 2_150 } });
    expect(stored('Thermostat', CHARACTERISTIC.targetTemperature)).toBe(21.5);
  });

  it('shows the air pressure of a weather station as a sensor of its own, in hectopascals', async () => {
    await openAndPublish();
    const pressure = characteristic('21', PRESSURE_TYPE, 'float', 1_013.2, {}, ['pr', 'ev']);
    const services = [
      information('Balcony'),
      service('10', '8A', [characteristic('11', '11', 'float', 21.4, {}, ['pr', 'ev'])]),
      service('20', PRESSURE_SERVICE, [pressure]),
    ];
    const accessories = [{ ...plainSwitch('Balcony', '1'), services }];
    home.driver.attach(home.home.id, { deviceId: BRIDGE, name: 'Balcony', setupCode: '031-45-160', accessories });
    await home.settle();
    expect(bridges.last.named('Balcony').deviceType).toBe('temperatureSensor');
    const { deviceType, clusters, key } = bridges.last.named('Balcony Pressure');
    expect([deviceType, clusters.pressureMeasurement]).toMatchObject(['pressureSensor', { measuredValue: 1_013 }]);
    bridges.last.values.length = 0;
    event('Balcony', '21', 987.6);
    expect(bridges.last.values).toEqual([{ key, clusters: { pressureMeasurement: { measuredValue: 988 } } }]);
  });

  it('passes on presses of a button', async () => {
    await openAndPublish();
    const { key } = bridges.last.named('Button');
    event('Button', '9', 2);
    expect(bridges.last.presses).toEqual([{ key, press: 'long' }]);
  });

  it('answers with the error of the device, and reports what it really has', async () => {
    await openAndPublish();
    const { source } = home.named('Front Door').address;
    const { key } = bridges.last.named('Front Door');
    home.driver.setReachable(source, false);
    expect(bridges.last.named('Front Door').reachable).toBe(false);
    await Promise.resolve();
    expect(bridges.last.endpointChanges).toBeGreaterThan(0);
    bridges.last.values.length = 0;
    expect(await write('Front Door', { doorLock: { lockState: 2 } })).toBe('unreachable');
    await home.settle();
    expect(bridges.last.values).toMatchObject([{ key, clusters: { doorLock: { lockState: 1 } } }]);
  });

  it('looks at its endpoints once when a bridge goes away with all its accessories', async () => {
    await openAndPublish();
    attachSwitches(5);
    await home.settle();
    const before = bridges.last.endpointChanges;
    home.driver.setReachable(BRIDGE, false);
    expect(bridges.last.named('Switch 5').reachable).toBe(false);
    await home.clock.advance(0);
    expect(bridges.last.endpointChanges).toBe(before + 1);
  });

  it('keeps an accessory that its bridge lost for its hour, however the wall clock jumps meanwhile', async () => {
    const { id } = await openAndPublish();
    attachSwitches(2);
    await home.settle();
    for (const jump of [7 * 24 * 60 * 60_000, -30 * 24 * 60 * 60_000]) {
      home.driver.describe(BRIDGE, [plainSwitch('Switch 1', '2')]);
      await home.settle();
      home.clock.jumpWallClock(jump);
      await home.publications.update(systemCaller, id, { name: `Hearth ${jump}` });
      expect(bridges.last.named('Switch 2').reachable).toBe(false);
      await home.clock.advance(60 * 60_000);
      expect(() => bridges.last.named('Switch 2')).toThrow();
      home.driver.describe(BRIDGE, [plainSwitch('Switch 1', '2'), plainSwitch('Switch 2', '3')]);
      await home.settle();
    }
  });

  it('waits at a start for accessories that are not described yet, but not for ever', async () => {
    await using directory = createTempDirectory();
    const path = directory.file('relay.db');
    await open(path);
    const { id } = await publish();
    const status = () => home.publications.get(systemCaller, id).status;
    attachSwitches(1);
    await home.settle();
    const { number } = bridges.last.named('Switch 1');
    await restart(path);
    expect([status(), bridges.all]).toEqual(['starting', []]);
    attachSwitches(1);
    await home.settle();
    expect([status(), bridges.last.named('Switch 1').number]).toEqual(['open', number]);
    await restart(path);
    await home.clock.advance(31_000);
    expect(status()).toBe('open');
    expect(() => bridges.last.named('Switch 1')).toThrow();
    await home.publications.servers.stop();
    home.close();
  });

  it('has one bridge at a time, in any order of changes, pauses and resets', async () => {
    const { id } = await openAndPublish();
    const { publications } = home;
    const openNames = () =>
      bridges.all.flatMap(({ status, deps }) => (status.state === 'open' ? [deps.identity.name] : []));
    const change = (name: string) => publications.update(systemCaller, id, { name });
    await Promise.all([change('One'), change('Two'), publications.pause(systemCaller, id)]);
    expect(openNames()).toEqual([]);
    await Promise.all([publications.resume(systemCaller, id), change('Three')]);
    expect([openNames(), bridges.mostAtOnce]).toEqual([['Three'], 1]);
    const reset = publications.reset(systemCaller, id);
    const pauses = [publications.pause(systemCaller, id), publications.resume(systemCaller, id)];
    await Promise.all([change('Four'), reset, ...pauses]);
    await home.settle();
    expect(openNames()).toEqual(['Four']);
    expect(publications.get(systemCaller, id)).toMatchObject({ name: 'Four', status: 'open' });
  });

  it('starts although its stored fabrics rotted, and lists those that its bridge reports', async () => {
    const { id } = await openAndPublish();
    for (const rotten of ['{', '5', '[null,7,{"index":"1"}]']) {
      home.database.prepare('UPDATE matter_bridges SET fabrics = ?').run(rotten);
      await home.publications.pause(systemCaller, id);
      expect(home.publications.controllers(systemCaller, id)).toEqual([]);
      expect((await home.publications.resume(systemCaller, id)).status).toBe('open');
    }
    const fabric = { label: 'Hub', vendorId: 1, fabricId: 'A', nodeId: 'B', isConnected: true, lastSeenAt: null };
    bridges.last.setFabrics([{ index: 1, ...fabric }]);
    expect(home.publications.controllers(systemCaller, id)).toMatchObject([{ identifier: '1', isConnected: true }]);
  });

  it('executes a scene by a switch that goes off by itself', async () => {
    await open();
    const actions = [{ accessoryId: home.named('Lamp').id, characteristicType: 'power_state', targetValue: true }];
    const scene = home.scenes.create(systemCaller, { homeId: home.home.id, name: 'Movie', actions });
    const selection = { scope: 'selected' as const, sceneIds: [scene.id] };
    await publish({ selection });
    expect(bridges.last.deps.content.endpoints()).toMatchObject([{ name: 'Movie', deviceType: 'onOffPlugInUnit' }]);
    const { key } = bridges.last.named('Movie');
    expect(await write('Movie', { onOff: { onOff: true } })).toBe('ok');
    await home.clock.advance(2_000);
    expect(bridges.last.values.at(-1)).toMatchObject({ key, clusters: { onOff: { onOff: false } } });
  });
});
