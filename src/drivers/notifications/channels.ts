/**
 * Ways of reaching people outside the daemon: ntfy and SMTP. Each speaks its server's protocol, once; preferences, limits, further
 * tries and the history are `app/notifications`. Where the servers are is the owner's choice in the configuration, so that
 * addresses of the house and of this very computer are as good as any.
 */
import type { NotificationChannel } from '../../home/notification-channel.ts';
import { EmailChannel, type EmailSettings } from './email.ts';
import { NtfyChannel, type NtfySettings } from './ntfy.ts';

/** `null` for what is not set up. */
export interface ChannelSettings {
  readonly ntfy: NtfySettings | null;
  readonly email: EmailSettings | null;
}

export function createNotificationChannels({ ntfy, email }: ChannelSettings): readonly NotificationChannel[] {
  return [...(ntfy ? [new NtfyChannel(ntfy)] : []), ...(email ? [new EmailChannel(email)] : [])];
}
