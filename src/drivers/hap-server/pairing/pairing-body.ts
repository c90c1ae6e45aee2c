/** TLV8 bodies of the pairing requests and answers. */

import type { Tlv, TlvField } from '../../../hap-spec/tlv.ts';
import { decodeTlv, encodeTlv } from '../../../hap-spec/tlv.ts';
import { MAX_CONTROLLER_ID_BYTES } from '../../hap/pairing/controllers.ts';
import { KEY_BYTES, TlvErrorCode, TlvType } from '../../hap/pairing/tlv-types.ts';

/** What the server answers: HTTP status 200, or 400 for a message out of order. */
export interface PairingAnswer {
  readonly status: 200 | 400;
  readonly body: Buffer;
}

export function answer(state: number, ...fields: readonly TlvField[]): PairingAnswer {
  return { status: 200, body: encodeTlv([[TlvType.state, state], ...fields]) };
}

export function refusal(state: number, code: number, ...fields: readonly TlvField[]): PairingAnswer {
  return answer(state, [TlvType.error, code], ...fields);
}

/** A message that is malformed, or that does not come next. */
export function outOfOrder(state: number): PairingAnswer {
  return { ...refusal((state + 1) & 0xff, TlvErrorCode.unknown), status: 400 };
}

/** @returns `undefined` if it is not TLV8 */
export function readBody(body: Buffer): Tlv | undefined {
  try {
    return decodeTlv(body);
  } catch {
    return undefined;
  }
}

/** @returns a controller's identifier; `undefined` if it is missing or too long */
export function readIdentifier(message: Tlv): string | undefined {
  const identifier = message.find(TlvType.identifier);
  if (!identifier || identifier.length === 0 || identifier.length > MAX_CONTROLLER_ID_BYTES) return undefined;
  return identifier.toString();
}

/** @returns an X25519 or Ed25519 key; `undefined` if it is missing or has another length */
export function readKey(message: Tlv): Buffer | undefined {
  const key = message.find(TlvType.publicKey);
  return key?.length === KEY_BYTES ? Buffer.from(key) : undefined;
}
