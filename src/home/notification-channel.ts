/** The port to a way of reaching people outside the daemon. */
export interface OutgoingNotification {
  /** One line. */
  readonly title: string | null;
  readonly message: string;
  /** When it was written, milliseconds since the epoch. */
  readonly at: number;
  /** How urgent it is, 1 least and 5 most; `null`: as usual. */
  readonly priority: number | null;
  readonly tags: readonly string[];
  /** An http or https URL of a picture. */
  readonly iconUrl: string | null;
  /** An http or https URL to be opened when it is tapped. */
  readonly clickUrl: string | null;
}

/** Why a channel did not take a notification, as a sentence for people. It holds no secret: it is logged and shown. */
export class NotificationChannelError extends Error {
  override readonly name = 'NotificationChannelError';
  /** Whether another try in some seconds makes sense. */
  readonly isTemporary: boolean;

  constructor(message: string, isTemporary: boolean, options?: ErrorOptions) {
    super(message, options);
    this.isTemporary = isTemporary;
  }
}

export interface NotificationChannel {
  readonly name: 'push' | 'email';
  /**
   * Tries once. Returns when the server has taken it; settles within a deadline of its own, and at once when `signal` is aborted.
   * @throws `NotificationChannelError`
   */
  send(notification: OutgoingNotification, signal: AbortSignal): Promise<void>;
}
