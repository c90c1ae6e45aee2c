/** Makes the message of a notification that a browser's service worker shows. */
import { createHmac } from 'node:crypto';
import type { OutgoingNotification } from '../../home/notification-channel.ts';
import { MAX_PUSH_BYTES, type PushMessage } from '../../home/web-push.ts';
import { cutToBytes } from '../../kernel/cut-to-bytes.ts';

/** A day: a phone that was off overnight still learns of it. */
const TTL_SECONDS = 24 * 60 * 60;
/** RFC 8030 §5.4. */
const TOPIC_LENGTH = 32;

/** What of a notification a device gets, besides its texts. */
export interface PushContents {
  readonly notificationId: string;
  readonly automationId: string | null;
  /** Where a tap leads. */
  readonly link: string | null;
  /** Those of a person, who presses one by a POST to its path. */
  readonly buttonsOf: (userId: string) => readonly PushButton[];
}

interface PushButton {
  readonly id: string;
  readonly title: string;
  readonly path: string;
}

/**
 * By the priority: phones that save power delay what is not urgent, and what an automation sends is meant for now.
 * The default is urgent.
 */
const URGENCIES: Readonly<Record<number, PushMessage['urgency']>> = { 1: 'very-low', 2: 'low', 3: 'normal' };

/** @param seed keys the topic, from which a push service would else guess the texts */
export function toPushMessage(
  { title, message, at, priority }: OutgoingNotification,
  { notificationId, automationId, link, buttonsOf }: PushContents,
  userId: string,
  seed: Uint8Array,
): PushMessage {
  const topic = createHmac('sha256', seed)
    .update(JSON.stringify([automationId, title, message]))
    .digest('base64url')
    .slice(0, TOPIC_LENGTH);
  const buttons = buttonsOf(userId);
  const some = buttons.length > 0 && { buttons };
  const present = (body: string): string =>
    JSON.stringify({ id: notificationId, title, body, at, topic, link, ...some });
  return {
    payload: fitPayload(present, message),
    ttlSeconds: TTL_SECONDS,
    urgency: URGENCIES[priority ?? 0] ?? 'high',
    topic,
  };
}

/** Cuts the message until the whole fits. Each byte that it loses takes at least one from the whole. */
function fitPayload(present: (body: string) => string, message: string): string {
  for (let limit = Buffer.byteLength(message); ; ) {
    const payload = present(cutToBytes(message, limit));
    const excess = Buffer.byteLength(payload) - MAX_PUSH_BYTES;
    if (excess <= 0 || limit === 0) return payload;
    limit = Math.max(0, limit - excess);
  }
}
