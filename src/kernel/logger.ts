import { pino } from 'pino';
import pretty from 'pino-pretty';
import type { Clock } from './clock.ts';

/** The part of pino that the code uses: fields first, then one sentence. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** A logger that adds these fields to every line. */
  child(fields: object): Logger;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Logs to stdout: readable lines on a terminal, one JSON object a line otherwise. */
export function createLogger(options: { level: LogLevel; format: 'pretty' | 'json' }): Logger {
  const settings = { level: options.level, base: null, redact: ['token', 'code', 'pin', 'authorization'] };
  return options.format === 'pretty'
    ? pino(settings, pretty({ ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss', sync: true }))
    : pino({ ...settings, timestamp: pino.stdTimeFunctions.isoTime });
}

export const silentLogger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLogger,
};

/**
 * Lets one line through per key and interval, and counts the rest: a device that is offline for days costs at most a line
 * per ten minutes. Keys not seen for an interval are forgotten, so memory stays bounded.
 */
export class LogThrottle {
  readonly #clock: Clock;
  readonly #intervalMs: number;
  readonly #seen = new Map<string, { at: number; suppressed: number }>();

  constructor(clock: Clock, intervalMs = 600_000) {
    this.#clock = clock;
    this.#intervalMs = intervalMs;
  }

  /** Calls `log` with the number of lines held back since the last one, unless one with this key was logged lately. */
  once(key: string, log: (suppressed: number) => void): void {
    const now = this.#clock.monotonic();
    const entry = this.#seen.get(key);
    if (entry && now - entry.at < this.#intervalMs) {
      entry.suppressed += 1;
      return;
    }
    for (const [other, { at }] of this.#seen) {
      if (other !== key && now - at >= 2 * this.#intervalMs) this.#seen.delete(other);
    }
    this.#seen.set(key, { at: now, suppressed: 0 });
    log(entry?.suppressed ?? 0);
  }
}
