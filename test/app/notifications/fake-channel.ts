/** A channel that does what the test sets, for what lies above the servers. */
import {
  type NotificationChannel,
  NotificationChannelError,
  type OutgoingNotification,
} from '../../../src/home/notification-channel.ts';

export class FakeChannel implements NotificationChannel {
  readonly name: 'push' | 'email';
  readonly sent: OutgoingNotification[] = [];
  /** Tries, those that failed too. */
  tries = 0;
  /** What the next tries do, in order; those after them succeed. */
  readonly script: ('taken' | 'temporary' | 'lasting' | 'silent' | 'broken')[] = [];

  constructor(name: 'push' | 'email') {
    this.name = name;
  }

  send(notification: OutgoingNotification, _signal: AbortSignal): Promise<void> {
    this.tries += 1;
    switch (this.script.shift() ?? 'taken') {
      case 'taken':
        this.sent.push(notification);
        return Promise.resolve();
      case 'temporary':
        return Promise.reject(new NotificationChannelError('Busy.', true));
      case 'lasting':
        return Promise.reject(new NotificationChannelError('Refused.', false));
      case 'broken':
        return Promise.reject(new TypeError('A mistake of ours'));
      case 'silent':
        return new Promise(() => undefined);
    }
  }
}
