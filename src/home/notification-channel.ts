/** The port to an external notification service. */

/** A button of a notification. */
export interface OutgoingButton {
  readonly title: string;
  /** A POST to this http or https address presses it, once. */
  readonly url: string;
}
export interface OutgoingNotification {
  /** One line. */
  readonly title: string | null;
  readonly message: string;
  /** The creation time, in milliseconds since the epoch. */
  readonly at: number;
  /** The priority, from 1 (lowest) to 5 (highest); `null` for the default. */
  readonly priority: number | null;
  readonly tags: readonly string[];
  /** An http or https URL of a picture. */
  readonly iconUrl: string | null;
  /** An http or https URL to open on tap. */
  readonly clickUrl: string | null;
  /** Empty where none can be pressed. */
  readonly buttons: readonly OutgoingButton[];
}

/** Why a channel rejected a notification, as a readable sentence. It contains no secret: it is logged and shown. */
export class NotificationChannelError extends Error {
  override readonly name = 'NotificationChannelError';
  /** Whether a retry after some seconds makes sense. */
  readonly isTemporary: boolean;
  /** How long the server asks to wait (Retry-After); `null` if it does not. */
  readonly retryAfterMs: number | null;

  constructor(
    message: string,
    isTemporary: boolean,
    { retryAfterMs = null, ...options }: ErrorOptions & { readonly retryAfterMs?: number | null } = {},
  ) {
    super(message, options);
    this.isTemporary = isTemporary;
    this.retryAfterMs = retryAfterMs;
  }
}

export interface NotificationChannel {
  readonly name: 'push' | 'email';
  /**
   * Makes one attempt. Returns when the server has accepted it; settles within its own deadline, and at once when
   * `signal` is aborted.
   * @throws `NotificationChannelError`
   */
  send(notification: OutgoingNotification, signal: AbortSignal): Promise<void>;
}
