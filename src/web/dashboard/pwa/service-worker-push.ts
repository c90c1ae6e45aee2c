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
  readonly buttons: readonly PushedButton[];
}

interface PushedButton {
  readonly id: string;
  readonly title: string;
  /** A POST to it presses the button, once. */
  readonly path: string;
}

/** What a shown notification keeps for the tap on it. */
export interface ShownNotification {
  readonly id?: string;
  readonly link?: string;
  /** The paths of its buttons, by their ids. */
  readonly paths?: Readonly<Record<string, string>>;
}

/** `lib.dom` does not have all that browsers show. */
export interface ShowOptions extends NotificationOptions {
  readonly renotify: boolean;
  readonly timestamp?: number;
  readonly actions?: readonly { readonly action: string; readonly title: string }[];
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
  const { id, title, body, at, topic, link, buttons } = parse(text);
  const paths = Object.fromEntries(buttons.map((button) => [button.id, button.path]));
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
      ...(buttons.length > 0 && { actions: buttons.map((button) => ({ action: button.id, title: button.title })) }),
      data: { id, ...(link !== undefined && { link }), ...(buttons.length > 0 && { paths }) },
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

/** Where a press of a button goes; `undefined` for a tap beside the buttons. */
export function pathOf(data: unknown, action: string): string | undefined {
  const paths = isRecord(data) && isRecord(data.paths) ? data.paths : {};
  return Object.hasOwn(paths, action) ? textOf(paths[action]) : undefined;
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
    buttons: Array.isArray(given.buttons) ? given.buttons.filter(isButton) : [],
  };
}

function isButton(given: unknown): given is PushedButton {
  return isRecord(given) && [given.id, given.title, given.path].every((one) => typeof one === 'string');
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
