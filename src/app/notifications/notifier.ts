import type { NotificationButton } from '../../contract/notifications.ts';
import type { Json } from '../../kernel/json.ts';

export interface NotificationRequest {
  /** The only user it is for, whose preferences apply; `null` or omitted: the home. */
  readonly ownerId?: string | null;
  readonly homeId: string | null;
  readonly automationId: string | null;
  /** The accessory that it is about: a tap leads there. */
  readonly accessoryId?: string | null;
  readonly title: string | null;
  readonly message: string;
  /** A slug or an https URL. */
  readonly icon: string | null;
  readonly iconColor: string | null;
  readonly data: Json;
  /** What triggers know it by. */
  readonly tag?: string | null;
  /** What people can answer with. */
  readonly buttons?: readonly NotificationButton[];
}

/** The result (wire-facts §6.3, §14). */
export interface NotificationResult {
  /** `null` if it was neither sent nor kept. */
  readonly notificationId: string | null;
  /** Whether any channel accepted it. */
  readonly delivered: boolean;
  readonly channels: readonly ('local' | 'push' | 'email')[];
  readonly rateLimited: boolean;
  /** Why it was not delivered, or not by some channel. */
  readonly reason: 'rate_limited' | 'no_devices' | 'muted' | 'preference' | 'error' | null;
}

export interface Notifier {
  /** Waits for the channels, which have deadlines. Never throws because of a channel. */
  notify(request: NotificationRequest): Promise<NotificationResult>;
}
