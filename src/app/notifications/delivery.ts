/**
 * Hands a notification to a channel and tries again, twice and soon, what failed for the moment. There is no queue: a message that
 * nobody took within a minute is not delivered an hour later, when the house has changed.
 */
import {
  type NotificationChannel,
  NotificationChannelError,
  type OutgoingNotification,
} from '../../home/notification-channel.ts';
import { type Clock, sleep } from '../../kernel/clock.ts';
import { messageOf } from '../../kernel/errors.ts';

/** After the first and the second failure. */
const PAUSES_MS = [1_000, 5_000];
/** For all tries together: whoever asked waits no longer. */
const DEADLINE_MS = 60_000;
/** A server that takes its time must not make a crowd of requests of a flow that runs away. */
const MAX_AT_ONCE = 20;

export class Delivery {
  readonly #channels: () => readonly NotificationChannel[];
  readonly #clock: Clock;
  readonly #running = new Map<Promise<void>, { readonly name: string; readonly abort: AbortController }>();

  /** @param parts.channels those that are set up now. */
  constructor({ channels, clock }: { channels: () => readonly NotificationChannel[]; clock: Clock }) {
    this.#channels = channels;
    this.#clock = clock;
  }

  /** Whether the channel is set up. */
  has(name: NotificationChannel['name']): boolean {
    return this.#find(name) !== undefined;
  }

  /** @returns why the channel did not take it, as a sentence; `null` if it did. Never throws. */
  async deliver(name: NotificationChannel['name'], notification: OutgoingNotification): Promise<string | null> {
    const channel = this.#find(name);
    if (!channel) return 'It is not set up.';
    const atOnce = [...this.#running.values()].filter((one) => one.name === name).length;
    if (atOnce >= MAX_AT_ONCE) return 'Too many are on their way already: the server answers too slowly.';
    const abort = new AbortController();
    const cancelDeadline = this.#clock.after(DEADLINE_MS, () => abort.abort());
    const work = this.#insist(channel, notification, abort.signal);
    this.#running.set(work, { name, abort });
    try {
      await work;
      return null;
    } catch (error) {
      return messageOf(error);
    } finally {
      cancelDeadline();
      this.#running.delete(work);
    }
  }

  /** Breaks off what is under way, and waits until it is. */
  async stop(): Promise<void> {
    for (const { abort } of this.#running.values()) abort.abort();
    await Promise.allSettled(this.#running.keys());
  }

  #find(name: NotificationChannel['name']): NotificationChannel | undefined {
    return this.#channels().find((channel) => channel.name === name);
  }

  /** Settles when `signal` is aborted, whatever the channel makes of that. */
  async #insist(channel: NotificationChannel, notification: OutgoingNotification, signal: AbortSignal): Promise<void> {
    const over = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new NotificationChannelError('It took too long.', false)));
    });
    for (let failures = 0; ; failures += 1) {
      try {
        await Promise.race([channel.send(notification, signal), over]);
        return;
      } catch (error) {
        const pauseMs = PAUSES_MS[failures];
        const worthwhile = error instanceof NotificationChannelError && error.isTemporary && !signal.aborted;
        if (!worthwhile || pauseMs === undefined) throw error;
        await Promise.race([sleep(this.#clock, pauseMs), over]);
      }
    }
  }
}
