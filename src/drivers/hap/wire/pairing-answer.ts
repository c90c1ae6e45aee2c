/**
 * Parses the response to a pairing request or to `/identify`: devices answer with TLV8, JSON, HTML or an empty body.
 */
import { statusOf } from '../../../hap-spec/status-codes.ts';
import { decodeTlv } from '../../../hap-spec/tlv.ts';
import { parseAnswer, STATUS } from './characteristics-codec.ts';
import { PairingRefusal } from './exchange.ts';

/** First bytes of JSON and HTML. No TLV8 response begins with them: none of them is a known TLV type. */
const NOT_TLV: ReadonlySet<string> = new Set(['{', '[', '<']);

/**
 * @returns the body, which is TLV8. It contains the pairing error, independent of the HTTP status: devices send errors
 * with 200 and with 400. The content type is ignored: some devices use one for everything.
 * @throws PairingRefusal
 */
export function readPairingAnswer(path: string, httpStatus: number, body: Buffer): Buffer {
  if (httpStatus < 300 && !looksLikeText(body)) return body;
  if (body.length > 0 && !looksLikeText(body) && isTlv(body)) return body;
  const isBusy = hapStatusIn(httpStatus, body) === STATUS.busy;
  throw new PairingRefusal(`The device answered ${path} with ${describeAnswer(httpStatus, body)}`, isBusy);
}

/** `HTTP status 400 (HAP status −70401, insufficient_privileges)` */
export function describeAnswer(httpStatus: number, body: Buffer): string {
  // Parsed as a success, so that only the body's own status counts.
  const status = hapStatusIn(200, body);
  if (status === STATUS.ok || status === STATUS.unexplained) return `HTTP status ${httpStatus}`;
  return `HTTP status ${httpStatus} (HAP status −${Math.abs(status)}, ${statusOf(status).name})`;
}

/** The HAP status of the body, else the one for the HTTP status. */
export function hapStatusIn(httpStatus: number, body: Buffer): number {
  try {
    const answer = parseAnswer(httpStatus, body, []);
    return 'status' in answer ? answer.status : STATUS.unexplained;
  } catch {
    return STATUS.unexplained;
  }
}

function looksLikeText(body: Buffer): boolean {
  return NOT_TLV.has(body.subarray(0, 1).toString('latin1'));
}

function isTlv(body: Buffer): boolean {
  try {
    decodeTlv(body);
    return true;
  } catch {
    return false;
  }
}
