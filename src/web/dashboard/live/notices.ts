/** What people are told while they use the dashboard: a toast, or, where they look elsewhere and have allowed it, the system's own. */
import { showToast } from '../ui/toasts.tsx';
import type { LiveEvent } from './event-stream.ts';
import { live } from './live-connection.ts';

/** A notification as `notification.sent` tells it. */
export interface Notice {
  readonly id: string;
  readonly title: string | undefined;
  readonly message: string;
}

/** @returns `undefined` it is another event, is not for this person, or says nothing */
export function readNotice({ type, data }: LiveEvent, userId: string): Notice | undefined {
  if (type !== 'notification.sent' || typeof data.message !== 'string' || data.message === '') return undefined;
  const isForOther = typeof data.userId === 'string' && data.userId !== userId;
  if (isForOther) return undefined;
  const title = typeof data.title === 'string' && data.title !== '' ? data.title : undefined;
  return { id: String(data.notificationId ?? ''), title, message: data.message };
}

/** @returns what ends it */
export function showNotices(userId: string): () => void {
  return live.onEvent((event) => {
    const notice = readNotice(event, userId);
    if (!notice) return;
    if (document.visibilityState === 'hidden' && showSystemNotice(notice)) return;
    showToast({ text: notice.title ? `${notice.title}: ${notice.message}` : notice.message });
  });
}

/** @returns whether the system took it */
function showSystemNotice({ id, title, message }: Notice): boolean {
  if (!mayNotify()) return false;
  try {
    // Several tabs that say the same are one notification.
    const notification = new Notification(title ?? 'hearthd', { body: message, tag: id, icon: ICON });
    notification.onclick = () => {
      window.focus();
      notification.close();
    };
    return true;
  } catch {
    // Chromium on Android lets service workers do it only. `ready` of one that could not be registered is waited for in vain.
    if (!navigator.serviceWorker?.controller) return false;
    void navigator.serviceWorker.ready.then((worker) =>
      worker.showNotification(title ?? 'hearthd', { body: message, tag: id, icon: ICON }),
    );
    return true;
  }
}

const ICON = '/assets/icon-192.png';

/** Whether browsers have such a thing on this page: over https. */
export function canNotify(): boolean {
  return isSecureContext && 'Notification' in window;
}

export function mayNotify(): boolean {
  return canNotify() && Notification.permission === 'granted';
}
