import type { SeenNotification } from '../../app/notifications/notification-store.ts';
import type { NtfyTopicView } from '../../app/notifications/ntfy-topics.ts';
import type { NotificationPreference as Preference } from '../../app/notifications/preference.ts';
import type { PushDeviceView } from '../../app/notifications/push-devices.ts';
import {
  BUTTON_LIFE_MS,
  type Notification,
  type NotificationPreference,
  type NtfyTopic,
  type PushDevice,
} from '../../contract/notifications.ts';
import { presentTime } from './time.ts';

export function presentNotification({
  ownerId: _,
  tag: __,
  createdAt,
  pressed,
  ...notification
}: SeenNotification): Notification {
  return {
    ...notification,
    pressed: pressed && { ...pressed, at: presentTime(pressed.at) },
    buttonsExpireAt: notification.buttons.length > 0 ? presentTime(createdAt + BUTTON_LIFE_MS) : null,
    createdAt: presentTime(createdAt),
  };
}

export function presentPreference({ channels, ...preference }: Preference): NotificationPreference {
  const { push: pushEnabled, email: emailEnabled, local: localEnabled } = channels;
  return { ...preference, pushEnabled, emailEnabled, localEnabled };
}

export function presentPushDevice({ createdAt, lastSentAt, ...device }: PushDeviceView): PushDevice {
  return {
    ...device,
    createdAt: presentTime(createdAt),
    lastSentAt: lastSentAt === null ? null : presentTime(lastSentAt),
  };
}

/** The app's link (https://docs.ntfy.sh/subscribe/phone/#ntfy-links) has the host in the place of the address. */
export function presentNtfyTopic({ url, createdAt, hasButtons }: NtfyTopicView): NtfyTopic {
  const { protocol, host, pathname } = new URL(url);
  const appUrl = `ntfy://${host}${pathname}${protocol === 'http:' ? '?secure=false' : ''}`;
  return { url, appUrl, hasButtons, createdAt: presentTime(createdAt) };
}
