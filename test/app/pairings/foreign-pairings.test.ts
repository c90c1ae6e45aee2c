/** Files of other controllers, as those write them. */
import { expect, it } from 'vitest';
import { type ForeignEntry, parseForeignPairings } from '../../../src/app/pairings/import/foreign-pairings.ts';
import { createControllerKeys, createSigningKeys } from '../../support/accessories/identity.ts';

const DEVICE = 'AA:BB:CC:DD:EE:FF';
const controller = createControllerKeys();
const device = createSigningKeys();
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const hexText = (text: string): string => Buffer.from(text).toString('hex');

const AIOHOMEKIT = {
  AccessoryPairingID: DEVICE.toLowerCase(),
  AccessoryLTPK: hex(device.publicKey),
  iOSPairingId: controller.id,
  iOSDeviceLTSK: hex(controller.seed),
  iOSDeviceLTPK: hex(controller.publicKey),
  AccessoryIP: '192.168.1.20',
  AccessoryIPs: ['192.168.1.20'],
  AccessoryPort: 51826,
  Connection: 'IP',
};
const HAP_CONTROLLER = {
  AccessoryPairingID: hexText(DEVICE),
  AccessoryLTPK: hex(device.publicKey),
  iOSDevicePairingID: hexText(controller.id),
  iOSDeviceLTSK: hex(controller.seed) + hex(controller.publicKey),
  iOSDeviceLTPK: hex(controller.publicKey),
};
const KEYS = {
  deviceId: DEVICE,
  accessoryPublicKey: device.publicKey,
  controllerId: controller.id,
  controllerPublicKey: controller.publicKey,
  controllerSecretKey: controller.seed,
};
const ADDRESS = { host: '192.168.1.20', port: 51826 };

const homeAssistant = (...entries: readonly object[]) => ({
  version: 1,
  key: 'core.config_entries',
  data: { entries },
});

it.each([
  ['aiohomekit’s pairing.json', { 'Hall Lamp': AIOHOMEKIT }, 'Hall Lamp', ADDRESS],
  [
    'Home Assistant’s core.config_entries, of which the rest is none of our business',
    homeAssistant(
      { domain: 'hue', title: 'Bridge', data: { api_key: 'x' } },
      { domain: 'homekit_controller', title: 'Hall Lamp', data: AIOHOMEKIT },
    ),
    'Hall Lamp',
    ADDRESS,
  ],
  ['hap-controller’s long-term data', HAP_CONTROLLER, DEVICE, null],
  [
    'the same with an address beside it',
    [{ name: 'Hall Lamp', address: '192.168.1.20', port: 51826, longTermData: HAP_CONTROLLER }],
    'Hall Lamp',
    ADDRESS,
  ],
])('reads %s', (_, data, name, address) => {
  expect(parseForeignPairings(data)).toEqual([{ name, pairing: { name, address, ...KEYS } }]);
});

it.each([
  ['Bluetooth', { Connection: 'BLE' }, 'unsupported', /reached over BLE/],
  ['Thread', { Connection: 'CoAP' }, 'unsupported', /reached over CoAP/],
  ['a malformed device id', { AccessoryPairingID: 'lamp' }, 'invalid', /AccessoryPairingID/],
  ['no controller id', { iOSPairingId: '' }, 'invalid', /iOSPairingId/],
  ['a short key', { AccessoryLTPK: 'abcd' }, 'invalid', /AccessoryLTPK/],
  ['a key that is no text', { iOSDeviceLTSK: 7 }, 'invalid', /iOSDeviceLTSK/],
  ['keys of two identities', { iOSDeviceLTPK: hex(device.publicKey) }, 'invalid', /do not belong together/],
])('reports why an entry with %s can’t be imported, beside those that can', (_, wrong, problem, detail) => {
  const entries = parseForeignPairings({ bad: { ...AIOHOMEKIT, ...wrong }, good: AIOHOMEKIT });
  const [bad, good] = entries as [Extract<ForeignEntry, { problem: string }>, ForeignEntry];
  expect([bad.name, bad.problem, bad.detail]).toEqual(['bad', problem, expect.stringMatching(detail)]);
  expect(good).toMatchObject({ pairing: { deviceId: DEVICE } });
});

it.each([
  [
    'an accessory’s own file',
    { displayName: 'Homebridge', pincode: '031-45-154', signSk: 'x' },
    /belongs to an accessory/,
  ],
  [
    'Home Assistant without HomeKit devices',
    homeAssistant({ domain: 'hue', title: 'Bridge', data: {} }),
    /no pairings in this file/,
  ],
  ['anything else', { hello: 'world' }, /no pairings in this file/],
  ['a list of nothing', [], /no pairings in this file/],
  ['a number', 7, /no pairings in this file/],
])('refuses %s', (_, data, sentence) => {
  expect(() => parseForeignPairings(data)).toThrow(sentence);
});
