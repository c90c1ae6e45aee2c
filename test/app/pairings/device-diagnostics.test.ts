import { describe, expect, it } from 'vitest';
import { presentDiagnostics } from '../../../src/api/present/device-diagnostics.ts';
import { diagnosticsOf } from '../../../src/app/pairings/device-diagnostics.ts';
import { DeviceDiagnostics } from '../../../src/contract/device-diagnostics.ts';
import { parseAccessories } from '../../../src/drivers/hap/wire/accessory-database.ts';
import type { DeviceTrace, PairedDevice } from '../../../src/home/pairing-driver.ts';
import { listRecorded, readRecorded } from '../../support/accessories/sample-databases.ts';
import type { AccessoryJson, CharacteristicJson } from '../../support/accessories/served-database.ts';
import { findings, spellings } from '../../support/secret-search.ts';

const NOW = Date.UTC(2030, 0, 1);
const DEVICE_ID = '1A:2B:3C:4D:5E:6F';
const DEVICE: PairedDevice = {
  ...{ deviceId: DEVICE_ID, homeId: 'home', name: 'Grandma’s Lamp', model: 'LX-1', category: 5 },
  ...{ status: 'offline', statusDetail: 'connect ECONNREFUSED 192.168.7.20:8080', since: NOW - 5_000 },
  ...{ address: '192.168.7.20:8080', reconnects: 2, pairedAt: NOW - 100_000, manufacturer: 'Lumen' },
  ...{ serialNumber: 'SN-00042', firmware: '1.2.3.4', accessoryCount: 1, lastSeenAt: NOW - 9_000, latencyMs: 18 },
  ...{ notifications: 3, polls: 0, lastError: 'connect ECONNREFUSED 192.168.7.20:8080', lastErrorAt: NOW - 5_000 },
  lastErrorReason: 'unreachable',
};

function traceOf(accessories: DeviceTrace['accessories'], more: Partial<DeviceTrace> = {}): DeviceTrace {
  const responses = { count: 2, averageMs: 18, maxMs: 20, recent: [{ at: NOW - 9_000, ms: 18 }] };
  return { configNumber: 3, accessories, events: [], responses, statuses: [], failures: [], ...more };
}

function fileOf(accessories: DeviceTrace['accessories'], more: Partial<DeviceTrace> = {}): DeviceDiagnostics {
  const trace = traceOf(accessories, more);
  return presentDiagnostics(diagnosticsOf({ device: DEVICE, trace, accessories: [], now: NOW }));
}

/** An accessory with one service, of which some values are this. */
function accessoryWith(values: Readonly<Record<string, Partial<CharacteristicJson>>>, aid: number | string = 1) {
  const characteristics = Object.entries(values).map(([type, characteristic], index) => ({
    ...{ iid: index + 2, type, format: 'string', perms: ['pr'] },
    ...characteristic,
  }));
  return parseAccessories(JSON.stringify([{ aid, services: [{ iid: 1, type: '3E', characteristics }] }]));
}

const valuesOf = ({ accessories }: DeviceDiagnostics) =>
  (accessories as unknown as AccessoryJson[])[0]?.services[0]?.characteristics.map(({ value }) => value);

/** Texts of a recorded product that name one device: all but its maker's, its model's and its versions'. */
function identifiersIn(database: readonly AccessoryJson[]): readonly string[] {
  const all = database.flatMap(({ services }) => services.flatMap(({ characteristics }) => characteristics));
  const isType = ({ type }: CharacteristicJson, ...types: readonly string[]) =>
    types.some((each) => type.replace(/^0{1,6}/, '').split('-')[0] === each);
  const isProduct = (one: CharacteristicJson) => isType(one, '20', '21', '52', '53', '54', '37');
  const texts = (list: readonly CharacteristicJson[]) =>
    list.flatMap(({ value }) => (typeof value === 'string' && value.length >= 4 ? value : []));
  const products = texts(all.filter(isProduct)).join('\n');
  return texts(all.filter((one) => !isProduct(one))).filter((text) => !products.includes(text));
}

describe('the diagnostics file of a recorded device', () => {
  it.each(listRecorded())('holds no text of it that is not the product’s: %s', (name) => {
    const database = readRecorded(name);
    const secrets = identifiersIn(database);
    const ids = database.map(({ aid }) => String(aid)).filter(({ length }) => length > 5);
    const text = JSON.stringify(fileOf(parseAccessories(JSON.stringify(database))));
    const known = [...secrets, ...ids, DEVICE_ID, '192.168.7.20', 'SN-00042', 'Grandma’s Lamp'];
    expect(known.length).toBeGreaterThan(4);
    expect(
      findings(
        name,
        text,
        known.flatMap((one) => spellings(one, one)),
      ),
    ).toEqual([]);
  });

  it.each(listRecorded())('is read like what the device answered, and fits its description: %s', (name) => {
    const recorded = parseAccessories(JSON.stringify(readRecorded(name)));
    const file = fileOf(recorded);
    expect(DeviceDiagnostics.parse(file)).toEqual(file);
    const replayed = parseAccessories(JSON.stringify(file));
    const shapeOf = (database: typeof recorded) =>
      database.map(({ services }) =>
        services.map(({ type, primary, hidden, linked, characteristics }) => ({
          ...{ type, primary, hidden, links: linked.length },
          characteristics: characteristics.map(({ iid: _, value, description: __, ...rest }) => ({
            ...rest,
            kind: value === null ? 'none' : typeof value,
          })),
        })),
      );
    expect(shapeOf(replayed)).toEqual(shapeOf(recorded));
  });
});

describe('what is left out of a diagnostics file', () => {
  it('are names, serial numbers and all texts that do not describe the product', () => {
    const file = fileOf(
      accessoryWith({
        '20': { value: 'Lumen' },
        '21': { value: 'LX-1' },
        '23': { value: 'Grandma’s Lamp' },
        '30': { value: 'SN-00042' },
        '50': { format: 'tlv8', value: 'AQEB' },
        '52': { value: '1.2.3.4' },
        E3: { value: 'Bedside' },
        '11111111-2222-3333-4444-555555555555': { value: 'wifi-password' },
      }),
    );
    expect(valuesOf(file)).toEqual(['Lumen', 'LX-1', 'Accessory 1', '0000', '', '1.2.3.4', '', '']);
  });

  it.each([
    ['its serial number', 'LX-1 (SN-00042)', 'LX-1 ([removed])'],
    ['its device id', 'LX-1 1a:2b:3c:4d:5e:6f', 'LX-1 [removed]'],
    ['its device id without colons', 'LX-1_1A2B3C4D5E6F', 'LX-1_[removed]'],
    ['its address', 'LX-1 at 192.168.7.20', 'LX-1 at [removed]'],
    ['any MAC address', 'LX-1 00-17-88-01-02-03', 'LX-1 [removed]'],
    ['any IP address', 'LX-1 10.0.0.1 fe80::1:2', 'LX-1 [removed] [removed]'],
    ['a setup code', 'LX-1 031-45-154', 'LX-1 [removed]'],
    ['a setup payload', 'LX-1 X-HM://0023ISYWYABCD', 'LX-1 [removed]'],
    ['a UUID', 'LX-1 3e1f2a9c-7d54-4b86-9c0e-51a2b3c4d5e6', 'LX-1 [removed]'],
    ['a key', `LX-1 ${'ab'.repeat(32)}`, 'LX-1 [removed]'],
  ])('is %s within the model', (_, model, shown) => {
    const file = fileOf(accessoryWith({ '21': { value: model }, '30': { value: 'SN-00042' } }));
    expect(valuesOf(file)?.[0]).toBe(shown);
  });

  it('are long ids and long numbers of types that HAP does not define, not states', () => {
    const own = 'E863F10D-079E-48FF-8F27-9C2607F52000';
    const file = fileOf(
      accessoryWith(
        { '8': { format: 'int', value: 40 }, [own]: { format: 'uint32', value: 305_419_896 } },
        '6623462389072572',
      ),
      { failures: [{ at: NOW, operation: 'read', aid: '6623462389072572', iid: '2', status: -70402 }] },
    );
    expect(valuesOf(file)).toEqual([40, 0]);
    expect(JSON.stringify(file)).not.toContain('6623462389072572');
    const [accessory] = file.accessories as { aid: number }[];
    expect(file.failures).toEqual([
      { at: '2030-01-01T00:00:00.000Z', operation: 'read', aid: accessory?.aid, iid: 2, status: -70402 },
    ]);
  });

  it('are sentences of errors, which name addresses; their reasons stay', () => {
    const file = fileOf([], {
      events: [{ at: NOW, kind: 'failed', reason: 'unreachable', connectedMs: null }],
    });
    expect(file.connection).toMatchObject({ status: 'offline', lastErrorReason: 'unreachable' });
    expect(file.events).toEqual([
      { at: '2030-01-01T00:00:00.000Z', kind: 'failed', reason: 'unreachable', connectedMs: null },
    ]);
  });
});
