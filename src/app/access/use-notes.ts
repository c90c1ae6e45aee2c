/**
 * Records when a credential was last used and that it expired. Such a record must never fail a request. A busy client
 * must not wear out the disk (decisions §7), and a full disk must lock no user out.
 */
import type { Clock } from '../../kernel/clock.ts';
import { messageOf } from '../../kernel/errors.ts';
import { type Logger, LogThrottle } from '../../kernel/logger.ts';

/** decisions §7: at most once a minute. */
export const LAST_USED_INTERVAL_MS = 60_000;

export class UseNotes {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #throttle: LogThrottle;
  readonly #of: string;
  /** By credential: the last record, by the monotonic clock. */
  readonly #notedAt = new WeakMap<object, number>();

  /** @param of the kind of credential, for the log: "an access token". */
  constructor({ clock, logger }: { clock: Clock; logger: Logger }, of: string) {
    this.#clock = clock;
    this.#logger = logger;
    this.#throttle = new LogThrottle(clock);
    this.#of = of;
  }

  /**
   * Records a use, at most once a minute per credential.
   * @param credential its entry in memory, the same object each time.
   * @param write gets the time in milliseconds since the epoch. Its errors are logged.
   */
  note(credential: object, write: (at: number) => void): void {
    const now = this.#clock.monotonic();
    const before = this.#notedAt.get(credential);
    if (before !== undefined && now - before < LAST_USED_INTERVAL_MS) return;
    this.#notedAt.set(credential, now);
    this.tryWrite(() => write(this.#clock.now()));
  }

  /** Writes what is also in memory and can do without the database meanwhile. */
  tryWrite(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#throttle.once('write', () =>
        this.#logger.warn({ error: messageOf(error) }, `Could not save the last use of ${this.#of}`),
      );
    }
  }
}
