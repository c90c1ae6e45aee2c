/** What automations need of notifications. */
import type { Json } from '../automations/flow.ts';

export interface NotificationRequest {
  /** The user whom alone it is for, by whose preferences it is sent; `null` or left out: the house. */
  readonly ownerId?: string | null;
  readonly homeId: string | null;
  readonly automationId: string | null;
  readonly title: string | null;
  readonly message: string;
  /** A slug or an https URL. */
  readonly icon: string | null;
  readonly iconColor: string | null;
  readonly data: Json;
}

/** What became of it (wire-facts §6.3, §14). */
export interface NotificationResult {
  /** Whether any channel took it. */
  readonly delivered: boolean;
  readonly channels: readonly ('local' | 'push' | 'email')[];
  readonly rateLimited: boolean;
  /** Why not delivered, or not by some channel. */
  readonly reason: 'rate_limited' | 'no_devices' | 'muted' | 'preference' | 'error' | null;
}

export interface Notifier {
  /** Waits for the channels, which have deadlines. Never throws for what a channel does. */
  notify(request: NotificationRequest): Promise<NotificationResult>;
}
