/**
 * Notification channels outside the daemon: ntfy and SMTP. Each sends one message once; preferences, rate limits,
 * retries and the history are in `app/notifications`. The owner configures the servers, so local and loopback addresses
 * are allowed.
 */
import type { NotificationChannel } from '../../home/notification-channel.ts';
import { EmailChannel, type EmailSettings } from './email.ts';
import { NtfyChannel, type NtfySettings } from './ntfy.ts';

/** `null` for a channel that is not configured. */
export interface ChannelSettings {
  readonly ntfy: NtfySettings | null;
  readonly email: EmailSettings | null;
}

export function createNotificationChannels({ ntfy, email }: ChannelSettings): readonly NotificationChannel[] {
  return [...(ntfy ? [new NtfyChannel(ntfy)] : []), ...(email ? [new EmailChannel(email)] : [])];
}
