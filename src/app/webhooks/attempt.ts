/** One attempt at a delivery: what is sent, and what its outcome says in the words of the delivery history. Decides nothing. */
import { type HttpAnswer, HttpSendError, type HttpSender } from '../../home/http-sender.ts';
import type { Clock } from '../../kernel/clock.ts';
import { cut } from '../notifications/outgoing.ts';
import { deliveryBody } from './delivery-body.ts';
import { waitAskedFor } from './retry-schedule.ts';
import { secretsOf, signatureHeaders } from './signatures.ts';
import type { Webhook } from './webhook.ts';

/** Of an answer, for people to read. */
const BODY_KEPT = 2_000;
/** Of an answer, in a sentence (wire-facts §5 item 6). */
const BODY_QUOTED = 200;
/** RFC 9110 §15.5.11: the receiver wants nothing more, ever. */
const GONE = 410;

/** What is to be sent. */
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
  /** When it began. */
  readonly at: number;
  readonly latencyMs: number;
  readonly statusCode: number | null;
  /** Its beginning, without our secrets. */
  readonly responseBody: string | null;
  /** Why it was no success. */
  readonly error: string | null;
  /** For how long the receiver asks to be left alone. */
  readonly waitAskedForMs: number | null;
}

export interface AttemptParts {
  readonly http: HttpSender;
  readonly clock: Clock;
}

/** Never throws for what a receiver or the network does. */
export async function attempt(
  { http, clock }: AttemptParts,
  webhook: Webhook,
  parcel: Parcel,
  signal?: AbortSignal,
): Promise<AttemptOutcome> {
  const at = clock.now();
  const startedAt = clock.monotonic();
  const body = deliveryBody({ ...parcel, webhook, at });
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

/** A receiver that prints what it was set up with must not bring a secret into the history: apps may read that. */
function withoutSecrets(text: string, { secret, previousSecret }: Webhook): string {
  if (text === '') return text;
  const spellings = [secret, previousSecret].flatMap((one) => (one === null ? [] : spellingsOf(one)));
  return spellings.reduce((rest, spelling) => rest.replaceAll(spelling, '[secret]'), text);
}

/** As it is, as JSON and URLs have it, and its bytes; with the prefix and without. */
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
