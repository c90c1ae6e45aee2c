/** The port to ntfy topics of single people: at the configured server, or else at the public one. */
import type { OutgoingNotification } from './notification-channel.ts';

export interface NtfyService {
  /** The address of a topic of this name. */
  addressOf(topic: string): string;
  /** Makes one attempt. @throws `NotificationChannelError` */
  send(url: string, notification: OutgoingNotification, signal: AbortSignal): Promise<void>;
}
