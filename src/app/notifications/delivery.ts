/**
 * Delivers a notification to a channel and retries temporary errors twice, after short delays. There is no queue: a
 * message that is not accepted within a minute is dropped, because an hour later the home has changed.
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
/** Deadline for all attempts together: callers wait no longer. */
const DEADLINE_MS = 60_000;
/** A server that asks for a longer pause gets no further attempt. */
const MAX_RETRY_AFTER_MS = 30_000;
/** A slow server must not cause many parallel requests from a runaway automation. */
const MAX_AT_ONCE = 20;

export class NotificationDelivery {
  readonly #channels: () => readonly NotificationChannel[];
  readonly #clock: Clock;
  readonly #running = new Map<Promise<void>, { readonly name: string; readonly abort: AbortController }>();

  /** @param parts.channels the currently configured channels. */
  constructor({ channels, clock }: { channels: () => readonly NotificationChannel[]; clock: Clock }) {
    this.#channels = channels;
    this.#clock = clock;
  }

  /** Whether the channel is configured. */
  has(name: NotificationChannel['name']): boolean {
    return this.#find(name) !== undefined;
  }

  /** @returns the error of the channel as a sentence; `null` if it accepted the message. Never throws. */
  async deliver(name: NotificationChannel['name'], notification: OutgoingNotification): Promise<string | null> {
    const channel = this.#find(name);
    if (!channel) return 'It is not set up.';
    return this.deliverBy(name, (signal) => channel.send(notification, signal));
  }

  /**
   * The same by any way of sending.
   * @param name counts what is in progress at once. @param send one attempt, as `NotificationChannel.send`
   */
  async deliverBy(name: string, send: (signal: AbortSignal) => Promise<void>): Promise<string | null> {
    const atOnce = [...this.#running.values()].filter((one) => one.name === name).length;
    if (atOnce >= MAX_AT_ONCE) return 'Too many are on their way already: the server answers too slowly.';
    const abort = new AbortController();
    const cancelDeadline = this.#clock.after(DEADLINE_MS, () => abort.abort());
    const work = this.#insist(send, abort.signal);
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

  /** Aborts deliveries in progress, and waits for them to end. */
  async stop(): Promise<void> {
    for (const { abort } of this.#running.values()) abort.abort();
    await Promise.allSettled(this.#running.keys());
  }

  #find(name: NotificationChannel['name']): NotificationChannel | undefined {
    return this.#channels().find((channel) => channel.name === name);
  }

  /** Settles when `signal` is aborted, even if `send` ignores it. */
  async #insist(send: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    const over = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new NotificationChannelError('It took too long.', false)));
    });
    for (let failures = 0; ; failures += 1) {
      try {
        await Promise.race([send(signal), over]);
        return;
      } catch (error) {
        const pauseMs = PAUSES_MS[failures];
        const worthwhile = error instanceof NotificationChannelError && error.isTemporary && !signal.aborted;
        if (!worthwhile || pauseMs === undefined) throw error;
        const askedMs = error.retryAfterMs ?? 0;
        if (askedMs > MAX_RETRY_AFTER_MS) throw error;
        await Promise.race([sleep(this.#clock, Math.max(pauseMs, askedMs)), over]);
      }
    }
  }
}
