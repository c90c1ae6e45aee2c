import { execFile } from 'node:child_process';
import type { Environment } from '../config/env.ts';
import { messageOf } from '../kernel/errors.ts';
import type { Logger } from '../kernel/logger.ts';

/**
 * systemd expects a keep-alive within the interval; three per interval tolerate a slow disk (sd_watchdog_enabled(3)).
 */
const SIGNS_PER_INTERVAL = 3;
/** The call takes about 25 ms. */
const NOTIFY_TIMEOUT_MS = 10_000;

/**
 * Notifies systemd of the daemon's status. Node has no datagram Unix sockets, so this runs `systemd-notify`: the unit
 * needs `NotifyAccess=all`. Outside a `Type=notify` unit it does nothing.
 */
export class SystemdNotify {
  readonly #environment: Environment;
  readonly #logger: Logger;
  #timer: NodeJS.Timeout | undefined;
  #complained = false;

  constructor(environment: Environment, logger: Logger) {
    this.#environment = environment;
    this.#logger = logger;
  }

  /** Reports that the daemon is ready, and from then on sends keep-alives from the event loop. */
  ready(status: string): void {
    this.#notify('READY=1', `STATUS=${status}`);
    const { watchdogMs } = this.#environment;
    if (watchdogMs === undefined) return;
    // A timer of the event loop: if the loop hangs, no keep-alive goes out, and systemd restarts the daemon.
    this.#timer = setInterval(() => this.#notify('WATCHDOG=1'), watchdogMs / SIGNS_PER_INTERVAL);
    this.#timer.unref();
  }

  /** Keep-alives continue, so that systemd detects a stop that hangs. */
  stopping(): void {
    this.#notify('STOPPING=1', 'STATUS=Stopping');
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #notify(...assignments: string[]): void {
    if (this.#environment.notifySocket === undefined) return;
    execFile('systemd-notify', assignments, { timeout: NOTIFY_TIMEOUT_MS }, (error) => {
      if (!error || this.#complained) return;
      this.#complained = true;
      this.#logger.warn({ error: messageOf(error) }, 'Could not notify systemd. Is systemd-notify installed?');
    });
  }
}
