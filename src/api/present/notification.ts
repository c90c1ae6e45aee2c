import type { StoredNotification } from '../../app/notifications/notification-store.ts';
import type { NotificationPreference as Preference } from '../../app/notifications/preference.ts';
import type { Notification, NotificationPreference } from '../../contract/notifications.ts';
import { presentTime } from './time.ts';

export function presentNotification({ ownerId: _, createdAt, ...notification }: StoredNotification): Notification {
  return { ...notification, createdAt: presentTime(createdAt) };
}

export function presentPreference({ channels, ...preference }: Preference): NotificationPreference {
  const { push: pushEnabled, email: emailEnabled, local: localEnabled } = channels;
  return { ...preference, pushEnabled, emailEnabled, localEnabled };
}
