/**
 * The port to Web Push (RFC 8030): a message goes to the push service of a browser, encrypted so that only that browser
 * can read it (RFC 8291), and signed with the relay's key (RFC 8292).
 */

/** What a browser gives out when a person subscribes on it (W3C Push API). */
export interface PushSubscription {
  /** The address at the push service. A secret, as a password is. */
  readonly endpoint: string;
  /** The browser's public key: a point on P-256, uncompressed, in base64url. */
  readonly p256dh: string;
  /** 16 bytes that the browser and the relay share, in base64url. */
  readonly auth: string;
}

export interface PushMessage {
  /** UTF-8; at most `MAX_PUSH_BYTES`. */
  readonly payload: string;
  /** How long the service keeps it for a browser that is offline. */
  readonly ttlSeconds: number;
  readonly urgency: 'very-low' | 'low' | 'normal' | 'high';
  /** At most 32 characters of base64url: a newer message replaces an undelivered one of the same topic. */
  readonly topic: string;
}

/** RFC 8291 §4: a service need not take more than 4,096 bytes, of which the encryption uses 103. */
export const MAX_PUSH_BYTES = 3_993;

/** The push service no longer knows the subscription: the person took the permission away, or the browser is gone. */
export class PushSubscriptionGone extends Error {
  override readonly name = 'PushSubscriptionGone';
}

export interface WebPush {
  /** The public key that browsers subscribe with. @param seed 32 secret bytes, always the same */
  publicKey(seed: Uint8Array): string;
  /** Why nothing could be sent to a subscription, as a sentence without its full stop; `null` if it could. */
  judge(subscription: PushSubscription): string | null;
  /**
   * Makes one attempt.
   * @throws `PushSubscriptionGone` · `NotificationChannelError`
   */
  send(subscription: PushSubscription, message: PushMessage, seed: Uint8Array, signal: AbortSignal): Promise<void>;
}
