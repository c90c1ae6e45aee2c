import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lamp } from '../../support/sample-accessories.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';

let home: TestHome;

beforeEach(() => {
  home = createTestHome({ sample: true });
  home.history.setEnabled(systemCaller, home.home.id, true);
});
afterEach(() => home.close());

const reportOf = (accessory: string, more: object = {}) => home.history.report(systemCaller, { accessory, ...more });
const namesOf = async (accessory: string): Promise<readonly string[]> =>
  (await reportOf(accessory)).series.map(({ characteristicType }) => characteristicType);

describe('the series of a report', () => {
  it('are those that are recorded, and those that were before recording was turned off', async () => {
    const { id: accessoryId } = home.named('Lamp');
    const name = { homeId: home.home.id, accessoryId };
    expect(await namesOf('lamp')).toEqual(['power_state', 'brightness']);
    home.history.setSeries(systemCaller, { ...name, characteristicType: 'hue', enabled: true });
    await home.clock.advance(1000);
    expect(await namesOf('lamp')).toEqual(['power_state', 'brightness', 'hue']);
    home.history.setSeries(systemCaller, { ...name, characteristicType: 'hue', enabled: false });
    expect(await namesOf('lamp')).toEqual(['power_state', 'brightness', 'hue']);
    await home.history.purge(systemCaller, { homeId: home.home.id });
    home.history.setSeries(systemCaller, { ...name, characteristicType: 'brightness', enabled: false });
    expect((await reportOf('lamp', { characteristic: 'brightness' })).series).toHaveLength(1);
  });

  it('are read as far as the recorder has come, without waiting for it', async () => {
    const { id } = home.named('Lamp');
    await home.clock.advance(60_000);
    await home.control.setProperties(systemCaller, [{ accessoryId: id, settings: { brightness: 77 } }]);
    await home.clock.advance(1);
    const { series } = await reportOf('lamp', { characteristic: 'brightness' });
    expect(series[0]?.summary?.latest).toBe(77);
  });
});

describe('what is meant', () => {
  it('is found in every home, the first home first', async () => {
    await home.clock.advance(1000);
    const second = home.homes.create(systemCaller, { name: 'Cottage' });
    const attach = (name: string, deviceId: string): void => {
      home.driver.attach(second.id, { deviceId, name, setupCode: '031-45-164', accessories: [lamp(name)] });
    };
    attach('Lamp', '10:00:00:00:00:90');
    attach('Lantern', '10:00:00:00:00:91');
    expect((await reportOf('lamp')).home.name).toBe('My Home');
    expect((await reportOf('lantern')).home.name).toBe('Cottage');
    expect((await reportOf('LAMP', { home: second.id })).home.name).toBe('Cottage');
    await expect(reportOf('teapot')).rejects.toThrow('No accessory matches "teapot" in home "My Home", "Cottage"');
  });

  it('keeps its history when it has vanished, and so does a group whose members all have', async () => {
    const accessoryIds = [home.named('Lamp').id];
    const group = home.serviceGroups.create(systemCaller, { homeId: home.home.id, name: 'Ceiling', accessoryIds });
    await home.clock.advance(60_000);
    await home.control.setProperties(systemCaller, [
      { accessoryId: accessoryIds[0] ?? '', settings: { brightness: 77 } },
    ]);
    await home.clock.advance(1000);
    home.driver.describe('10:00:00:00:00:01', []);
    await home.clock.advance(60_000);
    for (const name of ['lamp', 'ceiling']) {
      const { accessory, series } = await reportOf(name);
      expect(accessory.source).toBe(name === 'lamp' ? 'device' : 'group');
      expect(series.find(({ characteristicType }) => characteristicType === 'brightness')?.summary?.latest).toBe(77);
      expect((await reportOf(name, { characteristic: 'brightness' })).series).toHaveLength(1);
    }
    const listed = await home.history.series(systemCaller, home.home.id);
    expect(listed.filter(({ accessoryId }) => accessoryId === group.id).length).toBeGreaterThan(1);
  });

  it('is quoted shortly, however long it was', async () => {
    await expect(reportOf('x'.repeat(10_000))).rejects.toSatisfy((error: Error) => error.message.length < 200);
    await expect(reportOf('lamp', { home: 'x'.repeat(10_000) })).rejects.toSatisfy(
      (error: Error) => error.message.length < 200,
    );
  });
});
