/**
 * Notifications while the dashboard is open: a toast, or a system notification if the page is hidden and permission was
 * granted.
 */

import type { LiveEvent } from '../api/event-stream.ts';
import { isPushOn } from '../pwa/push.ts';
import { showToast } from '../ui/toasts.tsx';
import { live } from './live-connection.ts';
import { buttonsOf, press } from './notification-buttons.ts';

/** A notification from a `notification.sent` event. */
export interface Notice {
  readonly id: string;
  readonly title: string | undefined;
  readonly message: string;
  /** Whether it has buttons; some people may not press them. */
  readonly hasButtons: boolean;
}

/** @returns `undefined` for another event type, another user's notification, or an empty one */
export function readNotice({ type, data }: LiveEvent, userId: string): Notice | undefined {
  if (type !== 'notification.sent' || typeof data.message !== 'string' || data.message === '') return undefined;
  const isForOther = typeof data.userId === 'string' && data.userId !== userId;
  if (isForOther) return undefined;
  const title = typeof data.title === 'string' && data.title !== '' ? data.title : undefined;
  const hasButtons = typeof data.buttons === 'number' && data.buttons > 0;
  return { id: String(data.notificationId ?? ''), title, message: data.message, hasButtons };
}

/** @returns a function that stops the notifications */
export function showNotices(userId: string): () => void {
  return live.onEvent((event) => {
    const notice = readNotice(event, userId);
    if (!notice) return;
    if (document.visibilityState === 'hidden' && (isPushOn(userId) || showSystemNotice(notice))) return;
    const text = notice.title ? `${notice.title}: ${notice.message}` : notice.message;
    if (notice.hasButtons) void showWithButtons(notice.id, text);
    else showToast({ text });
  });
}

/** The relay gives each person the buttons that they may press. Without an answer, the text is shown alone. */
async function showWithButtons(id: string, text: string): Promise<void> {
  const buttons = await buttonsOf(id).catch(() => []);
  const actions = buttons.map(({ id: buttonId, title }) => ({
    label: title,
    run: () => void press(id, buttonId),
  }));
  showToast({ text, actions });
}

/** @returns whether the system accepted it */
function showSystemNotice({ id, title, message }: Notice): boolean {
  if (!mayNotify()) return false;
  try {
    // The same notification from several tabs appears once.
    const notification = new Notification(title ?? 'hearthd', { body: message, tag: id, icon: ICON });
    notification.onclick = () => {
      window.focus();
      notification.close();
    };
    return true;
  } catch {
    // Chromium on Android allows it only in service workers. `ready` never resolves if the registration failed.
    if (!navigator.serviceWorker?.controller) return false;
    void navigator.serviceWorker.ready.then((worker) =>
      worker.showNotification(title ?? 'hearthd', { body: message, tag: id, icon: ICON }),
    );
    return true;
  }
}

const ICON = '/assets/icon-192.png';

/** Whether the browser offers notifications on this page: they need https. */
export function canNotify(): boolean {
  return isSecureContext && 'Notification' in window;
}

export function mayNotify(): boolean {
  return canNotify() && Notification.permission === 'granted';
}
