/**
 * ntfy (https://docs.ntfy.sh/publish/): an HTTP request to a public or self-hosted server, which pushes to the
 * subscribed phones.
 */
import {
  type NotificationChannel,
  NotificationChannelError,
  type OutgoingButton,
  type OutgoingNotification,
} from '../../home/notification-channel.ts';
import { cutToBytes } from '../../kernel/cut-to-bytes.ts';
import { connectionError, withinDeadline } from './deadline.ts';

export interface NtfySettings {
  /**
   * The topic URL, http or https: `https://ntfy.sh/my-home-x7f3`. A person who knows it can read and publish there.
   */
  readonly url: string;
  /** An ntfy access token; `null` where the topic is open. */
  readonly token: string | null;
}

/** For the whole exchange. */
const DEADLINE_MS = 15_000;
/** ntfy turns a message over 4,096 bytes into a file, or rejects it. Some bytes are left to spare. */
const MAX_MESSAGE_BYTES = 4_000;
/** ntfy reads a JSON body of at most twice the message size. */
const MAX_BODY_BYTES = 8_192;
/** The response is read only for its error message. */
const MAX_REASON_LENGTH = 200;

/**
 * Statuses that a retry some seconds later may not meet (RFC 9110 §15): timeouts, rate limits, a server that restarts.
 */
const isTemporary = (status: number): boolean => [408, 425, 429].includes(status) || status >= 500;

export class NtfyChannel implements NotificationChannel {
  readonly name = 'push';
  readonly #settings: NtfySettings;
  readonly #deadlineMs: number;
  readonly #server: string;

  constructor(settings: NtfySettings, deadlineMs = DEADLINE_MS) {
    this.#settings = settings;
    this.#deadlineMs = deadlineMs;
    // The topic is as secret as a password: only the host is ever shown.
    this.#server = `The ntfy server ${new URL(settings.url).host}`;
  }

  send(notification: OutgoingNotification, signal: AbortSignal): Promise<void> {
    return withinDeadline(signal, this.#deadlineMs, async (deadline) => {
      try {
        await this.#publish(notification, deadline);
      } catch (error) {
        if (error instanceof NotificationChannelError) throw error;
        if (deadline.aborted) throw new NotificationChannelError(`${this.#server} did not answer in time.`, true);
        throw connectionError(this.#server, error);
      }
    });
  }

  async #publish(notification: OutgoingNotification, signal: AbortSignal): Promise<void> {
    const { url, token } = this.#settings;
    const { root, topic } = splitTopic(url);
    const answer = await fetch(root, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token !== null && { Authorization: `Bearer ${token}` }) },
      body: presentMessage(topic, notification),
      // A redirect would send the token to a server that the owner did not configure.
      redirect: 'manual',
      signal,
    });
    if (!answer.ok) throw await this.#refusal(answer);
    await answer.body?.cancel();
  }

  async #refusal(answer: Response): Promise<NotificationChannelError> {
    const { status } = answer;
    if (status >= 300 && status < 400) {
      await answer.body?.cancel();
      return new NotificationChannelError(
        `${this.#server} redirects to another address. Put that one into ntfy_url.`,
        false,
      );
    }
    const reason = this.#withoutSecrets(readReason(await firstText(answer)));
    const given = reason === '' ? `${status}` : `${status}: ${reason}`;
    const fix = status === 401 || status === 403 ? ' Is ntfy_token right?' : '';
    return new NotificationChannelError(`${this.#server} refused it (${given}).${fix}`, isTemporary(status));
  }

  /** A server may repeat the credentials that it received. */
  #withoutSecrets(text: string): string {
    const { url, token } = this.#settings;
    return [token, splitTopic(url).topic]
      .filter((secret): secret is string => secret !== null && secret !== '')
      .reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
      .replace(/\p{C}+/gu, ' ')
      .slice(0, MAX_REASON_LENGTH);
  }
}

/** JSON is published to the root URL and names the topic; headers can't hold every character of a title. */
export function splitTopic(url: string): { readonly root: string; readonly topic: string } {
  const { origin, pathname } = new URL(url);
  const path = pathname.replace(/\/+$/, '');
  const slash = path.lastIndexOf('/');
  return { root: `${origin}${path.slice(0, slash + 1)}`, topic: path.slice(slash + 1) };
}

function presentMessage(topic: string, notification: OutgoingNotification): string {
  const { title, message, priority, tags, iconUrl, clickUrl, buttons } = notification;
  const present = (text: string): string =>
    JSON.stringify({
      topic,
      message: text,
      ...(title !== null && { title }),
      ...(priority !== null && { priority }),
      ...(tags.length > 0 && { tags }),
      ...(iconUrl !== null && { icon: iconUrl }),
      ...(clickUrl !== null && { click: clickUrl }),
      ...(buttons.length > 0 && { actions: buttons.map(presentButton) }),
    });
  // Each byte removed from the message removes at least one byte from the body.
  for (let limit = MAX_MESSAGE_BYTES; ; ) {
    const body = present(cutToBytes(message, limit));
    const excess = Buffer.byteLength(body) - MAX_BODY_BYTES;
    if (excess <= 0 || limit === 0) return body;
    limit = Math.max(0, limit - excess);
  }
}

/** The app calls the relay itself, and removes the notification when it was accepted. */
function presentButton({ title, url }: OutgoingButton): object {
  return { action: 'http', label: title, url, method: 'POST', clear: true };
}

/**
 * ntfy's errors are `{"code":40301,"http":403,"error":"forbidden"}`. Any other body does not come from ntfy and is
 * omitted.
 */
function readReason(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    return typeof error === 'string' ? error : '';
  } catch {
    return '';
  }
}

/** The first chunk of a body: an ntfy error fits in one, and the rest of an endless page is of no use. */
async function firstText(answer: Response): Promise<string> {
  const reader = answer.body?.getReader();
  if (!reader) return '';
  const { value } = await reader.read();
  await reader.cancel();
  return value === undefined ? '' : new TextDecoder().decode(value);
}
