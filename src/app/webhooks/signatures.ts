/**
 * Signs deliveries: the headers of wire-facts §5 and those of the Standard Webhooks specification, both with a
 * signature for each valid secret. Each attempt is signed again, so that receivers may refuse old ones.
 */
import { createHmac } from 'node:crypto';
import { loadOnce } from '../../kernel/load-once.ts';
import type { Webhook } from './webhook.ts';

const MS_PER_SECOND = 1_000;

/** The signed content. */
export interface SignedContent {
  /** The event's id: the same at each attempt, and when sent again. */
  readonly id: string;
  /** The time of the attempt, in milliseconds since the epoch. */
  readonly at: number;
  readonly body: string;
}

// Loaded with the first delivery: most homes have no webhook.
const loadStandard = loadOnce(() => import('standardwebhooks'));

/** The secret and, for a day after a rotation, the previous one (decisions §9). */
export function secretsOf(webhook: Webhook, now: number): readonly string[] {
  const { secret, previousSecret, previousSecretUntil } = webhook;
  const overlaps = previousSecret !== null && previousSecretUntil !== null && now < previousSecretUntil;
  return overlaps ? [secret, previousSecret] : [secret];
}

export async function signatureHeaders(
  secrets: readonly string[],
  { id, at, body }: SignedContent,
): Promise<Readonly<Record<string, string>>> {
  const { Webhook: Standard } = await loadStandard();
  const seconds = Math.floor(at / MS_PER_SECOND);
  const date = new Date(seconds * MS_PER_SECOND);
  return {
    'X-Homecast-Signature': [`t=${seconds}`, ...secrets.map((secret) => `v1=${hexOf(secret, seconds, body)}`)].join(
      ',',
    ),
    'X-Homecast-Timestamp': String(seconds),
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets.map((secret) => new Standard(secret).sign(id, date, body)).join(' '),
  };
}

/** wire-facts §5 item 4: the key is the secret as text, including its prefix. */
function hexOf(secret: string, seconds: number, body: string): string {
  return createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
}
