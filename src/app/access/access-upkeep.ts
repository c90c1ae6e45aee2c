/**
 * Every minute, and at the stop: saves what a full disk refused, and records in the database what has expired.
 *
 * A clock that is behind after a restart (a computer without a clock battery) revives nothing that was recorded. Each
 * thing keeps its own record (`expired_at`). One global latest time would end everything, new things too, once the
 * clock has been years ahead.
 *
 * A clock that leaps ahead is often wrong, and is corrected within minutes. So what is expired only because of a leap
 * is recorded after the clock has run steadily for ten minutes; a start counts as a leap. A credential refused
 * meanwhile is recorded at once, by its owner: it stays refused.
 */
import type { HomeDeps } from '../../home/home-deps.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import { LogThrottle } from '../../kernel/logger.ts';

const EVERY_MS = 60_000;
/** NTP slews a clock by far less between two rounds; a larger difference means the clock was set. */
const LEAP_TOLERANCE_MS = 5_000;
const STEADY_MS = 10 * 60_000;

/** A store of things that expire. */
export interface ExpiryOwner {
  /** Records in the database what has expired. @param isLast there is no later call. */
  noteExpired(isLast: boolean): void;
}

/** A store that continues in memory while the disk is full. */
export interface UnsavedOwner {
  /** Saves what could not be saved before. @throws `storage_unavailable` it still can't be saved */
  saveUnsaved(): void;
}

export interface AccessUpkeepDeps extends HomeDeps<'clock' | 'logger'> {
  /** By name, for the log. */
  readonly expiring: Readonly<Record<string, ExpiryOwner>>;
  readonly unsaved: Readonly<Record<string, UnsavedOwner>>;
}

export class AccessUpkeep implements Startable {
  readonly #deps: AccessUpkeepDeps;
  readonly #throttle: LogThrottle;
  /** Wall clock and monotonic clock of the last round. */
  #last = { now: 0, monotonic: 0 };
  /** By the monotonic clock: since when the wall clock has run steadily. */
  #steadySince = 0;
  #cancel: (() => void) | undefined;

  constructor(deps: AccessUpkeepDeps) {
    this.#deps = deps;
    this.#throttle = new LogThrottle(deps.clock);
  }

  start(): void {
    const { clock } = this.#deps;
    this.#last = { now: clock.now(), monotonic: clock.monotonic() };
    this.#steadySince = clock.monotonic();
    this.#plan();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#round(true);
  }

  #plan(): void {
    this.#cancel = this.#deps.clock.after(EVERY_MS, () => {
      this.#round(false);
      this.#plan();
    });
  }

  #round(isLast: boolean): void {
    const { expiring, unsaved } = this.#deps;
    for (const [name, owner] of Object.entries(unsaved)) this.#try(name, () => owner.saveUnsaved());
    if (!this.#isSteady()) return;
    for (const [name, owner] of Object.entries(expiring)) this.#try(name, () => owner.noteExpired(isLast));
  }

  /** Whether the wall clock has not leapt ahead for a while. */
  #isSteady(): boolean {
    const { clock } = this.#deps;
    const [now, monotonic] = [clock.now(), clock.monotonic()];
    const leapMs = now - this.#last.now - (monotonic - this.#last.monotonic);
    if (leapMs > LEAP_TOLERANCE_MS) this.#steadySince = monotonic;
    this.#last = { now, monotonic };
    return monotonic - this.#steadySince >= STEADY_MS;
  }

  #try(name: string, act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#throttle.once(name, () =>
        this.#deps.logger.warn({ error: messageOf(error) }, `Could not save changes of ${name} yet`),
      );
    }
  }
}
