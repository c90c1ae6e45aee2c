/**
 * Moving here with another controller's file: into which home, and what is reported about each device. Real devices:
 * `test/e2e`.
 */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createControllerKeys, createSigningKeys } from '../../support/accessories/identity.ts';
import { plainSwitch } from '../../support/sample-accessories.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';

const PLUG = 'AA:BB:CC:00:00:01';
const AWAY = 'AA:BB:CC:00:00:02';
const controller = createControllerKeys();

let home: TestHome;

beforeEach(() => {
  home = createTestHome();
  home.driver.addDevice({ deviceId: PLUG, name: 'Plug', setupCode: '031-45-154', accessories: [plainSwitch('Plug')] });
});
afterEach(() => home.close());

const entry = (AccessoryPairingID: string) => ({
  AccessoryPairingID,
  AccessoryLTPK: createSigningKeys().publicKey.toString('hex'),
  iOSPairingId: controller.id,
  iOSDeviceLTSK: controller.seed.toString('hex'),
  iOSDeviceLTPK: controller.publicKey.toString('hex'),
});
const outcomes = async (data: object, homeId?: string | number) =>
  (await home.pairingImports.import(systemCaller, { data, homeId: homeId as string })).map(({ name, outcome }) => [
    name,
    outcome,
  ]);

it('reports of each device whether it is connected, away or here already, and takes each once', async () => {
  const data = { Plug: entry(PLUG), Away: entry(AWAY), Again: entry(PLUG.toLowerCase()) };
  expect(await outcomes(data)).toEqual([
    ['Plug', 'imported'],
    ['Away', 'unreachable'],
    ['Again', 'already_here'],
  ]);
  expect(await outcomes({ Plug: data.Plug })).toEqual([['Plug', 'already_here']]);
});

it('asks which home where there are several, and refuses one that is none', async () => {
  const data = { Plug: entry(PLUG) };
  const { id } = home.homes.create(systemCaller, { name: 'Cottage' });
  await expect(outcomes(data)).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(outcomes(data, 5)).rejects.toMatchObject({ code: 'invalid_value' });
  await expect(outcomes(data, 'nowhere')).rejects.toMatchObject({ code: 'home_not_found' });
  expect(await outcomes(data, id)).toEqual([['Plug', 'imported']]);
  expect(home.named('Plug').homeId).toBe(id);
});

it('leaves out a bridge that a relay publishes, in a dry run too', async () => {
  home.driver.published.add(AWAY);
  const data = { Bridge: entry(AWAY) };
  expect(await outcomes(data)).toEqual([['Bridge', 'unsupported']]);
  const [device] = await home.pairingImports.import(systemCaller, { data, dryRun: true });
  expect(device).toMatchObject({ outcome: 'unsupported' });
  expect(device?.detail).toContain('Pair the accessories themselves');
  expect(home.driver.listPaired()).toEqual([]);
});
