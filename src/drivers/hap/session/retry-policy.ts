/** What follows the end of a connection, or of an attempt at one: which state, and how long the session waits. */
import type { Clock } from '../../../kernel/clock.ts';
import { PAIRING_LOST_ADVICE } from '../pairing/pair-verify.ts';
import type { Reachability } from '../values/reachability.ts';
import type { AttemptWait } from './attempt-wait.ts';
import { Backoff } from './backoff.ts';
import type { DialAddresses } from './dial-addresses.ts';
import type { Ending } from './session-ending.ts';
import type { SessionHost } from './session-host.ts';
import type { SessionStatus } from './session-status.ts';

/** The minimum time between attempts, however many sightings and commands arrive. */
export const RETRY_SOON_MS = 1_000;
/** After a device reports that it does not know us, it is asked once more before the session believes it. */
const AUTH_FAILURES = 2;
const AUTH_DOUBT_MS = 2_000;
const PAIRING_LOST_RETRY_MS = 600_000;
/** While a command waits, a connection attempt without progress for this time is replaced. */
const IMPATIENT_MS = 1_500;
/** Added for each attempt replaced within the last seconds: a device that is slow to verify must connect in the end. */
const MORE_PATIENCE_MS = 1_000;
const REPLACED_RECENTLY_MS = 10_000;

export interface RetryDeps {
  readonly clock: Clock;
  readonly host: SessionHost;
  readonly status: SessionStatus;
  readonly addresses: DialAddresses;
  readonly pause: AttemptWait;
  readonly reachability: Reachability;
  readonly random: () => number;
}

export class RetryPolicy {
  readonly #deps: RetryDeps;
  readonly #backoff: Backoff;
  #authFailures = 0;
  /** When attempts were replaced recently, in monotonic time. */
  #replacedAt: readonly number[] = [];

  constructor(deps: RetryDeps) {
    this.#deps = deps;
    this.#backoff = new Backoff(deps.random);
  }

  /** The session starts: what failed before does not lengthen its waits. */
  reset(): void {
    this.#backoff.reset();
    this.#authFailures = 0;
  }

  /** The device has proved its identity and knows us. */
  verified(): void {
    this.#authFailures = 0;
    this.#deps.addresses.forgetWrong();
  }

  /** A new attempt replaces one without progress. */
  replaced(): void {
    this.#replacedAt = [...this.#recentlyReplaced(), this.#deps.clock.monotonic()];
  }

  /** How long an attempt may be without progress while a command waits. */
  get patienceMs(): number {
    return IMPATIENT_MS + MORE_PATIENCE_MS * this.#recentlyReplaced().length;
  }

  /** Waits, if necessary. `AttemptWait.retrySoon` shortens the wait. @param isSilent a request timed out */
  async rest(ending: Ending, isSilent: boolean): Promise<void> {
    const { host, status, pause } = this.#deps;
    switch (ending.kind) {
      case 'no_address':
        status.enter('waiting', 'offline');
        return pause.wait();
      case 'moved':
        return pause.wait(RETRY_SOON_MS);
      case 'failed':
        return this.#afterFailure(ending.waitMs ?? 0);
      case 'refused':
        return host.advertisesUnpaired() ? this.#afterUnknown() : this.#afterFailure();
      case 'lost':
        this.#backoff.succeeded(ending.stable);
        status.enter('backing_off', isSilent ? 'offline' : 'connecting');
        return pause.wait(this.#backoff.next());
      case 'unverified':
      case 'replaced':
        return;
      case 'wrong_device':
        return this.#afterWrongDevice(ending.claimsId);
      case 'unknown_controller':
        return this.#afterUnknown();
    }
  }

  #recentlyReplaced(): readonly number[] {
    return this.#replacedAt.filter((at) => this.#deps.clock.monotonic() - at < REPLACED_RECENTLY_MS);
  }

  #afterFailure(waitMs = 0): Promise<void> {
    const { status, addresses, pause } = this.#deps;
    // The other device at that address may have left, and ours may be back.
    addresses.forgetWrong();
    status.enter('backing_off', 'offline');
    return pause.wait(Math.max(waitMs, this.#backoff.next()));
  }

  /** Returns at once if another address may still lead to the right device. */
  async #afterWrongDevice(claimsId: boolean): Promise<void> {
    const { host, addresses } = this.#deps;
    if (addresses.hasUntried) return;
    await (claimsId && host.advertisesUnpaired() ? this.#afterUnknown() : this.#afterFailure());
  }

  /**
   * Handles a device that does not know us. An advertisement that it is unpaired is no proof and ends nothing by
   * itself. It only explains why the device refused us, or has other keys.
   */
  async #afterUnknown(): Promise<void> {
    const { status, addresses, pause, reachability } = this.#deps;
    addresses.forgetWrong();
    status.fault = PAIRING_LOST_ADVICE;
    this.#authFailures += 1;
    if (this.#authFailures < AUTH_FAILURES) {
      status.enter('backing_off', 'connecting');
      await pause.wait(AUTH_DOUBT_MS);
      return;
    }
    reachability.serverGone();
    status.enter('pairing_lost', 'pairing_lost');
    await pause.wait(PAIRING_LOST_RETRY_MS);
  }
}
