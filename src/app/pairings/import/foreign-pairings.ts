/**
 * Parses pairings from other controllers' files: aiohomekit (`pairing.json`), Home Assistant
 * (`.storage/core.config_entries`) and hap-controller (its long-term data). All contain the same five fields. Every
 * field is validated byte by byte, since a wrong key would only show up as a device that rejects the relay.
 */
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { showableName } from '../../../home/names.ts';
import type { ForeignPairing } from '../../../home/pairing-driver.ts';
import { HearthError } from '../../../kernel/errors.ts';
import type { UnknownRecord } from '../../../kernel/json.ts';

/** More than any home has. */
const MAX_ENTRIES = 500;
const KEY_HEX = 64;
/** A seed, or, as some libraries store it, the seed followed by the public key. */
const SECRET_HEX = [KEY_HEX, 2 * KEY_HEX];
const MAX_CONTROLLER_ID_LENGTH = 64;
const MAX_NAME_LENGTH = 100;

/** One entry of a file: a pairing, or why it cannot be imported. */
export type ForeignEntry =
  | { readonly name: string; readonly pairing: ForeignPairing }
  | {
      readonly name: string;
      readonly deviceId: string | null;
      readonly problem: 'unsupported' | 'invalid';
      /** A sentence. */
      readonly detail: string;
    };

/** @param data a file's content, parsed. @throws `invalid_value` none of these files, or too long */
export function parseForeignPairings(data: unknown): readonly ForeignEntry[] {
  const entries = entriesOf(data);
  if (entries.length === 0) throw refused(isAccessorysFile(data) ? OF_AN_ACCESSORY : UNKNOWN_FILE);
  if (entries.length > MAX_ENTRIES) throw refused(`A file may have ${MAX_ENTRIES} pairings at most.`);
  return entries.map(parseEntry);
}

const UNKNOWN_FILE =
  'There are no pairings in this file. Give the pairing.json of aiohomekit, the .storage/core.config_entries of Home Assistant, or the long-term data of hap-controller.';
const OF_AN_ACCESSORY =
  'This file belongs to an accessory (such as Homebridge), not to a controller: what it holds opens no device. Pair it here with its setup code instead.';

interface NamedFields {
  readonly name: string;
  readonly fields: UnknownRecord;
}

function entriesOf(data: unknown): readonly NamedFields[] {
  if (!isFields(data)) return Array.isArray(data) ? data.flatMap((one) => named('', one)) : [];
  if (isPairing(data)) return named('', data);
  const stored = isFields(data.data) && Array.isArray(data.data.entries) ? data.data.entries : undefined;
  if (stored) {
    return stored.flatMap((entry) =>
      isFields(entry) && entry.domain === 'homekit_controller' ? named(textOf(entry.title), entry.data) : [],
    );
  }
  return Object.entries(data).flatMap(([alias, value]) => named(alias, value));
}

function named(name: string, value: unknown): readonly NamedFields[] {
  if (!isFields(value)) return [];
  // Programs based on hap-controller store its data beside an address and a name.
  const inner = [value.longTermData, value.pairingData].find((one) => isFields(one) && isPairing(one));
  const fields = inner ? { ...value, ...(inner as UnknownRecord) } : value;
  return isPairing(fields) ? [{ name: shownName(name) || shownName(textOf(value.name)), fields }] : [];
}

/** Sanitizes a name from another program for display. */
function shownName(text: string): string {
  return [...showableName(text)].slice(0, MAX_NAME_LENGTH).join('').trim();
}

function isPairing(fields: UnknownRecord): boolean {
  return 'AccessoryPairingID' in fields;
}

/** HAP-NodeJS's `AccessoryInfo.….json`. */
function isAccessorysFile(data: unknown): boolean {
  return isFields(data) && ('signSk' in data || 'pincode' in data || 'pairedClients' in data);
}

function parseEntry({ name, fields }: NamedFields): ForeignEntry {
  const deviceId = deviceIdOf(textOf(fields.AccessoryPairingID));
  const called = name || deviceId || 'A pairing without a name';
  const refuse = (problem: 'unsupported' | 'invalid', detail: string): ForeignEntry => ({
    name: called,
    deviceId,
    problem,
    detail,
  });
  const way = textOf(fields.Connection) || 'IP';
  if (way.toUpperCase() !== 'IP') {
    return refuse(
      'unsupported',
      `It is reached over ${way}, which hearthd does not speak: only devices on the network can be taken over.`,
    );
  }
  if (deviceId === null) return refuse('invalid', 'AccessoryPairingID is no device id such as AA:BB:CC:DD:EE:FF.');
  const controllerId = controllerIdOf(fields);
  if (controllerId === null)
    return refuse('invalid', 'The id of the controller (iOSPairingId) is missing or malformed.');
  const accessoryPublicKey = keyOf(fields.AccessoryLTPK, [KEY_HEX]);
  const secret = keyOf(fields.iOSDeviceLTSK, SECRET_HEX);
  const controllerPublicKey = keyOf(fields.iOSDeviceLTPK, [KEY_HEX]);
  if (!accessoryPublicKey) return refuse('invalid', 'AccessoryLTPK is no key of 64 hex digits.');
  if (!secret) return refuse('invalid', 'iOSDeviceLTSK is no key of 64 or 128 hex digits.');
  if (!controllerPublicKey) return refuse('invalid', 'iOSDeviceLTPK is no key of 64 hex digits.');
  const controllerSecretKey = secret.subarray(0, KEY_HEX / 2);
  if (!publicKeyOf(controllerSecretKey).equals(controllerPublicKey)) {
    return refuse('invalid', 'iOSDeviceLTSK and iOSDeviceLTPK do not belong together.');
  }
  const keys = { accessoryPublicKey, controllerId, controllerPublicKey, controllerSecretKey };
  return { name: called, pairing: { deviceId, name: called, address: addressOf(fields), ...keys } };
}

/** hap-controller encodes texts as hex digits. */
function unhexed(text: string): string {
  return /^(?:[0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, 'hex').toString('latin1') : text;
}

function deviceIdOf(text: string): string | null {
  const found = [text, unhexed(text)].find((one) => /^(?:[0-9A-F]{2}:){5}[0-9A-F]{2}$/i.test(one));
  return found?.toUpperCase() ?? null;
}

function controllerIdOf(fields: UnknownRecord): string | null {
  const id = textOf(fields.iOSPairingId) || unhexed(textOf(fields.iOSDevicePairingID));
  return /^[\x21-\x7e]+$/.test(id) && id.length <= MAX_CONTROLLER_ID_LENGTH ? id : null;
}

function keyOf(input: unknown, lengths: readonly number[]): Buffer | null {
  const hex = textOf(input);
  return lengths.includes(hex.length) && /^[0-9a-f]+$/i.test(hex) ? Buffer.from(hex, 'hex') : null;
}

function addressOf(fields: UnknownRecord): ForeignPairing['address'] {
  const ips = Array.isArray(fields.AccessoryIPs) ? fields.AccessoryIPs : [];
  const host = [fields.AccessoryIP, ...ips, fields.AccessoryAddress, fields.address]
    .map(textOf)
    .find((one) => one !== '');
  const port = Number(fields.AccessoryPort ?? fields.port);
  const isPort = Number.isInteger(port) && port > 0 && port < 65_536;
  return host !== undefined && isPort && /^[\w.:%-]{1,253}$/.test(host) ? { host, port } : null;
}

/** RFC 8410 §7: the prefix of an Ed25519 seed in PKCS #8. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

function publicKeyOf(seed: Buffer): Buffer {
  const secret = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  return createPublicKey(secret)
    .export({ format: 'der', type: 'spki' })
    .subarray(-(KEY_HEX / 2));
}

function textOf(input: unknown): string {
  return typeof input === 'string' ? input.trim() : '';
}

function isFields(input: unknown): input is UnknownRecord {
  return typeof input === 'object' && input !== null && !Array.isArray(input);
}

function refused(sentence: string): HearthError {
  return new HearthError('invalid_value', sentence, { field: 'data' });
}
