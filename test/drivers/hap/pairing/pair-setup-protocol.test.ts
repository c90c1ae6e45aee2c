/**
 * M5 as the accessory's half of HAP cryptography reads it, and M6 as that half makes it. The two share no code with
 * ours.
 */
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  buildM1,
  buildM5,
  newControllerKeys,
  openM6,
  PairMethod,
} from '../../../../src/drivers/hap/pairing/pair-setup-protocol.ts';
import { TlvType } from '../../../../src/drivers/hap/pairing/tlv-types.ts';
import { decodeTlv, encodeTlv, type TlvField } from '../../../../src/hap-spec/tlv.ts';
import {
  deriveKey,
  ed25519FromSeed,
  isSignedBy,
  labelNonce,
  open,
  seal,
  signWith,
} from '../../../support/accessories/hap-crypto.ts';
import { createDeviceId } from '../../../support/accessories/identity.ts';

const SESSION_KEY = randomBytes(64);
const SEAL_KEY = deriveKey(SESSION_KEY, 'Pair-Setup-Encrypt-Salt', 'Pair-Setup-Encrypt-Info');
const DEVICE_ID = createDeviceId();

interface Identity {
  readonly id: string;
  readonly publicKey: Buffer;
  readonly signature: Buffer;
}

/** What an accessory puts into M6 about itself. */
function identityOf(id: string, signed = id): Identity {
  const { secretKey, publicKey } = ed25519FromSeed(randomBytes(32));
  const proofKey = deriveKey(SESSION_KEY, 'Pair-Setup-Accessory-Sign-Salt', 'Pair-Setup-Accessory-Sign-Info');
  return { id, publicKey, signature: signWith(secretKey, proofKey, Buffer.from(signed), publicKey) };
}

function fieldsOf({ id, publicKey, signature }: Identity): readonly TlvField[] {
  return [
    [TlvType.identifier, id],
    [TlvType.publicKey, publicKey],
    [TlvType.signature, signature],
  ];
}

function encrypted(fields: readonly TlvField[], label = 'PS-Msg06'): Buffer {
  return seal(SEAL_KEY, labelNonce(label), encodeTlv(fields));
}

it('M1 names the method', () => {
  expect([buildM1(PairMethod.plain), buildM1(PairMethod.withAuth)]).toEqual([
    Buffer.of(6, 1, 1, 0, 1, 0),
    Buffer.of(6, 1, 1, 0, 1, 1),
  ]);
});

it('M5 gives our id and public key, and a signature that binds both to this exchange', () => {
  const keys = newControllerKeys(DEVICE_ID);
  const m5 = decodeTlv(buildM5(SESSION_KEY, keys));
  expect(m5.findNumber(TlvType.state)).toBe(5);
  const identity = decodeTlv(open(SEAL_KEY, labelNonce('PS-Msg05'), m5.find(TlvType.encryptedData) ?? Buffer.alloc(0)));
  const publicKey = identity.find(TlvType.publicKey) ?? Buffer.alloc(0);
  expect(identity.find(TlvType.identifier)?.toString()).toBe(keys.controllerId);
  expect(publicKey).toEqual(ed25519FromSeed(keys.controllerSecretKey).publicKey);
  const proofKey = deriveKey(SESSION_KEY, 'Pair-Setup-Controller-Sign-Salt', 'Pair-Setup-Controller-Sign-Info');
  const signature = identity.find(TlvType.signature) ?? Buffer.alloc(0);
  expect(isSignedBy(publicKey, signature, proofKey, Buffer.from(keys.controllerId), publicKey)).toBe(true);
});

it('each pairing has keys and an id of its own', () => {
  const [one, other] = [newControllerKeys(DEVICE_ID), newControllerKeys(DEVICE_ID)];
  expect(one.controllerId).not.toBe(other.controllerId);
  expect(one.controllerSecretKey).not.toEqual(other.controllerSecretKey);
  expect(one.controllerId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});

it('M6 gives the accessory’s id and public key', () => {
  const identity = identityOf(DEVICE_ID);
  expect(openM6(SESSION_KEY, encrypted(fieldsOf(identity)))).toEqual({
    deviceId: DEVICE_ID,
    publicKey: identity.publicKey,
  });
});

const identity = identityOf(DEVICE_ID);

it.each<[what: string, m6: Buffer, fault: string]>([
  ['that is changed on its way', Buffer.concat([encrypted(fieldsOf(identity)), Buffer.of(0)]), 'encrypted data'],
  ['that is shorter than its tag', Buffer.alloc(15), 'encrypted data'],
  ['that is our own M5 sent back', encrypted(fieldsOf(identity), 'PS-Msg05'), 'encrypted data'],
  ['that is not TLV8', seal(SEAL_KEY, labelNonce('PS-Msg06'), Buffer.of(1, 9, 0)), 'TLV'],
  ['without a signature', encrypted(fieldsOf(identity).slice(0, 2)), 'item 10'],
  ['whose signature is for another id', encrypted(fieldsOf(identityOf(DEVICE_ID, createDeviceId()))), 'signature'],
  [
    'whose signature is by another key',
    encrypted(fieldsOf({ ...identity, publicKey: identityOf(DEVICE_ID).publicKey })),
    'signature',
  ],
  [
    'whose signature is cut short',
    encrypted(fieldsOf({ ...identity, signature: identity.signature.subarray(1) })),
    'signature',
  ],
  [
    'whose key is cut short',
    encrypted(fieldsOf({ ...identity, publicKey: identity.publicKey.subarray(1) })),
    'identity',
  ],
  ['whose id has a line break', encrypted(fieldsOf(identityOf('AA:BB\nCC'))), 'identity'],
])('M6 %s is refused', (_what, m6, fault) => {
  expect(() => openM6(SESSION_KEY, m6)).toThrow(
    expect.objectContaining({ kind: 'protocol', state: 6, message: expect.stringContaining(`(${fault})`) }),
  );
});
