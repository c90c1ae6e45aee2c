/** Notifications in the service worker: shows what the relay pushes, and opens what a notification is about. */

/** What the relay sends (`app/notifications/push-message.ts`), as far as it is shown. */
interface PushPayload {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  /** Milliseconds since the epoch. */
  readonly at: number | undefined;
  /** The same for repeats of a notification. */
  readonly topic: string | undefined;
  readonly link: string | undefined;
}

/** What a shown notification keeps for the tap on it. */
export interface ShownNotification {
  readonly id?: string;
  readonly link?: string;
}

/** `lib.dom` does not have all that browsers show. */
export interface ShowOptions extends NotificationOptions {
  readonly renotify: boolean;
  readonly timestamp?: number;
  readonly data: ShownNotification;
}

const NAME = 'hearthd';
const ICON = '/assets/icon-192.png';
/** Where a notification leads that is about nothing. */
const PAGE = '/notifications';

/**
 * @param text the decrypted message. Browsers take the permission from a site that shows nothing, so one that can't be
 *   read is shown too.
 */
export function toShown(text: string | undefined): { readonly title: string; readonly options: ShowOptions } {
  const { id, title, body, at, topic, link } = parse(text);
  return {
    title,
    options: {
      body,
      icon: ICON,
      badge: ICON,
      // A repeat takes the place of the one before it, and alerts again.
      tag: topic ?? id,
      renotify: (topic ?? id) !== '',
      ...(at !== undefined && { timestamp: at }),
      data: { id, ...(link !== undefined && { link }) },
    },
  };
}

/** The address that a tap opens: one of the dashboard, or a whole http or https address. */
export function addressOf(data: unknown, origin: string): string {
  const link = isRecord(data) && typeof data.link === 'string' ? data.link : PAGE;
  if (!URL.canParse(link, origin)) return new URL(PAGE, origin).href;
  const url = new URL(link, origin);
  return /^https?:$/.test(url.protocol) ? url.href : new URL(PAGE, origin).href;
}

function parse(text: string | undefined): PushPayload {
  let sent: unknown;
  try {
    sent = JSON.parse(text ?? '');
  } catch {
    sent = undefined;
  }
  const given = isRecord(sent) ? sent : {};
  return {
    id: textOf(given.id) ?? '',
    title: textOf(given.title) || NAME,
    body: textOf(given.body) ?? '',
    at: typeof given.at === 'number' ? given.at : undefined,
    topic: textOf(given.topic),
    link: textOf(given.link),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
