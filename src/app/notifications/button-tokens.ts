/**
 * Single-use addresses that press a button of a notification, for where a person is not signed in: the service
 * worker of a browser, and the ntfy app. Each is signed, and names one button of one notification and the person it
 * was sent to. It is good for one press and for a day, because the notification is; what that person may do is
 * checked at the press.
 */
import { createHmac } from 'node:crypto';
import { BUTTON_PATH } from '../../contract/notifications.ts';
import { equalSecrets } from '../../kernel/secrets.ts';
import type { SigningKeys } from '../access/signing-keys.ts';

const KEY = 'notification-buttons';
const UUID_BYTES = 16;
const CLAIM_BYTES = 2 * UUID_BYTES + 1;
const TOKEN_FORM = /^[\w-]{87}$/;

export interface ButtonClaim {
  readonly notificationId: string;
  readonly userId: string;
  /** Its place among the buttons of the notification. */
  readonly index: number;
}

export class ButtonTokens {
  readonly #keys: SigningKeys;

  constructor(keys: SigningKeys) {
    this.#keys = keys;
  }

  /** @returns the path to which a POST presses the button */
  pathOf({ notificationId, userId, index }: ButtonClaim): string {
    const claim = Buffer.concat([bytesOf(notificationId), bytesOf(userId), Buffer.of(index)]);
    return `${BUTTON_PATH}/${Buffer.concat([claim, this.#signatureOf(claim)]).toString('base64url')}`;
  }

  /** @returns `undefined` for what is no token of this relay */
  read(token: string): ButtonClaim | undefined {
    if (!TOKEN_FORM.test(token)) return undefined;
    const bytes = Buffer.from(token, 'base64url');
    const claim = bytes.subarray(0, CLAIM_BYTES);
    // The last character has spare bits: there is one spelling of a token only.
    if (!equalSecrets(token, Buffer.concat([claim, this.#signatureOf(claim)]).toString('base64url'))) return undefined;
    return {
      notificationId: uuidOf(claim.subarray(0, UUID_BYTES)),
      userId: uuidOf(claim.subarray(UUID_BYTES, 2 * UUID_BYTES)),
      index: claim.readUInt8(2 * UUID_BYTES),
    };
  }

  #signatureOf(claim: Buffer): Buffer {
    return createHmac('sha256', this.#keys.key(KEY)).update(claim).digest();
  }
}

function bytesOf(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
