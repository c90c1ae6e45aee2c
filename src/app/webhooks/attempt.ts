/** One attempt at a delivery: sends it, and reports its outcome for the delivery history. Decides nothing. */
import { type HttpAnswer, HttpSendError, type HttpSender } from '../../home/http-sender.ts';
import type { Clock } from '../../kernel/clock.ts';
import { cut } from '../notifications/outgoing.ts';
import { deliveryBody } from './delivery-body.ts';
import { waitAskedFor } from './retry-schedule.ts';
import { secretsOf, signatureHeaders } from './signatures.ts';
import type { Webhook } from './webhook.ts';

/** The kept length of a response body, for people to read. */
const BODY_KEPT = 2_000;
/** The length of a response body quoted in an error (wire-facts §5 item 6). */
const BODY_QUOTED = 200;
/** RFC 9110 §15.5.11: the receiver is permanently gone. */
const GONE = 410;

/** The content to send. */
export interface Parcel {
  /** The delivery's. */
  readonly id: string;
  readonly eventId: string;
  readonly eventType: string;
  /** JSON. */
  readonly data: string;
  readonly occurredAt: number;
}

export interface AttemptOutcome {
  readonly result: 'success' | 'failure' | 'gone' | 'cancelled';
  /** When the attempt began. */
  readonly at: number;
  readonly latencyMs: number;
  readonly statusCode: number | null;
  /** The start of the body, without the webhook's secrets. */
  readonly responseBody: string | null;
  /** Why it failed. */
  readonly error: string | null;
  /** The delay that the receiver requests (`Retry-After`). */
  readonly waitAskedForMs: number | null;
}

export interface AttemptDeps {
  readonly http: HttpSender;
  readonly clock: Clock;
}

/** Makes one attempt. Never throws for errors of a receiver or the network. */
export async function attempt(
  { http, clock }: AttemptDeps,
  webhook: Webhook,
  parcel: Parcel,
  signal?: AbortSignal,
): Promise<AttemptOutcome> {
  const at = clock.now();
  const startedAt = clock.monotonic();
  const { eventId, eventType, data, occurredAt } = parcel;
  const body = deliveryBody({ eventId, eventType, data, occurredAt, webhook, at });
  const headers = await signatureHeaders(secretsOf(webhook, at), { id: parcel.eventId, at, body });
  const base = { at, statusCode: null, responseBody: null, waitAskedForMs: null };
  try {
    const answer = await http.send({
      url: webhook.url,
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'Homecast-Webhook/1.0',
        'X-Homecast-Event': parcel.eventType,
        'X-Homecast-Delivery': parcel.id,
        ...headers,
      },
      body,
      timeoutMs: webhook.timeoutMs,
      keptFor: webhook.id,
      signal,
    });
    return {
      ...base,
      latencyMs: Math.round(clock.monotonic() - startedAt),
      ...readAnswer(answer, webhook, clock.now()),
    };
  } catch (error) {
    if (!(error instanceof HttpSendError)) throw error;
    const latencyMs = Math.round(clock.monotonic() - startedAt);
    if (error.reason === 'cancelled') return { ...base, result: 'cancelled', latencyMs, error: error.message };
    return {
      ...base,
      result: 'failure',
      latencyMs,
      error: error.reason === 'timeout' ? 'Request timeout' : error.message,
    };
  }
}

function readAnswer(answer: HttpAnswer, webhook: Webhook, now: number) {
  const text = withoutSecrets(answer.body, webhook);
  const read = { statusCode: answer.status, responseBody: cut(text, BODY_KEPT) };
  if (answer.status >= 200 && answer.status < 300) return { ...read, result: 'success', error: null } as const;
  return {
    ...read,
    result: answer.status === GONE ? 'gone' : 'failure',
    error: `HTTP ${answer.status}: ${text.slice(0, BODY_QUOTED)}`,
    waitAskedForMs: waitAskedFor(answer.headers['retry-after'], now),
  } as const;
}

/** Removes the secrets: a receiver that echoes its setup must not put them into the history, which apps may read. */
function withoutSecrets(text: string, { secret, previousSecret }: Webhook): string {
  if (text === '') return text;
  const spellings = [secret, previousSecret].flatMap((one) => (one === null ? [] : spellingsOf(one)));
  return spellings.reduce((rest, spelling) => rest.replaceAll(spelling, '[secret]'), text);
}

/** The secret as it is, as in JSON and URLs, and its bytes; with the prefix and without. */
function spellingsOf(secret: string): readonly string[] {
  const key = secret.replace(/^whsec_/, '').replace(/=+$/, '');
  const bytes = Buffer.from(key, 'base64');
  const hex = bytes.toString('hex');
  const all = [
    key,
    key.replaceAll('/', '\\/'),
    encodeURIComponent(key),
    bytes.toString('base64url'),
    hex,
    hex.toUpperCase(),
  ];
  return [...new Set(all)].flatMap((spelling) => [`whsec_${spelling}`, spelling]);
}
