/** The port to a way of reaching people outside the daemon. */
export interface OutgoingNotification {
  readonly title: string | null;
  readonly message: string;
  /** When it was written, milliseconds since the epoch. */
  readonly at: number;
}

export interface NotificationChannel {
  readonly name: 'push' | 'email';
  /** Settles within its own deadline. @throws a sentence for people: why it could not be delivered */
  send(notification: OutgoingNotification): Promise<void>;
}
