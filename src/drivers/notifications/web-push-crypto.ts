/**
 * The cryptography of Web Push: messages for one browser alone (RFC 8291, over the `aes128gcm` coding of RFC 8188), and
 * the signature by which a push service knows the relay (VAPID, RFC 8292).
 */
import { createCipheriv, createECDH, createPrivateKey, ECDH, hkdfSync, randomBytes, sign } from 'node:crypto';
import type { PushSubscription } from '../../home/web-push.ts';

const CURVE = 'prime256v1';
const POINT_BYTES = 65;
const AUTH_BYTES = 16;
const SALT_BYTES = 16;
const KEY_BYTES = 16;
const NONCE_BYTES = 12;
const SECRET_BYTES = 32;
const COORDINATE_BYTES = 32;
/** RFC 8291 §4: the whole message is one record. */
const RECORD_BYTES = 4_096;
/** RFC 8188 §2: ends the last record. */
const LAST_RECORD = 2;

/** Why the keys of a subscription are none, as the end of "The key …"; `null` if they are. */
export function faultOfKeys({ p256dh, auth }: Pick<PushSubscription, 'p256dh' | 'auth'>): string | null {
  if (decode(auth).length !== AUTH_BYTES) return 'auth is not 16 bytes in base64url';
  const point = decode(p256dh);
  if (point.length !== POINT_BYTES) return 'p256dh is not 65 bytes in base64url';
  try {
    ECDH.convertKey(point, CURVE);
    return null;
  } catch {
    return 'p256dh is no point on the curve P-256';
  }
}

/** What a test fixes, to get the bytes of RFC 8291's appendix. */
export interface EncryptionRandomness {
  readonly salt: Uint8Array;
  readonly privateKey: Uint8Array;
}

/** Encrypts for a subscription whose keys are valid. */
export function encryptPush(
  payload: string,
  { p256dh, auth }: Pick<PushSubscription, 'p256dh' | 'auth'>,
  random?: EncryptionRandomness,
): Buffer {
  const ours = createECDH(CURVE);
  if (random) ours.setPrivateKey(random.privateKey);
  else ours.generateKeys();
  const salt = random?.salt ?? randomBytes(SALT_BYTES);
  const [theirPublic, ourPublic] = [decode(p256dh), ours.getPublicKey()];
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirPublic, ourPublic]);
  const secret = derive(ours.computeSecret(theirPublic), decode(auth), info, SECRET_BYTES);
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), KEY_BYTES);
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), NONCE_BYTES);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const record = Buffer.concat([cipher.update(payload, 'utf8'), cipher.update(Buffer.of(LAST_RECORD)), cipher.final()]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(RECORD_BYTES);
  return Buffer.concat([salt, size, Buffer.of(ourPublic.length), ourPublic, record, cipher.getAuthTag()]);
}

/** The public key of a seed, as browsers take it: `applicationServerKey`. */
export function vapidPublicKey(seed: Uint8Array): string {
  const pair = createECDH(CURVE);
  pair.setPrivateKey(seed);
  return pair.getPublicKey('base64url');
}

interface VapidClaims {
  /** The origin of the push service. */
  readonly audience: string;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
  /** How the operator of the push service reaches the sender: an https or mailto address. */
  readonly contact: string;
}

/** The `Authorization` header (RFC 8292 §3): a JWT, signed with ES256. */
export function vapidAuthorization(seed: Uint8Array, { audience, expiresAt, contact }: VapidClaims): string {
  const publicKey = vapidPublicKey(seed);
  const point = decode(publicKey);
  const key = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      d: Buffer.from(seed).toString('base64url'),
      x: point.subarray(1, 1 + COORDINATE_BYTES).toString('base64url'),
      y: point.subarray(1 + COORDINATE_BYTES).toString('base64url'),
    },
  });
  const encoded = [
    { typ: 'JWT', alg: 'ES256' },
    { aud: audience, exp: expiresAt, sub: contact },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  const text = encoded.join('.');
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${text}.${signature.toString('base64url')}, k=${publicKey}`;
}

function derive(secret: Uint8Array, salt: Uint8Array, info: Uint8Array, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, length));
}

function decode(text: string): Buffer {
  return Buffer.from(text, 'base64url');
}
