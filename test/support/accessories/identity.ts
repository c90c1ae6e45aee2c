/**
 * Who an accessory is and who controls it: device ids, setup codes and the long-term keys of both sides, in the forms
 * that the daemon and hap-controller expect. Nothing here is secret: the keys live as long as one test.
 */
import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { PairingKeys } from '../../../src/drivers/hap/wire/exchange.ts';
import { ed25519FromSeed } from './hap-crypto.ts';

/** An Ed25519 key pair as raw bytes. */
export interface SigningKeys {
  readonly publicKey: Buffer;
  /** 32 bytes. */
  readonly seed: Buffer;
}

export interface ControllerKeys extends SigningKeys {
  /** HAP pairing id: a UUID. */
  readonly id: string;
}

/** What a pre-shared pairing takes on the accessory's side: no seed. */
export interface KnownController {
  readonly id: string;
  readonly publicKey: Buffer;
  readonly admin?: boolean;
}

/** The setup codes that the HAP specification forbids (§4.2.1.2). */
const TRIVIAL_CODES = /^(\d)\1{7}$|^12345678$|^87654321$/;

export function createSigningKeys(seed = randomBytes(32)): SigningKeys {
  return { seed, publicKey: ed25519FromSeed(seed).publicKey };
}

export function createControllerKeys(id: string = randomUUID()): ControllerKeys {
  return { id, ...createSigningKeys() };
}

/** `AA:BB:CC:DD:EE:FF`, derived from `seed` where one is given. */
export function createDeviceId(seed?: string): string {
  const bytes = seed === undefined ? randomBytes(6) : createHash('sha256').update(seed).digest().subarray(0, 6);
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(':');
}

/** `031-45-154`, never a trivial one; derived from `seed` where one is given. */
export function createSetupCode(seed?: string): string {
  for (let attempt = 0; ; attempt += 1) {
    const number =
      seed === undefined
        ? randomInt(1e8)
        : createHash('sha256').update(`${seed}/${attempt}`).digest().readUInt32BE() % 1e8;
    const digits = String(number).padStart(8, '0');
    if (!TRIVIAL_CODES.test(digits)) return `${digits.slice(0, 3)}-${digits.slice(3, 5)}-${digits.slice(5)}`;
  }
}

interface PairedAccessory {
  readonly deviceId: string;
  readonly publicKey: Buffer;
}

/** A pairing as the daemon's pair-verify takes it. */
export function pairingKeys(controller: ControllerKeys, accessory: PairedAccessory): PairingKeys {
  return {
    deviceId: accessory.deviceId,
    accessoryPublicKey: accessory.publicKey,
    controllerId: controller.id,
    controllerPublicKey: controller.publicKey,
    controllerSecretKey: controller.seed,
  };
}

/** A pairing as hap-controller's `HttpClient` takes it. */
export function hapControllerPairing(controller: ControllerKeys, accessory: PairedAccessory) {
  return {
    AccessoryPairingID: Buffer.from(accessory.deviceId).toString('hex'),
    AccessoryLTPK: accessory.publicKey.toString('hex'),
    iOSDevicePairingID: Buffer.from(controller.id).toString('hex'),
    iOSDeviceLTSK: Buffer.concat([controller.seed, controller.publicKey]).toString('hex'),
    iOSDeviceLTPK: controller.publicKey.toString('hex'),
  };
}
