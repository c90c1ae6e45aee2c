import { execFile } from 'node:child_process';
import type { Environment } from '../config/env.ts';
import { messageOf } from '../kernel/errors.ts';
import type { Logger } from '../kernel/logger.ts';

/** systemd expects a sign of life within the interval; three chances within it survive a slow disk (sd_watchdog_enabled(3)). */
const SIGNS_PER_INTERVAL = 3;
/** It takes some 25 ms. */
const TELLING_TIMEOUT_MS = 10_000;

/**
 * Tells systemd how the daemon is. Node has no datagram Unix sockets, so `systemd-notify` does it: the unit needs
 * `NotifyAccess=all`. Outside a `Type=notify` unit all of it does nothing.
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

  /** Tells that the daemon is up, and from now on that the event loop turns. */
  ready(status: string): void {
    this.#tell('READY=1', `STATUS=${status}`);
    const { watchdogMs } = this.#environment;
    if (watchdogMs === undefined) return;
    // A timer of the event loop: when that hangs, no sign goes out, and systemd restarts us.
    this.#timer = setInterval(() => this.#tell('WATCHDOG=1'), watchdogMs / SIGNS_PER_INTERVAL);
    this.#timer.unref();
  }

  /** Signs of life go on: a stop that hangs is a hang. */
  stopping(): void {
    this.#tell('STOPPING=1', 'STATUS=Stopping');
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #tell(...assignments: string[]): void {
    if (this.#environment.notifySocket === undefined) return;
    execFile('systemd-notify', assignments, { timeout: TELLING_TIMEOUT_MS }, (error) => {
      if (!error || this.#complained) return;
      this.#complained = true;
      this.#logger.warn(
        { error: messageOf(error) },
        'systemd could not be told how the daemon is: is systemd-notify there?',
      );
    });
  }
}
