/**
 * Sends Web Push messages (RFC 8030). An address at a push service comes from a browser, not from an admin, so requests
 * go through the guarded sender, over https and to public addresses only. `webhooks_allow_loopback` also permits a push
 * service on this computer.
 */

import type { HttpJudge } from '../../home/http-sender.ts';
import { type HttpAnswer, HttpSendError, type HttpSender } from '../../home/http-sender.ts';
import { NotificationChannelError } from '../../home/notification-channel.ts';
import {
  MAX_PUSH_BYTES,
  type PushMessage,
  type PushSubscription,
  PushSubscriptionGone,
  type WebPush,
} from '../../home/web-push.ts';
import type { Clock } from '../../kernel/clock.ts';
import { parseUrl } from '../../kernel/parse-url.ts';
import { encryptPush, faultOfKeys, vapidAuthorization, vapidPublicKey } from './web-push-crypto.ts';

const DEADLINE_MS = 15_000;
/** RFC 8292 §2 permits 24 hours; some services allow no clock that is ahead. */
const SIGNATURE_SECONDS = 12 * 60 * 60;
const MAX_ENDPOINT_LENGTH = 2_048;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
/** RFC 8030 §5: the subscription has ended. */
const GONE = [404, 410];

interface WebPushDeps {
  readonly http: HttpSender & HttpJudge;
  readonly clock: Clock;
  /** How the operator of a push service reaches the sender: an https or mailto address. */
  readonly contact: () => string;
}

export class WebPushSender implements WebPush {
  readonly #deps: WebPushDeps;

  constructor(deps: WebPushDeps) {
    this.#deps = deps;
  }

  publicKey(seed: Uint8Array): string {
    return vapidPublicKey(seed);
  }

  judge({ endpoint, ...keys }: PushSubscription): string | null {
    const url = endpoint.length <= MAX_ENDPOINT_LENGTH ? parseUrl(endpoint) : undefined;
    if (!url || !(url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname)))) {
      return 'The endpoint is not a whole https address';
    }
    const fault = faultOfKeys(keys);
    return fault === null ? this.#deps.http.judge(endpoint, { publicOnly: true }) : `The key ${fault}`;
  }

  async send(
    { endpoint, ...keys }: PushSubscription,
    { payload, ttlSeconds, urgency, topic }: PushMessage,
    seed: Uint8Array,
    signal: AbortSignal,
  ): Promise<void> {
    if (Buffer.byteLength(payload) > MAX_PUSH_BYTES) throw new RangeError('The message is too long for a push service');
    const { origin, host } = new URL(endpoint);
    const claims = {
      audience: origin,
      expiresAt: Math.floor(this.#deps.clock.now() / 1_000) + SIGNATURE_SECONDS,
      contact: this.#deps.contact(),
    };
    const headers = {
      authorization: vapidAuthorization(seed, claims),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(ttlSeconds),
      urgency,
      topic,
    };
    const bytes = encryptPush(payload, keys);
    const request = { url: endpoint, method: 'POST', headers, bytes, publicOnly: true, timeoutMs: DEADLINE_MS, signal };
    explainStatus(host, await this.#sendOnce(request));
  }

  async #sendOnce(request: Parameters<HttpSender['send']>[0]): Promise<HttpAnswer> {
    try {
      return await this.#deps.http.send(request);
    } catch (error) {
      if (!(error instanceof HttpSendError)) throw error;
      const isTemporary = error.reason === 'network' || error.reason === 'timeout';
      throw new NotificationChannelError(`${error.message}.`, isTemporary, { cause: error });
    }
  }
}

/** The body is left out: it may repeat the address, which is a secret. */
function explainStatus(host: string, { status, headers }: HttpAnswer): void {
  if (status >= 200 && status < 300) return;
  if (GONE.includes(status)) throw new PushSubscriptionGone(`${host} no longer knows the subscription (${status}).`);
  const isTemporary = [408, 425, 429].includes(status) || status >= 500;
  const retryAfterMs = isTemporary ? parseRetryAfter(headers['retry-after']) : null;
  throw new NotificationChannelError(`The push service ${host} refused it (${status}).`, isTemporary, { retryAfterMs });
}

/** Seconds (RFC 9110 §10.2.3). Push services send no dates, and the clock of a small computer may be wrong. */
function parseRetryAfter(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : null;
}
