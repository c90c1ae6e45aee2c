/** The identity of a new bridge: everything random about it. */
import { randomBytes, randomInt } from 'node:crypto';
import { encodeSetupPayload, formatSetupCode, TRIVIAL_SETUP_CODES } from '../../../home/setup-payload.ts';
import { newId } from '../../../kernel/ids.ts';
import type { BridgeRecord } from './bridge-store.ts';

/** HAP category: bridge. */
export const BRIDGE_CATEGORY = 2;
const DEVICE_ID_BYTES = 6;
const SECRET_KEY_BYTES = 32;
const SETUP_ID_LENGTH = 4;
const SETUP_ID_LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const CODE_DIGITS = 8;
/** Setup payload: the accessory is reached over IP. */
const OVER_IP = 2;

type Place = Pick<BridgeRecord, 'publicationId' | 'number' | 'thing'>;

/** @param port the port to take, if it is free */
export function newBridge(place: Place, port: number | null = null): BridgeRecord {
  const letters = Array.from({ length: SETUP_ID_LENGTH }, () =>
    SETUP_ID_LETTERS.charAt(randomInt(SETUP_ID_LETTERS.length)),
  );
  const bytes = [...randomBytes(DEVICE_ID_BYTES)];
  return {
    ...place,
    id: newId(),
    deviceId: bytes.map((byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(':'),
    setupId: letters.join(''),
    setupCode: newSetupCode(),
    secretKey: randomBytes(SECRET_KEY_BYTES),
    port,
    configNumber: 1,
    databaseHash: null,
  };
}

function newSetupCode(): string {
  for (;;) {
    const code = formatSetupCode(String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0'));
    if (!TRIVIAL_SETUP_CODES.has(code)) return code;
  }
}

const SETUP_CODE = /^\d{3}-\d{2}-\d{3}$/;

/** The text of the QR code; `null` for a stored code that rotted. */
export function setupUri({ setupCode, setupId }: BridgeRecord, category: number): string | null {
  if (!SETUP_CODE.test(setupCode)) return null;
  return encodeSetupPayload({ setupCode, setupId, category, flags: OVER_IP });
}
